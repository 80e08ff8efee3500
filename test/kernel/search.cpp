#include <tutti/kernel/search.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::search_side;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool searches_in_constant_evaluation() {
    tensor out;
    kernel::searchsorted(tensor({3}, {1, 3, 5}), tensor({2}, {3, 9}), search_side::left, dtype::int32, out);
    return out.elements<int>()[0] == 1 && out.elements<int>()[1] == 3;
}

} // namespace

TEST_CASE("search: searches in constant evaluation", "[kernel][search]") {
    static_assert(searches_in_constant_evaluation());
    CHECK(searches_in_constant_evaluation());
}

TEST_CASE("search: searchsorted finds where values keep a row in order", "[kernel][search]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        const dtype type = test::any_number_dtype(random);
        shape_t shape = test::any_shape(random, 3, 1);
        shape_t rows = random.integer(0, 1) == 0 ? shape_t{shape.back()} : shape;
        rows.back() = random.integer(0, 6);
        tensor sorted = test::any_data(random, type, rows);
        kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
            const auto all = sorted.mutable_elements<T>();
            for (std::int64_t i = 0; rows.back() != 0 && i < sorted.size(); i += rows.back())
                std::sort(all.begin() + i, all.begin() + i + rows.back(),
                          [](T a, T b) { return kernel::convert<double>(a) < kernel::convert<double>(b); });
        });
        const tensor values = test::any_data(random, type, shape);
        const auto side = random.integer(0, 1) == 0 ? search_side::left : search_side::right;
        const test::elements_of row(sorted);
        const test::elements_of x(values);
        CHECK(test::difference_from(
                  made(kernel::searchsorted, sorted, values, side, dtype::int64), dtype::int64, shape,
                  [&](const shape_t& index) {
                      double before = 0;
                      shape_t at = rows.size() == 1 ? shape_t{0} : index;
                      for (at.back() = 0; at.back() < rows.back(); ++at.back())
                          before += row(at) < x(index) || (side == search_side::right && row(at) == x(index)) ? 1 : 0;
                      return before;
                  }) == "");
    }
    const tensor two({2, 2}, {1, 2, 3, 4});
    CHECK(error_of([&] {
              made(kernel::searchsorted, two, tensor({2}, {1, 2}), search_side::left, dtype::int32);
          }).ends_with("rows of the same outer sizes, of one element type"));
    CHECK(error_of([&] { made(kernel::searchsorted, tensor::scalar(1), two, search_side::left, dtype::int32); }) != "");
    CHECK(error_of([&] { made(kernel::searchsorted, two, two, search_side::left, dtype::none); }) != "");
}

TEST_CASE("search: invert_permutation says where each number is", "[kernel][search]") {
    CHECK(test::difference(made(kernel::invert_permutation, tensor({4}, {3, 0, 1, 2})), {4}, {1, 2, 3, 0}, 0) == "");
    CHECK(test::difference(made(kernel::invert_permutation, tensor(dtype::int64, {0})), {0}, {}, 0) == "");
    CHECK(error_of([] { made(kernel::invert_permutation, tensor({2}, {0, 2})); }) ==
          "kernel::invert_permutation: element 1 is 2 of data (2,) int32; expected each number below the size, once");
    CHECK(error_of([] { made(kernel::invert_permutation, tensor({2}, {1, 1})); }).ends_with("once"));
    CHECK(error_of([] { made(kernel::invert_permutation, tensor({2}, {-1, 0})); }).ends_with("once"));
    CHECK(error_of([] { made(kernel::invert_permutation, tensor::scalar(0)); }).ends_with("expected a vector"));
    CHECK(error_of([] { made(kernel::invert_permutation, tensor({1}, {0.F})); }).ends_with("integers"));
}

TEST_CASE("search: unravel_index finds the indices of places", "[kernel][search]") {
    const tensor shape({2}, {7, 6});
    CHECK(test::difference(made(kernel::unravel_index, tensor({3}, {22, 41, 37}), shape), {2, 3}, {3, 6, 6, 4, 5, 1},
                           0) == "");
    CHECK(test::difference(made(kernel::unravel_index, tensor::scalar(22), shape), {2}, {3, 4}, 0) == "");
    CHECK(test::difference(made(kernel::unravel_index, tensor({2}, {-1, 42}), shape), {2, 2}, {6, 0, 5, 0}, 0) == "");
    CHECK(error_of([&] { made(kernel::unravel_index, tensor({1}, {1}), tensor({2}, {0, 3})); }) ==
          "kernel::unravel_index: a shape (0, 3); expected sizes of 1 or more");
    CHECK(error_of([&] { made(kernel::unravel_index, tensor({1, 1}, {1}), shape); }).ends_with("one number"));
    CHECK(error_of([&] { made(kernel::unravel_index, tensor({1}, {1.F}), shape); }).ends_with("integers"));
}
