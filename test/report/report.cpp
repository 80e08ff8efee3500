#include <tutti/report/report.hpp>

#include <tutti/instrument/timing.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_layers.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

using tutti::instrument::basic_report;
using tutti::instrument::report;

namespace {

struct ticking {
    static inline std::int64_t time = 0;
    static std::int64_t now() { return time += 1000; }
};

// Returns the events in the data of a page.
nlohmann::json events_of(const std::string& page) {
    const std::string_view head = "<script type=\"application/json\" class=\"data\">";
    nlohmann::json all = nlohmann::json::array();
    for (std::size_t at = 0; (at = page.find(head, at)) != std::string::npos;) {
        at += head.size();
        for (auto& each : nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at))) all.push_back(each);
    }
    return all;
}
std::vector<nlohmann::json> events_of(const std::string& page, std::string_view kind) {
    std::vector<nlohmann::json> some;
    for (auto& each : events_of(page))
        if (each[0] == kind) some.push_back(each);
    return some;
}

constexpr auto lies = tutti::make_pass<"Lies">([](plan& p) {
    p.steps.push_back("limit");
    return tutti::unchanged;
});
constexpr auto says = tutti::make_pass<"Says">([](plan&, auto& ctx) {
    ctx.count("seen", 2);
    ctx.remark(tutti::remark_kind::missed, "step 1", "</script> no");
    return tutti::unchanged;
});
constexpr auto high = tutti::make_pass<"High", 9>([](plan&) {});
constexpr auto all = tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, lies), says, high);

template <class Layer>
std::string page_of(const auto& pipeline, basic_report<ticking>& page, plan p = {{"scan", "sort"}}) {
    ticking::time = 0;
    auto ctx = Layer::template context<plan>({}, page);
    try {
        Layer::with(ctx, [&](auto& scope) { scope.run(pipeline, p); });
    } catch (const std::exception&) {}
    return page.render();
}

} // namespace

TEMPLATE_TEST_CASE("report: shows the passes, their order and times, and their changes to the text",
                   "[instrument][report]", static_layer, erased_layer) {
    basic_report<ticking> page;
    const std::string text = page_of<TestType>(all, page);
    const auto begun = events_of(text, "b"), ended = events_of(text, "e");
    REQUIRE(begun.size() == 6);
    CHECK(begun[0][2] == "sequential");
    CHECK(begun[0][1] == -1);
    CHECK(begun[3][2] == "DropFirst");
    CHECK(begun[3][1] == 2); // the parent is Inner
    // Version 0 of the unit is "scan sort". Version 1 adds a sort, version 2 drops the scan, and version 3 adds a
    // limit.
    std::vector<int> before, after;
    for (const auto& each : begun) before.push_back(each[6]);
    for (const auto& each : ended) after.push_back(each[5]);
    CHECK(before == std::vector<int>{0, 0, 1, 1, 2, 3});
    CHECK(after == std::vector<int>{1, 2, 3, 3, 3, 3}); // after AddSort, DropFirst, Lies, Inner, Says, all
    CHECK(ended[0][7] == nlohmann::json::parse(R"(["sort",1])"));
    CHECK(ended[2][4] == 0); // the pass reported no change, but changed the unit
    CHECK(ended[4][8] == nlohmann::json::parse(R"(["seen",2])"));
    CHECK(events_of(text, "r").at(0) == nlohmann::json::parse(R"(["r",5,"missed","step 1","</script> no"])"));
    CHECK(events_of(text, "k").at(0) == nlohmann::json::parse(R"(["k",0,"High","opt_level"])"));
    CHECK(events_of(text, "v").size() == 4);
    CHECK(events_of(text).back() == nlohmann::json::parse(R"(["x"])"));
}

TEMPLATE_TEST_CASE("report: the same is the same, byte for byte", "[instrument][report]", static_layer, erased_layer) {
    basic_report<ticking> page{{.title = "a plan"}}, again{{.title = "a plan"}};
    CHECK(page_of<TestType>(all, page) == page_of<TestType>(all, again));
}

TEMPLATE_TEST_CASE("report: times leave out hooks, its own and others'", "[instrument][report]", static_layer,
                   erased_layer) {
    ticking::time = 0;
    struct slow {
        void run_before_pass(const plan&, const tutti::pass_info&) { ticking::time += 1'000'000; }
        void run_after_pass(const plan&, const tutti::pass_info&) { ticking::time += 1'000'000; }
    };
    slow other;
    basic_report<ticking> page;
    auto ctx = TestType::template context<plan>({}, other, page);
    plan p{{"scan"}};
    const auto takes_time = tutti::make_pass<"TakesTime">([](plan&) { ticking::time += 5'000; });
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(takes_time, takes_time), p); });
    const auto begun = events_of(page.render(), "b"), ended = events_of(page.render(), "e");
    CHECK(std::int64_t(ended[0][2]) - std::int64_t(begun[1][5]) < 10'000);
    CHECK(std::int64_t(ended[2][2]) - std::int64_t(begun[0][5]) < 30'000);
}

TEMPLATE_TEST_CASE("report: the page includes a failing pass, with its error", "[instrument][report]", static_layer,
                   erased_layer) {
    temporary_folder folder;
    basic_report<ticking> page{{.file = folder.path("r.html")}};
    page_of<TestType>(tutti::sequential(add_sort, throw_it), page);
    const std::string text = folder.read("r.html");
    const auto ended = events_of(text, "e");
    REQUIRE(ended.size() == 3);
    CHECK(ended[1][3] == 1);
    CHECK(ended[1][6] == "ThrowIt: cannot");
    CHECK(events_of(text).back() == nlohmann::json::parse(R"(["x"])"));
    CHECK(folder.files().size() == 1);
}

TEST_CASE("report: the file has, while a pass runs, all that was before it", "[instrument][report]") {
    temporary_folder folder;
    report page{{.file = folder.path("r.html"), .title = "t"}};
    std::string seen;
    const auto looks = tutti::make_pass<"Looks">([&](plan&) { seen = folder.read("r.html"); });
    plan p{{"scan"}};
    tutti::pass_context ctx{tutti::instruments(page)};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, looks), p); });
    CHECK(events_of(seen, "b").size() == 3);
    CHECK(events_of(seen, "e").size() == 1);
    CHECK(events_of(seen, "x").empty());
    CHECK(seen.starts_with("<!doctype html>"));
    tutti::with(ctx, [&](auto& scope) { scope.run(add_sort, p); }); // the report can still be used
    CHECK(events_of(folder.read("r.html"), "x").size() == 2);
    page.add_value("%0", "mean 1");
    CHECK(events_of(folder.read("r.html"), "t").size() == 1);
}

TEST_CASE("report: the page survives a crash of the process", "[instrument][report]") {
    temporary_folder folder;
    const pid_t child = fork();
    if (child == 0) {
        report page{{.file = folder.path("r.html")}};
        const auto dies = tutti::make_pass<"Dies">([](plan&) { std::_Exit(7); });
        plan p{{"scan"}};
        tutti::pass_context ctx{tutti::instruments(page)};
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort, dies), p); });
        std::_Exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WEXITSTATUS(status) == 7);
    const auto begun = events_of(folder.read("r.html"), "b");
    REQUIRE(begun.size() == 3);
    CHECK(begun.back()[2] == "Dies");
    CHECK(events_of(folder.read("r.html"), "x").empty());
}

TEST_CASE("report: a file that cannot be written is an error before any pass", "[instrument][report]") {
    temporary_folder folder;
    CHECK_THROWS_AS(report({.file = folder.path("none/r.html")}), tutti::error);
    CHECK_THROWS_WITH(report({.file = "/proc/none/r.html"}), Catch::Contains("/proc/none/r.html: cannot be written"));
}

TEMPLATE_TEST_CASE("report: units that have nothing but parts, and passes over these", "[instrument][report]",
                   static_layer, erased_layer) {
    constexpr auto unroll = tutti::make_pass<"Unroll">([](loop& l) { l.trips /= 2; });
    report page;
    auto ctx = TestType::template context<module>({}, page);
    module m{{{{{4}, {2}}}}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(tutti::each<loop>(unroll)), m); });
    const auto begun = events_of(page.render(), "b");
    REQUIRE(begun.size() == 4);
    CHECK(begun[1][4] == "function");
    CHECK(begun[3][4] == "loop");
    CHECK(begun[3][6] == -1);
}

TEST_CASE("report: a pass that enters a context which has the report, or takes it out of its own",
          "[instrument][report]") {
    basic_report<ticking> page;
    const auto nests = tutti::make_pass<"Nests">([&](plan& p) {
        tutti::pass_context inner{tutti::instruments(page)};
        tutti::with(inner, [&](auto& scope) { scope.run(add_sort, p); });
    });
    const std::string text = page_of<static_layer>(tutti::sequential(nests, add_sort), page);
    CHECK(events_of(text, "b").size() == 4);
    CHECK(events_of(text, "e").size() == 4);
    CHECK(events_of(text, "x").size() == 1);
}
