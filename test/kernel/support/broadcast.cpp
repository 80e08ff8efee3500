#include <tutti/kernel/support/broadcast.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using shape = std::vector<std::int64_t>;

namespace {

constexpr bool gives(const shape& a, const shape& b, const shape& expected) {
    const auto ab = kernel::broadcast_shape(a, b);
    const auto ba = kernel::broadcast_shape(b, a);
    return ab && ba && std::ranges::equal(*ab, expected) && std::ranges::equal(*ba, expected);
}

static_assert(gives({2, 3}, {3}, {2, 3}));

} // namespace

TEST_CASE("broadcast: aligns shapes at the last axis and stretches ones", "[kernel][broadcast]") {
    CHECK(gives({}, {}, {}));
    CHECK(gives({}, {2, 3}, {2, 3}));
    CHECK(gives({2, 3}, {2, 3}, {2, 3}));
    CHECK(gives({8, 1, 6, 1}, {7, 1, 5}, {8, 7, 6, 5}));
    CHECK(gives({1, 64, 56, 56}, {64, 1, 1}, {1, 64, 56, 56}));
    CHECK(gives({0, 3}, {1, 3}, {0, 3}));
    CHECK(gives({1}, {0}, {0}));
}

TEST_CASE("broadcast: shapes that do not fit have no common shape", "[kernel][broadcast]") {
    CHECK_FALSE(kernel::broadcast_shape(shape{2}, shape{3}));
    CHECK_FALSE(kernel::broadcast_shape(shape{2, 3}, shape{2, 1, 2}));
    CHECK_FALSE(kernel::broadcast_shape(shape{0}, shape{2}));
}

TEST_CASE("broadcast: a stretched axis is read with stride 0", "[kernel][broadcast]") {
    const kernel::extents strides = kernel::broadcast_strides(shape{3, 1, 4}, shape{2, 3, 5, 4});
    CHECK(std::ranges::equal(strides, shape{0, 4, 0, 1}));
    CHECK(std::ranges::equal(kernel::broadcast_strides(shape{}, shape{2, 2}), shape{0, 0}));
}
