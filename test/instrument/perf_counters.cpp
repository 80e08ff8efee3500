#include <tutti/instrument/perf_counters.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <vector>

using namespace tutti::instrument;

namespace {

// Counters that passes advance manually; cycles are not counted.
struct by_hand {
    static inline std::int64_t instructions = 0;
    std::string none{}, why = "not today";
    const std::string& missing(perf_event event) const { return event == perf_event::cycles ? why : none; }
    std::int64_t read(perf_event event) const { return event == perf_event::instructions ? instructions : 7; }
};

constexpr auto ten = tutti::make_pass<"Ten">([](plan&) { by_hand::instructions += 10; });
constexpr auto both = tutti::make_pass<"Both">([](plan& p, auto& ctx) {
    by_hand::instructions += 3;
    ctx.run(ten, p);
    by_hand::instructions += 4;
});
struct busy {
    void run_before_pass(const auto&, const tutti::pass_info&) { by_hand::instructions += 1000; }
    void run_after_pass(const auto&, const tutti::pass_info&) { by_hand::instructions += 1000; }
};

} // namespace

TEMPLATE_TEST_CASE("perf_counters: counts passes, with and without those that they ran", "[instrument][perf_counters]",
                   static_layer, erased_layer) {
    basic_perf_counters<by_hand> counters;
    busy first, last;
    const auto counted = [&](auto& ctx) {
        plan p{{"scan"}};
        TestType::with(ctx, [&](auto& scope) {
            scope.run(both, p);
            CHECK_THROWS_AS(scope.run(tutti::sequential(ten, throw_it), p), tutti::error);
        });
        return counters.render();
    };
    const std::string expected = "Both: 17 [7] instructions, 0 [0] page faults\n"
                                 "\tTen: 10 [10] instructions, 0 [0] page faults\n"
                                 "sequential: 10 [0] instructions, 0 [0] page faults\n"
                                 "\tTen: 10 [10] instructions, 0 [0] page faults\n"
                                 "\tThrowIt: 0 [0] instructions, 0 [0] page faults\n"
                                 "cycles: not counted: not today\n";
    auto alone = TestType::template context<plan>({}, counters);
    CHECK(counted(alone) == expected);
    auto among = TestType::template context<plan>({}, first, counters, last);
    CHECK(counted(among) == expected);
    CHECK(counters.entries()[0].inclusive[1] == -1);
}

TEST_CASE("perf_counters: counts the available events, and reports the others", "[instrument][perf_counters]") {
    perf_counters counters;
    tutti::pass_context ctx{tutti::instruments(counters)};
    plan p;
    const auto works = tutti::make_pass<"Works">([](plan& q) {
        q.steps.assign(100000, "step");
        std::vector<char> fresh(std::size_t{1} << 26, 'x'); // larger than any block that the allocator keeps
        q.steps.front()[0] = fresh.back();
    });
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(works, add_sort), p); });
    REQUIRE(counters.entries().size() == 3);
    for (std::size_t i = 0; i < perf_event_count; ++i) {
        const auto event = static_cast<perf_event>(i);
        const auto& all = counters.entries()[0];
        if (counters.missing(event).empty()) {
            CHECK(all.inclusive[i] >= counters.entries()[1].inclusive[i] + counters.entries()[2].inclusive[i]);
            CHECK(all.self[i] >= 0);
            CHECK(counters.entries()[1].inclusive[i] > (event == perf_event::page_faults ? 0 : 100000));
        } else {
            CHECK(all.inclusive[i] == -1);
            CHECK(counters.render().find(std::string{to_string(event)} + ": not counted: ") != std::string::npos);
        }
    }
}
