#include <tutti/kernel/sparse.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::difference;
using test::error_of;

namespace {

std::array<tensor, 2> reshaped(const tensor& indices, const tensor& shape, const tensor& wanted) {
    std::array<tensor, 2> out;
    kernel::sparse_reshape(indices, shape, wanted, out[0], out[1]);
    return out;
}

std::array<tensor, 3> filled(const tensor& indices, const tensor& values, const tensor& shape) {
    std::array<tensor, 3> out;
    kernel::sparse_fill_empty_rows(indices, values, shape, 4.0, {&out[0], &out[1], &out[2]});
    return out;
}

constexpr bool reshapes_in_constant_evaluation() {
    tensor out, shape;
    kernel::sparse_reshape(tensor({1, 2}, {1, 2}), tensor({2}, {2, 3}), tensor({1}, {-1}), out, shape);
    return out.elements<int>()[0] == 5 && shape.elements<int>()[0] == 6;
}

} // namespace

TEST_CASE("sparse: reshapes in constant evaluation", "[kernel][sparse]") {
    static_assert(reshapes_in_constant_evaluation());
    CHECK(reshapes_in_constant_evaluation());
}

TEST_CASE("sparse: sparse_reshape says the same places in another shape", "[kernel][sparse]") {
    const tensor indices({5, 3}, {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 2, 3});
    const auto all = reshaped(indices, tensor({3}, {2, 3, 6}), tensor({2}, {9, -1}));
    CHECK(difference(all[0], {5, 2}, {0, 0, 0, 1, 1, 2, 4, 2, 8, 1}, 0) == "");
    CHECK(difference(all[1], {2}, {9, 4}, 0) == "");
    CHECK(difference(reshaped(tensor(dtype::int64, {0, 1}), tensor({1}, {0}), tensor({2}, {3, 0}))[0], {0, 2}, {}, 0) ==
          "");
    const auto said = [&](std::vector<int> shape, std::vector<int> wanted) {
        tensor s(dtype::int32, {static_cast<std::int64_t>(shape.size())});
        tensor w(dtype::int32, {static_cast<std::int64_t>(wanted.size())});
        std::copy(shape.begin(), shape.end(), s.mutable_elements<int>().begin());
        std::copy(wanted.begin(), wanted.end(), w.mutable_elements<int>().begin());
        return error_of([&] { reshaped(indices, s, w); });
    };
    CHECK(said({2, 3, 6}, {5, -1}) ==
          "kernel::sparse_reshape: the shape (2, 3, 6) as (5, -1); expected the same number of elements, fewer than "
          "2^48");
    CHECK(said({2, 3, 6}, {-1, -1}).ends_with("fewer than 2^48"));
    CHECK(said({2, 3, 6}, {0, -1}).ends_with("fewer than 2^48"));
    CHECK(said({2, 3, 6}, {37}).ends_with("fewer than 2^48"));
    CHECK(said({2, 18}, {36}).ends_with("a column for each axis"));
    const tensor beyond({2, 2}, {0, 5, 0, -1});
    CHECK(difference(reshaped(beyond, tensor({2}, {2, 3}), tensor({2}, {3, 2}))[0], {2, 2}, {2, 1, -1, 1}, 0) == "");
    CHECK(difference(reshaped(beyond, tensor({2}, {2, 3}), tensor({2}, {2, 3}))[0], {2, 2}, {0, 5, 0, -1}, 0) == "");
    CHECK(said({0, 3, 3}, {0}).ends_with("no indices into an empty shape"));
}

TEST_CASE("sparse: sparse_fill_empty_rows gives each row an element", "[kernel][sparse]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        const std::int64_t rows = random.integer(0, 5);
        const std::int64_t n = rows == 0 ? 0 : random.integer(0, 6);
        tensor indices(dtype::int32, {n, 2});
        for (std::int64_t i = 0; i < n; ++i) {
            indices.mutable_data<std::int32_t>()[2 * i] = static_cast<std::int32_t>(random.integer(0, rows - 1));
            indices.mutable_data<std::int32_t>()[2 * i + 1] = static_cast<std::int32_t>(random.integer(0, 9));
        }
        const tensor values = test::any_data(random, dtype::int32, {n});
        const std::vector<double> at = test::values(indices), v = test::values(values);
        std::vector<double> places, all, empty;
        for (std::int64_t row = 0; row < rows; ++row) {
            bool none = true;
            for (std::size_t i = 0; i < v.size(); ++i) {
                if (at[2 * i] != static_cast<double>(row)) continue;
                none = false;
                places.insert(places.end(), {at[2 * i], at[2 * i + 1]});
                all.push_back(v[i]);
            }
            if (none) {
                places.insert(places.end(), {static_cast<double>(row), 0});
                all.push_back(4);
            }
            empty.push_back(none ? 1 : 0);
        }
        const auto made = filled(indices, values, tensor({2}, {static_cast<int>(rows), 10}));
        const auto count = static_cast<std::int64_t>(all.size());
        CHECK(made[0].type() == dtype::int64);
        CHECK(difference(made[0], {count, 2}, places, 0) == "");
        CHECK(difference(made[1], {count}, all, 0) == "");
        CHECK(difference(made[2], {rows}, empty, 0) == "");
    }
    const tensor one({1, 2}, {3, 0});
    CHECK(error_of([&] { filled(one, tensor({1}, {7}), tensor({2}, {3, 1})); }) ==
          "kernel::sparse_fill_empty_rows: row 3 of the shape (3, 1); expected 0 to 2");
    CHECK(error_of([&] {
              filled(one, tensor({2}, {7, 7}), tensor({2}, {3, 1}));
          }).ends_with("a row of indices for each value"));
    CHECK(error_of([&] { filled(one, tensor({1}, {7}), tensor({1}, {3})); }).ends_with("a column for each axis"));
}
