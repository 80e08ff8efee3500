#include <tutti/instrument/time_trace.hpp>

#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/verify.hpp>
#include <tutti/search/bisect_limit.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <map>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

using tutti::instrument::time_trace;

namespace {

struct ticking {
    static inline std::int64_t time = 0;
    static std::int64_t now() { return time += 1500; }
};
using ticking_trace = tutti::instrument::basic_time_trace<ticking>;

// Returns the events of a trace except the row names. Checks that the events of a row are nested.
std::vector<nlohmann::json> events_of(const std::string& text) {
    const auto read = nlohmann::json::parse(text);
    std::vector<nlohmann::json> events;
    for (const auto& each : read["traceEvents"])
        if (each["ph"] != "M") events.push_back(each);
    for (const auto& a : events)
        for (const auto& b : events) {
            if (a["ph"] != "X" || b["ph"] != "X" || a["tid"] != b["tid"]) continue;
            const double a0 = a["ts"], b0 = b["ts"], a1 = a0 + double(a["dur"]), b1 = b0 + double(b["dur"]);
            if (a0 < b0 && b0 < a1) CHECK(b1 <= a1 + 1e-6); // begins inside the other, so ends inside it
        }
    return events;
}
std::map<int, std::string> rows_of(const std::string& text) {
    std::map<int, std::string> rows;
    const auto read = nlohmann::json::parse(text);
    for (const auto& each : read["traceEvents"])
        if (each["ph"] == "M") rows[each["tid"]] = each["args"]["name"];
    return rows;
}

constexpr auto all =
    tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, tutti::make_pass<"High", 9>([](plan&) {})));

} // namespace

TEMPLATE_TEST_CASE("time_trace: has each pass, nested as they ran", "[instrument][time_trace]", static_layer,
                   erased_layer) {
    ticking::time = 0;
    ticking_trace trace;
    auto ctx = TestType::template context<plan>({}, trace);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(all, p); });
    CHECK(trace.render() ==
          R"({"displayTimeUnit":"ns","traceEvents":[
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"passes"}},
{"name":"sequential","cat":"pass","ph":"X","ts":0.000,"dur":12.000,"pid":1,"tid":1,"args":{}},
{"name":"AddSort","cat":"pass","ph":"X","ts":1.500,"dur":1.500,"pid":1,"tid":1,"args":{}},
{"name":"Inner","cat":"pass","ph":"X","ts":4.500,"dur":6.000,"pid":1,"tid":1,"args":{}},
{"name":"DropFirst","cat":"pass","ph":"X","ts":6.000,"dur":1.500,"pid":1,"tid":1,"args":{}},
{"name":"High","cat":"pass","ph":"i","s":"t","ts":9.000,"pid":1,"tid":1,"args":{"result":"skipped","why":"opt_level"}}
]}
)");
    CHECK(events_of(trace.render()).size() == 5);
    trace.clear();
    CHECK(events_of(trace.render()).empty());
}

TEMPLATE_TEST_CASE("time_trace: marks failed passes, and running ones", "[instrument][time_trace]", static_layer,
                   erased_layer) {
    time_trace trace;
    auto ctx = TestType::template context<plan>({}, trace);
    plan p{{"scan"}};
    std::string during;
    const auto looks = tutti::make_pass<"Looks \"\n">([&](plan&) { during = trace.render(); });
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(add_sort, throw_it), p), tutti::error);
        scope.run(looks, p);
    });
    const auto events = events_of(trace.render());
    REQUIRE(events.size() == 4);
    CHECK(events[0]["args"]["result"] == "failed");
    CHECK_FALSE(events[1]["args"].contains("result"));
    CHECK(events[2]["args"]["result"] == "failed");
    CHECK(events[3]["name"] == "Looks \"\n");
    CHECK(events_of(during)[3]["args"]["result"] == "still running");
}

TEMPLATE_TEST_CASE("time_trace: shows the time of instruments in rows of their own", "[instrument][time_trace]",
                   static_layer, erased_layer) {
    time_trace trace;
    tutti::instrument::verify check;
    tutti::instrument::measured checked{check, trace};
    auto ctx = TestType::template context<plan>({}, checked, trace);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(all, p); });
    const std::string text = trace.render();
    CHECK(rows_of(text) == std::map<int, std::string>{{1, "passes"}, {2, "instruments"}, {3, "instrument verify"}});
    std::size_t hooks = 0, verified = 0;
    for (const auto& each : events_of(text)) {
        hooks += each["tid"] == 2 ? 1 : 0;
        verified += each["tid"] == 3 ? 1 : 0;
        if (each["tid"] == 3) CHECK(each["args"].contains("hook"));
    }
    CHECK(hooks == 9);     // begin and end of four passes, and one skipped
    CHECK(verified == 10); // also enter and exit
}

// The parent of each pass, and the passes enclosing each call of a measured hook, can be recovered from the trace.
TEMPLATE_TEST_CASE("time_trace: events are nested like the passes", "[instrument][time_trace]", static_layer,
                   erased_layer) {
    struct depths {
        std::vector<int> seen;
        void run_before_pass(const plan&, const tutti::pass_run& run) { seen.push_back(static_cast<int>(run.depth)); }
    } expected;
    time_trace trace;
    tutti::instrument::verify check;
    tutti::instrument::measured checked{check, trace};
    const auto enters = tutti::make_pass<"Enters">([&](plan& p) {
        auto inner = TestType::template context<plan>({}, checked, trace);
        TestType::with(inner, [&](auto& scope) { scope.run(add_sort, p); });
    });
    auto ctx = TestType::template context<plan>({}, expected, checked, trace);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(all, enters, tutti::repeat(all, 3)), p);
        CHECK_THROWS_AS(scope.run(tutti::sequential(add_sort, tutti::sequential<"Fails">(throw_it)), p), tutti::error);
    });
    std::vector<nlohmann::json> passes, hooks, calls;
    for (const auto& each : events_of(trace.render()))
        if (each["ph"] == "X") (each["tid"] == 1 ? passes : each["tid"] == 2 ? hooks : calls).push_back(each);
    const auto inside = [](const nlohmann::json& a, const nlohmann::json& b) {
        const double a0 = a["ts"], b0 = b["ts"], a1 = a0 + double(a["dur"]), b1 = b0 + double(b["dur"]);
        return b0 - 1e-6 <= a0 && a1 <= b1 + 1e-6;
    };
    std::vector<int> depths_of_passes;
    for (const auto& a : passes) {
        int depth = -1; // not counting the pass itself
        bool in_enters = false;
        for (const auto& b : passes)
            if (inside(a, b)) {
                ++depth;
                in_enters = in_enters || (b["name"] == "Enters" && a["name"] != "Enters");
            }
        if (!in_enters) depths_of_passes.push_back(depth); // `expected` is not in the inner context
    }
    CHECK(depths_of_passes == expected.seen);
    CHECK(passes.size() == expected.seen.size() + 1);
    REQUIRE_FALSE(calls.empty());
    std::size_t outside = 0;
    for (const auto& call : calls) {
        bool found = false;
        for (const auto& each : hooks) found = found || inside(call, each);
        if (found) continue;
        ++outside;
        const std::string hook = call["args"]["hook"];
        CHECK((hook == "enter_pass_ctx" || hook == "exit_pass_ctx"));
    }
    CHECK(outside <= 4);
}

TEMPLATE_TEST_CASE("time_trace: names the kinds of units", "[instrument][time_trace]", static_layer, erased_layer) {
    time_trace trace;
    auto ctx = TestType::template context<module>({}, trace);
    module m{{{}, {}}};
    const auto count = tutti::make_pass<"Count">([](function& f) { ++f.cost; });
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::each<function>(count)), m); });
    const auto events = events_of(trace.render());
    REQUIRE(events.size() == 4);
    CHECK(events[1]["args"]["unit"] == "module");
    CHECK(events[3]["args"]["unit"] == "function");
}

TEST_CASE("time_trace: threads with contexts of their own do not meet", "[instrument][time_trace]") {
    const auto work = [](std::size_t& traced) {
        time_trace trace;
        tutti::instrument::verify check;
        tutti::instrument::measured checked{check, trace};
        std::size_t printed = 0;
        tutti::instrument::print_changed print{{}, [&](std::string_view) { ++printed; }};
        tutti::instrument::bisect_limit<> limit;
        tutti::runtime::pass_context<plan> ctx{{.instruments = {checked, print, limit, trace}}};
        for (int i = 0; i < 20; ++i) {
            plan p{{"scan"}};
            tutti::with(ctx, [&](auto& scope) { scope.run(all, p); });
        }
        traced = printed + limit.count();
    };
    std::size_t counts[2] = {};
    std::thread other{[&] { work(counts[0]); }};
    work(counts[1]);
    other.join();
    CHECK(counts[0] == 80);
    CHECK(counts[1] == 80);
}
