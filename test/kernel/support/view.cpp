#include <tutti/kernel/support/view.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;

namespace {

constexpr bool strides_are_the_products_of_what_follows() {
    const std::array<std::int64_t, 3> shape{2, 3, 4};
    const kernel::extents strides = kernel::row_major_strides(shape);
    const kernel::axis_split middle = kernel::split_at(shape, 1);
    return strides.size() == 3 && strides[0] == 12 && strides[1] == 4 && strides[2] == 1 && middle.outer == 2 &&
           middle.length == 3 && middle.inner == 4;
}

constexpr bool views_read_and_write_a_tensor() {
    kernel::tensor t({2, 2}, {1, 2, 3, 4});
    const kernel::view<int> writable = kernel::mutable_view_of<int>(t);
    writable.data[3] = 40;
    const kernel::view<const int> readable = writable;
    return readable.size() == 4 && readable.rank() == 2 && readable.elements()[3] == 40 &&
           kernel::view_of<int>(t).data == readable.data;
}

} // namespace

TEST_CASE("view: strides and splits follow from the shape", "[kernel][view]") {
    static_assert(strides_are_the_products_of_what_follows());
    CHECK(strides_are_the_products_of_what_follows());
    CHECK(kernel::row_major_strides({}).size() == 0);
}

TEST_CASE("view: shapes without elements may be of any size", "[kernel][view]") {
    constexpr std::int64_t large = std::int64_t{1} << 40;
    const std::array<std::int64_t, 4> shape{large, large, 0, large};
    CHECK(kernel::element_count(shape) == 0);
    CHECK(kernel::row_major_strides(shape)[2] == large);
    CHECK(kernel::row_major_strides(std::array<std::int64_t, 3>{0, large, large}).size() ==
          3); // wraps without overflow
}

TEST_CASE("view: shapes are the same if all sizes are", "[kernel][view]") {
    using shape = std::vector<std::int64_t>;
    CHECK(kernel::same_shape(shape{2, 3}, kernel::extents(shape{2, 3})));
    CHECK(kernel::same_shape({}, shape{}));
    CHECK_FALSE(kernel::same_shape(shape{2, 3}, shape{2, 4}));
    CHECK_FALSE(kernel::same_shape(shape{2, 3}, shape{2}));
}

TEST_CASE("view: reads and writes a tensor's elements", "[kernel][view]") {
    static_assert(views_read_and_write_a_tensor());
    CHECK(views_read_and_write_a_tensor());
}

TEST_CASE("view: extents are a contiguous range of the given length", "[kernel][view]") {
    kernel::extents e(std::vector<std::int64_t>{5, 6});
    e.push_back(7);
    CHECK(std::vector<std::int64_t>(e.begin(), e.end()) == std::vector<std::int64_t>{5, 6, 7});
    CHECK(std::span<const std::int64_t>(e).size() == 3);
    CHECK(kernel::extents(kernel::max_rank, 1).size() == kernel::max_rank);
}
