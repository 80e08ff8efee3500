#include <tutti/instrument/op_diff.hpp>

#include <tutti/pass.hpp>

#include "catch.hpp"
#include "plan_unit.hpp"

using tutti::instrument::op_diff;

TEST_CASE("op_diff: shows what each pass adds and removes, nested as they ran", "[instrument][op_diff]") {
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
