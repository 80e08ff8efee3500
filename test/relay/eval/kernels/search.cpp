#include <tutti/relay/eval/kernels/search.hpp>

#include "support.hpp"

using test::difference;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::search_kernels<>;

} // namespace

TEST_CASE("kernels/search: places and permutations", "[relay][eval]") {
    const tensor sorted({3}, {1.F, 2.F, 2.F});
    const tensor wanted({2}, {2.F, 0.F});
    const test::call_row rows[]{
        {"searchsorted(%a, %b, right=False)", {sorted, wanted}, {2}, {1, 0}},
        {"searchsorted(%a, %b, right=True)", {sorted, wanted}, {2}, {3, 0}},
        {"invert_permutation(%a)", {tensor({3}, {2, 0, 1})}, {3}, {1, 2, 0}},
        {"unravel_index(%a, %b)", {tensor({2}, {5, 1}), tensor({2}, {2, 3})}, {2, 2}, {1, 0, 2, 1}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/search: unique sorts, and counts on request", "[relay][eval]") {
    const tensor x({4}, {3, 1, 3, 2});
    const auto all = test::computed(kernels, "unique(%a, sorted=True, return_counts=True)", {x});
    REQUIRE(all.size() == 5);
    CHECK(difference(all[0], {4}, {1, 2, 3, 0}, 0) == "");
    CHECK(difference(all[1], {4}, {1, 3, 0, 4}, 0) == "");
    CHECK(difference(all[4], {4}, {1, 1, 2, 0}, 0) == "");
    const auto some = test::computed(kernels, "unique(%a, sorted=False, return_counts=False)", {x});
    REQUIRE(some.size() == 4);
    CHECK(difference(some[0], {4}, {3, 1, 2, 0}, 0) == "");
    CHECK(difference(some[2], {4}, {0, 1, 0, 2}, 0) == "");
    CHECK(difference(some[3], {1}, {3}, 0) == "");
}
