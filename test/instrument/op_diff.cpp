#include <tutti/instrument/op_diff.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"

using tutti::instrument::op_diff;

TEST_CASE("op_diff: shows the operators that each pass adds and removes, nested like the passes",
          "[instrument][op_diff]") {
    op_diff diff;
    tutti::pass_context ctx{tutti::instruments(diff)};
    plan p{{"scan", "scan", "filter"}};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential<"Outer">(drop_first, add_sort, tutti::make_pass<"Nothing">([](plan&) {}), add_sort),
                  p);
    });
    CHECK(diff.render() == "Outer: -1 scan, +2 sort\n\tDropFirst: -1 scan\n\tAddSort: +1 sort\n\tAddSort: +1 sort\n");
    REQUIRE(diff.changes().size() == 5);
    CHECK(diff.changes()[3].counts.empty());
    CHECK(diff.changes()[4].depth == 1);

    tutti::with(ctx, [&](auto& scope) { scope.run(add_sort, p); });
    CHECK(diff.render() == "AddSort: +1 sort\n");
}

TEST_CASE("op_diff: stays right after a pass that failed", "[instrument][op_diff]") {
    op_diff diff;
    plan p{{"scan"}};
    tutti::with(tutti::pass_context{tutti::instruments(diff)}, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(add_sort, throw_it), p), tutti::error);
        scope.run(drop_first, p);
    });
    CHECK(diff.render() == "\tAddSort: +1 sort\nDropFirst: -1 scan\n");
}

namespace {
// A `query` has no operator counts, but its parts do. A `noted_plan` has operator counts, but its parts do not.
struct query {
    std::vector<plan> plans{};
};
struct note {
    int n = 0;
};
struct noted_plan {
    note notes[2]{};
    int steps = 0;
};
} // namespace

template <>
struct tutti::unit_traits<query> {
    static std::vector<plan>& parts(query& q) { return q.plans; }
};
template <>
struct tutti::unit_traits<noted_plan> {
    static auto& parts(noted_plan& p) { return p.notes; }
    static operator_counts count_operators(const noted_plan& p) { return {{"step", p.steps}}; }
};

TEST_CASE("op_diff: tells of passes over those levels that can be counted", "[instrument][op_diff]") {
    op_diff diff;
    tutti::pass_context ctx{tutti::instruments(diff)};
    query q{{{{"scan"}}, {{"filter"}}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::each<plan>(add_sort, drop_first)), q); });
    CHECK(diff.render() == "sequential: -1 scan, +1 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 scan\n"
                           "sequential: -1 filter, +1 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 filter\n");

    noted_plan p;
    const auto counts = tutti::make_pass<"Counts">([](note& n) { ++n.n; });
    const auto steps = tutti::make_pass<"Steps">([](noted_plan& all) { ++all.steps; });
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::each<note>(counts), steps), p); });
    CHECK(p.notes[1].n == 1);
    CHECK(diff.render() == "sequential: +1 step\n\tSteps: +1 step\n");
}
