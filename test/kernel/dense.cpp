#include <tutti/kernel/dense.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dense;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

template <class T>
void check(test::random_source& random, double range, double tolerance, dtype out = dtype::none) {
    const std::int64_t m = random.integer(0, 5);
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
    CHECK(test::difference(dense(data, weight, out), {2, m, n}, expected, tolerance) == "");
}

constexpr bool computes_in_constant_evaluation() {
    const tensor data({1, 3}, {1.F, 2.F, 3.F});
    const tensor weight({2, 3}, {1.F, 1.F, 1.F, 0.F, 0.F, 2.F});
    const tensor out = dense(data, weight);
    return out.elements<float>()[0] == 6 && out.elements<float>()[1] == 6;
}

} // namespace

TEST_CASE("dense: computes in constant evaluation", "[kernel][dense]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("dense: agrees with the definition, for every element type", "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        check<float>(random, 1, 1e-5);
        check<double>(random, 1, 1e-14);
        check<float16>(random, 1, 0.0005);
        check<float16>(random, 1, 1e-6, dtype::float32);
        check<std::int64_t>(random, 1e6, 0);
        check<std::int32_t>(random, 1000, 0);
        check<std::int8_t>(random, 128, 0, dtype::int32);
    }
}

TEST_CASE("dense: NaN stays in its row", "[kernel][dense]") {
    const tensor data({2, 2}, {NAN, 1.F, 1.F, INFINITY});
    const tensor weight({1, 2}, {1.F, 1.F});
    CHECK(test::difference(dense(data, weight), {2, 1}, {NAN, INFINITY}, 0) == "");
}

TEST_CASE("dense: what does not fit is named with both shapes", "[kernel][dense]") {
    const tensor data(dtype::float32, {1, 3});
    CHECK(test::error_of([&] {
              dense(data, tensor(dtype::float32, {3, 2}));
          }) == "kernel::dense: data is (1, 3) float32 and weight is (3, 2) float32; expected data of shape "
                "(..., k) and weight "
                "of shape (n, k)");
    CHECK(test::error_of([&] {
              dense(tensor::scalar(1.F), tensor(dtype::float32, {3, 2}));
          }) == "kernel::dense: data is () float32 and weight is (3, 2) float32; expected data of shape "
                "(..., k) and weight of "
                "shape (n, k)");
    CHECK(test::error_of([&] {
              dense(data, tensor(dtype::int8, {2, 3}));
          }) ==
          "kernel::dense: data is (1, 3) float32 and weight is (2, 3) int8; expected the same element type");
}
