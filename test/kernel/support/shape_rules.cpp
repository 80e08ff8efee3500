#include <tutti/kernel/support/shape_rules.hpp>

#include <tutti/kernel/support/view.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

// These tests use known sizes. The operator tests cover unknown sizes.

using namespace tutti::kernel;

namespace {

constexpr extents list(std::initializer_list<std::int64_t> values) {
    return {std::span<const std::int64_t>(values.begin(), values.size())};
}
constexpr bool same(const extents& shape, std::initializer_list<std::int64_t> values) {
    return same_shape(shape, list(values));
}

constexpr bool broadcasts(const extents& a, const extents& b, std::initializer_list<std::int64_t> wanted) {
    extents shape;
    return append_broadcast(shape, a, b) && same(shape, wanted);
}

constexpr bool counts_windows() {
    return window_reach<std::int64_t>(3, 2) == 5 && window_places<std::int64_t>(4, 2, false) == 3 &&
           window_places<std::int64_t>(5, 2, false) == 3 && window_places<std::int64_t>(5, 2, true) == 4 &&
           windows_reach<std::int64_t>(3, 2, 5) == 9 && scaled_size(7, 1.5) == 11 && scaled_size(3, 0.1) == 0 &&
           scaled_size(largest_size, 2) == largest_size;
}

constexpr bool changes_axes() {
    const std::array<bool, 3> gone{true, false, true};
    return same(with_axes<extents>(list({2, 3}), 1, 2, 7), {2, 7, 7, 3}) &&
           same(with_axes<extents>(list({}), 0, 1, 7), {7}) &&
           same(without_axes<extents>(list({1, 2, 3}), gone, false), {2}) &&
           same(without_axes<extents>(list({4, 2, 3}), gone, true), {1, 2, 1}) &&
           same(with_replaced_axes<extents>(list({1, 2, 3}), {1, 2}, list({7, 8, 9}), {1, 3}), {1, 8, 9, 3}) &&
           size_aligned(list({5}), 0, 2) == 1 && size_aligned(list({5}), 1, 2) == 5;
}

constexpr index_slice sliced(std::int64_t size, std::optional<std::int64_t> begin, std::optional<std::int64_t> end,
                             std::optional<std::int64_t> step, slice_end mode = slice_end::place) {
    return slice_of(size, begin, end, step, mode);
}

constexpr bool slices() {
    return sliced(7, {}, {}, {}).length == 7 && sliced(7, 1, -1, 2).length == 3 && sliced(7, -3, 99, {}).begin == 4 &&
           sliced(7, {}, {}, -1).length == 6 && sliced(7, 5, 2, -2).length == 2 && sliced(7, 5, 2, 1).length == -1 &&
           sliced(7, 2, 3, 5, slice_end::size).length == 3 && sliced(7, 2, -1, {}, slice_end::size).length == 5;
}

constexpr bool moves_blocks() {
    const extents block = list({2, 3});
    extents shape = list({2, 3, 6, 5});
    const auto one = [](std::size_t i) { return i == 0 ? std::int64_t{1} : std::int64_t{0}; };
    if (move_blocks_to_batch(shape, block, one) != 0 || !same(shape, {12, 2, 2, 5})) return false;
    if (move_blocks_from_batch(shape, block, one) != 0 || !same(shape, {2, 3, 6, 5})) return false;
    return move_blocks_to_batch(shape, block, [](std::size_t) { return std::int64_t{1}; }) == 2 && shape[2] == 7;
}

} // namespace

TEST_CASE("shape_rules: windows slide", "[kernel][shape_rules]") {
    static_assert(counts_windows());
    CHECK(counts_windows());
}

TEST_CASE("shape_rules: shapes are broadcast together", "[kernel][shape_rules]") {
    static_assert(broadcasts(list({8, 1, 6, 1}), list({7, 1, 5}), {8, 7, 6, 5}));
    CHECK(broadcasts(list({}), list({2, 3}), {2, 3}));
    CHECK(broadcasts(list({2, 3}), list({}), {2, 3}));
    CHECK_FALSE(broadcasts(list({2}), list({3}), {3}));
    static_assert(stretches(list({3, 1}), list({2, 3, 4})) && !stretches(list({3}), list({1})));
    CHECK_FALSE(stretches(list({1, 1}), list({5})));
}

TEST_CASE("shape_rules: axes come and go", "[kernel][shape_rules]") {
    static_assert(changes_axes());
    CHECK(changes_axes());
    const auto times = [](std::int64_t size, std::int64_t count) { return size * count; };
    CHECK(same(tiled<extents>(list({2, 3}), list({4}), times), {2, 12}));
    CHECK(same(tiled<extents>(list({3}), list({4, 2}), times), {4, 6}));
}

TEST_CASE("shape_rules: slices take every n-th index", "[kernel][shape_rules]") {
    static_assert(slices());
    CHECK(slices());
}

TEST_CASE("shape_rules: blocks move to the batch and back", "[kernel][shape_rules]") {
    static_assert(moves_blocks());
    CHECK(moves_blocks());
    extents shape = list({4, 2});
    CHECK(move_blocks_from_batch(shape, list({2}), [](std::size_t) { return std::int64_t{5}; }) == 1);
}
