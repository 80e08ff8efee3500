#include <tutti/relay/eval/memory_plan.hpp>

#include "support/catch.hpp"

namespace eval = tutti::relay::detail;
using eval::buffer;

TEST_CASE("memory_plan: branches of a fork are live at the same time", "[relay][eval]") {
    constexpr eval::branch_place one{1, 0}, two{1, 1}, both{1, eval::branch_place::several}, next{2, 2}, none{};
    const auto meets = [](eval::branch_place ends, eval::branch_place begins) {
        const buffer earlier{.bytes = 1, .first = 0, .last = 3, .begins = {}, .ends = ends};
        const buffer later{.bytes = 1, .first = 4, .last = 5, .begins = begins, .ends = {}};
        CHECK(overlap(earlier, later) == overlap(later, earlier));
        return overlap(earlier, later);
    };
    CHECK(meets(one, two));
    CHECK(meets(both, two));
    CHECK_FALSE(meets(one, one));
    CHECK_FALSE(meets(one, next));
    CHECK_FALSE(meets(one, none));
    CHECK_FALSE(meets(none, two));
    CHECK_FALSE(meets(none, none));
}

TEST_CASE("memory_plan: the results of a call have consecutive numbers", "[relay][eval]") {
    eval::memory_plan plan;
    CHECK(plan.result(0, 0) == buffer::none);
    plan.first_result = {0, buffer::none, 2};
    CHECK(plan.result(0, 1) == 1);
    CHECK(plan.result(1, 0) == buffer::none);
    CHECK(plan.result(2, 0) == 2);
    plan.pieces = {64, 128};
    CHECK(plan.bytes() == 192);
}
