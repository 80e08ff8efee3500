#include <tutti/kernel/diagonal.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using kernel::triangle;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool cuts_in_constant_evaluation() {
    tensor out;
    kernel::trilu(tensor({2, 2}, {1, 2, 3, 4}), 0, triangle::lower, out);
    return out.elements<int>()[1] == 0 && out.elements<int>()[2] == 3;
}

} // namespace

TEST_CASE("diagonal: cuts in constant evaluation", "[kernel][diagonal]") {
    static_assert(cuts_in_constant_evaluation());
    CHECK(cuts_in_constant_evaluation());
}

TEST_CASE("diagonal: trilu keeps one side of a diagonal", "[kernel][diagonal]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t shape = test::any_shape(random, 4, 2);
        const tensor t = test::any_data(random, shape);
        const test::elements_of x(t);
        const std::int64_t k = round % 10 == 0   ? std::numeric_limits<std::int64_t>::max()
                               : round % 10 == 1 ? std::numeric_limits<std::int64_t>::min()
                                                 : random.integer(-6, 6);
        const auto part = random.integer(0, 1) == 0 ? triangle::upper : triangle::lower;
        INFO(kernel::text(t) << ", diagonal " << k);
        CHECK(test::difference_from(made(kernel::trilu, t, k, part), t.type(), shape, [&](const shape_t& index) {
                  const std::int64_t from_main = index.back() - index[index.size() - 2];
                  return (part == triangle::upper ? from_main >= k : from_main <= k) ? x(index) : 0;
              }) == "");
    }
    CHECK(error_of([] { made(kernel::trilu, tensor(dtype::int8, {2}), 0, triangle::upper); }) ==
          "kernel::trilu: data is (2,) int8; expected matrices");
}

TEST_CASE("diagonal: matrix_set_diag replaces diagonals", "[kernel][diagonal]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t shape = test::any_shape(random, 1);
        const std::int64_t rows = random.integer(1, 5);
        const std::int64_t columns = random.integer(1, 5);
        shape_t wanted = shape;
        shape.insert(shape.end(), {rows, columns});
        kernel::diagonal_band band;
        band.first = random.integer(1 - rows, columns - 1);
        band.last = random.integer(band.first, columns - 1);
        band.right_aligned_above = random.integer(0, 1) == 0;
        band.right_aligned_below = random.integer(0, 1) == 0;
        const std::int64_t longest =
            std::min(rows + std::min<std::int64_t>(band.last, 0), columns - std::max<std::int64_t>(band.first, 0));
        if (band.first != band.last) wanted.push_back(band.last - band.first + 1);
        wanted.push_back(longest);
        const dtype type = test::any_dtype(random);
        const tensor data = test::any_data(random, type, shape);
        const tensor diagonals = test::any_data(random, type, wanted);
        const test::elements_of x(data);
        const test::elements_of d(diagonals);
        INFO(kernel::text(data) << ", diagonals " << band.first << " to " << band.last);
        CHECK(test::difference_from(
                  made(kernel::matrix_set_diag, data, diagonals, band), type, shape, [&](const shape_t& index) {
                      const std::int64_t row = index[index.size() - 2];
                      const std::int64_t column = index.back();
                      const std::int64_t k = column - row;
                      if (k < band.first || k > band.last) return x(index);
                      shape_t at(index.begin(), index.end() - 2);
                      if (band.first != band.last) at.push_back(band.last - k);
                      const std::int64_t length = k < 0 ? std::min(rows + k, columns) : std::min(rows, columns - k);
                      const bool right = k < 0 ? band.right_aligned_below : band.right_aligned_above;
                      const bool moved = band.first != band.last && right;
                      at.push_back(std::min(row, column) + (moved ? longest - length : 0));
                      return d(at);
                  }) == "");
    }
    const tensor square(dtype::int8, {2, 2});
    CHECK(
        error_of([&] { made(kernel::matrix_set_diag, square, square, kernel::diagonal_band{}); }) ==
        "kernel::matrix_set_diag: the diagonals are (2, 2) int8 for data (2, 2) int8; expected the data's element type "
        "and the shape (2,)");
    CHECK(error_of([&] {
              made(kernel::matrix_set_diag, square, square, kernel::diagonal_band{.first = -2, .last = 0});
          }).ends_with("a range of diagonals that the matrices have"));
    CHECK(error_of([&] {
              made(kernel::matrix_set_diag, square, square,
                   kernel::diagonal_band{.first = 0, .last = std::numeric_limits<std::int64_t>::max()});
          }).ends_with("a range of diagonals that the matrices have"));
}
