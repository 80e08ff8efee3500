#include <tutti/kernel/dense.hpp>

#include <tutti/kernel/shape.hpp>

#include "convolvers.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::batch_matmul_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

tensor dense(const tensor& data, const tensor& weight, dtype out = dtype::none,
             kernel::convolver by = kernel::convolve_in_loops) {
    return test::made([&](tensor& to) { kernel::dense(data, weight, out, to, {}, by); });
}

tensor batch_matmul(const tensor& a, const tensor& b, const batch_matmul_options& options = {},
                    kernel::convolver by = kernel::convolve_in_loops) {
    return test::made([&](tensor& to) { kernel::batch_matmul(a, b, options, to, {}, by); });
}

template <class T>
void check(test::random_source& random, double range, double tolerance, dtype out = dtype::none) {
    const std::int64_t m = random.integer(0, random.integer(0, 3) == 0 ? 60 : 5);
    const std::int64_t k = random.integer(0, 70);
    const std::int64_t n = random.integer(0, 11);
    const tensor data = random.filled<T>({2, m, k}, -range, range);
    const tensor weight = random.filled<T>({n, k}, -range, range);
    const std::vector<double> x = test::values(data);
    const std::vector<double> w = test::values(weight);
    std::vector<double> expected;
    test::for_each_index({2 * m, n}, [&](const shape_t& at) {
        double sum = 0;
        for (std::int64_t i = 0; i < k; ++i)
            sum += x[static_cast<std::size_t>(at[0] * k + i)] * w[static_cast<std::size_t>(at[1] * k + i)];
        expected.push_back(sum);
    });
    INFO("data " << kernel::text(data) << ", weight " << kernel::text(weight));
    for (const auto by : test::convolvers)
        CHECK(test::difference(dense(data, weight, out, by), {2, m, n}, expected, tolerance) == "");
}

template <class T>
void check_batch(test::random_source& random, double range, double tolerance, dtype out = dtype::none) {
    const std::int64_t n = random.integer(0, 3);
    const std::int64_t i = random.integer(0, 20);
    const std::int64_t k = random.integer(0, 40);
    const std::int64_t j = random.integer(0, 70);
    const std::int64_t na = random.integer(0, 2) == 0 ? 1 : n;
    const std::int64_t nb = random.integer(0, 2) == 0 ? 1 : n;
    const batch_matmul_options o{random.integer(0, 1) == 0, random.integer(0, 1) == 0, out};
    const shape_t a_shape = o.transpose_a ? shape_t{na, k, i} : shape_t{na, i, k};
    const shape_t b_shape = o.transpose_b ? shape_t{nb, j, k} : shape_t{nb, k, j};
    const tensor a = random.filled<T>(a_shape, -range, range);
    const tensor b = random.filled<T>(b_shape, -range, range);
    const std::vector<double> x = test::values(a);
    const std::vector<double> y = test::values(b);
    const std::int64_t batch = na == 1 ? nb : na;
    std::vector<double> expected;
    test::for_each_index({batch, i, j}, [&](const shape_t& at) {
        double sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
            const std::int64_t from_a = na == 1 ? 0 : at[0];
            const std::int64_t from_b = nb == 1 ? 0 : at[0];
            sum += x[test::offset(a_shape, o.transpose_a ? shape_t{from_a, l, at[1]} : shape_t{from_a, at[1], l})] *
                   y[test::offset(b_shape, o.transpose_b ? shape_t{from_b, at[2], l} : shape_t{from_b, l, at[2]})];
        }
        expected.push_back(sum);
    });
    INFO("a " << kernel::text(a) << (o.transpose_a ? " transposed" : "") << ", b " << kernel::text(b)
              << (o.transpose_b ? " transposed" : ""));
    for (const auto by : test::convolvers)
        CHECK(test::difference(batch_matmul(a, b, o, by), {batch, i, j}, expected, tolerance) == "");
}

constexpr bool computes_in_constant_evaluation() {
    const tensor data({1, 3}, {1.F, 2.F, 3.F});
    const tensor weight({2, 3}, {1.F, 1.F, 1.F, 0.F, 0.F, 2.F});
    tensor out;
    kernel::dense(data, weight, dtype::none, out);
    if (out.elements<float>()[0] != 6 || out.elements<float>()[1] != 6) return false;
    kernel::batch_matmul(tensor({1, 1, 2}, {2, 3}), tensor({1, 2, 2}, {1, 10, 100, 1000}), {}, out);
    return out.elements<std::int32_t>()[0] == 302 && out.elements<std::int32_t>()[1] == 3020;
}

} // namespace

TEST_CASE("dense: computes in constant evaluation", "[kernel][dense]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("dense: agrees with the definition, for every element type", "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 40; ++round) {
        check<float>(random, 1, 1e-5);
        check<double>(random, 1, 1e-14);
        check<float16>(random, 1, 0.0005);
        check<float16>(random, 1, 1e-6, dtype::float32);
        check<std::int64_t>(random, 1e6, 0);
        check<std::int32_t>(random, 1000, 0);
        check<std::int8_t>(random, 128, 0, dtype::int32);
        check<std::uint16_t>(random, 128, 0, dtype::uint64);
    }
}

TEST_CASE("dense: a batch of products agrees with the definition, transposed or not", "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 40; ++round) {
        check_batch<float>(random, 1, 1e-5);
        check_batch<double>(random, 1, 1e-14);
        check_batch<std::int64_t>(random, 1e6, 0);
        check_batch<std::int8_t>(random, 128, 0, dtype::int32);
    }
}

TEST_CASE("dense: float32 is right to the last bit by loops, and in blocks within the error of 16 parts",
          "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::int64_t depth = 4096;
    const tensor data = random.filled<float>({1, depth});
    const tensor weight = random.filled<float>({8, depth});
    const std::vector<double> exact = test::values(dense(data, weight, dtype::float64));
    const std::vector<double> loops = test::values(dense(data, weight));
    const std::vector<double> blocks =
        test::values(dense(data, weight, dtype::none, kernel::blocked::convolve_in_blocks<>));
    // Each part rounds depth / 16 products and sums. Elements are at most 1.
    const double bound = 2 * static_cast<double>(depth) / 16 * 6e-8 * static_cast<double>(depth);
    for (std::size_t i = 0; i < exact.size(); ++i) {
        CHECK(loops[i] == static_cast<double>(static_cast<float>(exact[i])));
        CHECK(std::abs(blocks[i] - exact[i]) < bound);
    }
}

TEST_CASE("dense: NaN stays in its row", "[kernel][dense]") {
    const tensor data({2, 2}, {NAN, 1.F, 1.F, INFINITY});
    const tensor weight({1, 2}, {1.F, 1.F});
    for (const auto by : test::convolvers)
        CHECK(test::difference(dense(data, weight, dtype::none, by), {2, 1}, {NAN, INFINITY}, 0) == "");
}

TEST_CASE("dense: an error for mismatched operands has both shapes", "[kernel][dense]") {
    const tensor data(dtype::float32, {1, 3});
    CHECK(
        test::error_of([&] { dense(data, tensor(dtype::float32, {3, 2})); }) ==
        "kernel::dense: data is (1, 3) float32 and weight is (3, 2) float32; expected data of shape (..., k) and weight of "
        "shape (n, k)");
    CHECK(
        test::error_of([&] { dense(tensor::scalar(1.F), tensor(dtype::float32, {3, 2})); }) ==
        "kernel::dense: data is () float32 and weight is (3, 2) float32; expected data of shape (..., k) and weight of shape "
        "(n, k)");
    CHECK(
        test::error_of([&] { batch_matmul(tensor(dtype::float32, {2, 2, 2}), tensor(dtype::float32, {3, 2, 2})); }) ==
        "kernel::batch_matmul: a is (2, 2, 2) float32 and b is (3, 2, 2) float32; expected (n, i, k) and (n, k, j), each "
        "transposed if the options say so; one n may be 1");
}

TEST_CASE("dense: a batch of matrices without elements costs nothing", "[kernel][dense]") {
    const tensor many(dtype::float32, {std::int64_t{1} << 40, 0, 5});
    const tensor one(dtype::float32, {1, 5, 3});
    CHECK(
        test::made([](auto&... a) { kernel::batch_matmul(a...); }, many, one, kernel::batch_matmul_options{}).size() ==
        0);
}

TEST_CASE("dense: matmul is a product of each of a's matrices and b, transposed or not", "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        const std::int64_t n = random.integer(0, 3);
        const std::int64_t i = random.integer(0, 20);
        const std::int64_t k = random.integer(0, 40);
        const std::int64_t j = random.integer(0, 40);
        const batch_matmul_options o{random.integer(0, 1) == 0, random.integer(0, 1) == 0};
        const tensor a = random.filled<float>(o.transpose_a ? shape_t{n, k, i} : shape_t{n, i, k}, -1, 1);
        const tensor b = random.filled<float>(o.transpose_b ? shape_t{j, k} : shape_t{k, j}, -1, 1);
        tensor batch_of_one;
        const std::int64_t one[]{1, b.shape()[0], b.shape()[1]};
        kernel::reshape(b, one, batch_of_one);
        INFO("a " << kernel::text(a) << ", b " << kernel::text(b) << ' ' << o.transpose_a << o.transpose_b);
        CHECK(test::difference(test::made([](auto&... x) { kernel::matmul(x...); }, a, b, o), {n, i, j},
                               test::values(batch_matmul(a, batch_of_one, o)), 1e-6) == "");
    }
    tensor out;
    kernel::matmul(tensor({2}, {1.F, 2.F}), tensor({2, 1}, {3.F, 5.F}), {}, out);
    CHECK(test::difference(out, {1}, {13}, 0) == "");
    CHECK_THROWS(kernel::matmul(tensor({2}, {1.F, 2.F}), tensor({2, 1}, {3.F, 5.F}), {.transpose_a = true}, out));
    CHECK_THROWS(kernel::matmul(tensor({2}, {1.F, 2.F}), tensor({2, 1}, {3.F, 5.F}), {.transpose_b = true}, out));
    CHECK_THROWS(kernel::matmul(tensor::scalar(1.F), tensor({2, 1}, {3.F, 5.F}), {}, out));
}
