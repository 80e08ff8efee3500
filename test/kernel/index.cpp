#include <tutti/kernel/index.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::number;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool indexes_in_constant_evaluation() {
    const tensor indices({3}, {2, 0, 5});
    tensor out;
    kernel::one_hot(indices, 1.0, 0.0, 3, -1, dtype::float32, out);
    const auto x = out.elements<float>();
    if (x[2] != 1 || x[3] != 1 || x[0] + x[1] + x[4] + x[5] + x[6] + x[7] + x[8] != 0) return false;
    const std::int64_t shape[]{4};
    kernel::sparse_to_dense(indices, tensor({3}, {7, 8, 9}), std::int64_t{-1}, shape, out);
    const auto y = out.elements<int>();
    return y[0] == 8 && y[1] == -1 && y[2] == 7 && y[3] == -1;
}

tensor hot(const tensor& indices, std::int64_t depth, std::int64_t axis, dtype type, double on = 1, double off = 0) {
    return made(kernel::one_hot, indices, number(on), number(off), depth, axis, type);
}
tensor dense(const tensor& indices, const tensor& values, const shape_t& shape, double standard = 0) {
    return made(kernel::sparse_to_dense, indices, values, number(standard), shape);
}

/// Returns random integers from low to high, as int8 or int64.
tensor any_indices(test::random_source& random, const shape_t& shape, std::int64_t low, std::int64_t high) {
    tensor t(random.integer(0, 1) == 0 ? dtype::int8 : dtype::int64, shape);
    if (t.type() == dtype::int8)
        for (auto& x : t.mutable_elements<std::int8_t>()) x = static_cast<std::int8_t>(random.integer(low, high));
    else
        for (auto& x : t.mutable_elements<std::int64_t>()) x = random.integer(low, high);
    return t;
}

} // namespace

TEST_CASE("index: puts elements in constant evaluation", "[kernel][index]") {
    static_assert(indexes_in_constant_evaluation());
    CHECK(indexes_in_constant_evaluation());
}

TEST_CASE("index: one_hot is on at the index alone", "[kernel][index]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t own = test::any_shape(random, 3);
        const std::int64_t depth = random.integer(0, 6);
        const tensor indices = any_indices(random, own, -2, depth + 1);
        const test::elements_of x(indices);
        const std::int64_t axis = test::any_axis(random, own.size() + 1);
        const std::size_t at = test::place(axis, own.size() + 1);
        shape_t shape = own;
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), depth);
        const dtype type = test::any_dtype(random);
        const double on = random.integer(0, 1) == 0 ? 1 : 0;
        INFO("indices " << kernel::text(indices) << ", depth " << depth << ", axis " << axis << ", "
                        << kernel::name(type));
        CHECK(test::difference_from(hot(indices, depth, axis, type, on, 1 - on), type, shape, [&](shape_t index) {
                  const auto i = static_cast<double>(index[at]);
                  index.erase(index.begin() + static_cast<std::ptrdiff_t>(at));
                  return x(index) == i ? on : 1 - on;
              }) == "");
    }
    tensor many(dtype::int32, {1000}); // more than the kernel buffers between writes
    for (std::size_t i = 0; i < 1000; ++i) many.mutable_elements<std::int32_t>()[i] = static_cast<std::int32_t>(i % 3);
    CHECK(test::difference_from(hot(many, 3, 0, dtype::int8, 5, -5), dtype::int8, {3, 1000},
                                [](const shape_t& index) { return index[1] % 3 == index[0] ? 5.0 : -5.0; }) == "");
}

TEST_CASE("index: one_hot refuses invalid indices", "[kernel][index]") {
    const tensor indices(dtype::int32, {2});
    CHECK(error_of([&] { hot(tensor(dtype::float32, {2}), 3, 0, dtype::int8); }) ==
          "kernel::one_hot: indices are (2,) float32; expected integers");
    CHECK(error_of([&] { hot(indices, -1, 0, dtype::int8); }) ==
          "kernel::one_hot: a depth of -1 of int8 for indices (2,) int32; expected a non-negative depth, an element "
          "type and a result of rank at most 32");
    CHECK(error_of([&] {
              hot(indices, 3, 0, dtype::none);
          }).ends_with("expected a non-negative depth, an element type and a result of rank at most 32"));
    CHECK(error_of([&] { hot(indices, 3, 2, dtype::int8); }) ==
          "kernel::one_hot: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    CHECK(error_of([&] {
              hot(indices, std::int64_t{1} << 47, 0, dtype::int8);
          }).ends_with("expected fewer than 2^48 elements"));
}

TEST_CASE("index: sparse_to_dense puts values at places", "[kernel][index]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        const shape_t shape = test::any_shape(random, 3, 1);
        const std::size_t rank = shape.size();
        const std::int64_t count = random.integer(0, 5);
        shape_t own{count, static_cast<std::int64_t>(rank)};
        if (rank == 1 && random.integer(0, 1) == 0) own.pop_back();
        if (own.size() == 1 && random.integer(0, 1) == 0) own.pop_back();
        const std::int64_t rows = own.empty() ? 1 : own[0];
        const tensor indices = any_indices(random, own, -1, 5);
        const bool one = random.integer(0, 1) == 0;
        const tensor values = test::any_data(random, one ? shape_t{} : shape_t{rows});
        const std::vector<double> at = test::values(indices);
        const std::vector<double> x = test::values(values);
        INFO("indices " << kernel::text(indices) << ", values " << kernel::text(values) << ", shape "
                        << kernel::text(shape));
        CHECK(test::difference_from(dense(indices, values, shape, 1), values.type(), shape, [&](const shape_t& index) {
                  double found = 1;
                  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
                      bool here = true;
                      for (std::size_t d = 0; d < rank; ++d)
                          here = here && at[i * rank + d] == static_cast<double>(index[d]);
                      if (here) found = x[one ? 0 : i];
                  }
                  return found;
              }) == "");
    }
}

TEST_CASE("index: sparse_to_dense into rank 0 takes the last value at once, however many rows there are",
          "[kernel][index]") {
    CHECK(test::difference(dense(tensor(dtype::int8, {3, 0}), tensor({3}, {4, 5, 6}), {}, 1), {}, {6}, 0) == "");
    CHECK(test::difference(dense(tensor(dtype::int8, {0, 0}), tensor::scalar(4), {}, 1), {}, {1}, 0) == "");
    CHECK(test::difference(dense(tensor(dtype::int8, {std::int64_t{1} << 55, 0}), tensor::scalar(4), {}, 1), {}, {4},
                           0) == "");
}

TEST_CASE("index: sparse_to_dense refuses mismatched operands", "[kernel][index]") {
    const tensor rows(dtype::int32, {3, 2});
    const std::string expected = "; expected one value, or one for each row of indices";
    CHECK(error_of([&] { dense(rows, tensor(dtype::int8, {2}), {4, 4}); }) ==
          "kernel::sparse_to_dense: a tensor of indices is (3, 2) int32 and the values is (2,) int8" + expected);
    CHECK(error_of([&] { dense(rows, tensor(dtype::int8, {3, 1}), {4, 4}); }).ends_with(expected));
    CHECK(error_of([&] { dense(tensor(dtype::int32, {1, 1, 1}), tensor::scalar(1), {4}); }).ends_with(expected));
    CHECK(error_of([&] { dense(rows, tensor::scalar(1), {4}); }) ==
          "kernel::sparse_to_dense: indices (3, 2) int32 for the shape (4,); expected one index per axis in each row");
    CHECK(error_of([&] {
              dense(tensor(dtype::float64, {3, 2}), tensor::scalar(1), {4, 4});
          }).ends_with("expected integers"));
    CHECK(error_of([&] { dense(rows, tensor::scalar(1), {4, -4}); }).ends_with("non-negative sizes"));
}

TEST_CASE("index: argwhere returns the indices of nonzero elements", "[kernel][index]") {
    const tensor t({2, 3}, {0.F, 1.F, 0.F, -2.F, 0.F, 0.5F});
    tensor out;
    kernel::argwhere(t, dtype::int32, out);
    CHECK(test::difference(out, {3, 2}, {0, 1, 1, 0, 1, 2}, 0) == "");
    kernel::argwhere(tensor(dtype::int8, {2, 0}), dtype::int64, out);
    CHECK(test::difference(out, {0, 2}, {}, 0) == "");
    kernel::argwhere(tensor::scalar(true), dtype::int32, out);
    CHECK(test::difference(out, {1, 0}, {}, 0) == "");
    CHECK_THROWS(kernel::argwhere(t, dtype::none, out));
}
