#include <tutti/kernel/dense.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::bias_add;
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
    const tensor out = bias_add(dense(data, weight), tensor({2}, {0.5F, -6.F}));
    return out.elements<float>()[0] == 6.5F && out.elements<float>()[1] == 0;
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

TEST_CASE("dense: bias_add adds along its axis", "[kernel][dense]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4, 5};
    const tensor data = random.filled<float>(shape);
    for (std::int64_t axis = -4; axis < 4; ++axis) {
        const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
        const tensor bias = random.filled<float>({shape[at]});
        std::vector<double> expected = test::values(data);
        test::for_each_index(shape, [&](const shape_t& index) {
            expected[test::offset(shape, index)] += test::values(bias)[static_cast<std::size_t>(index[at])];
        });
        INFO("axis " << axis);
        CHECK(test::difference(bias_add(data, bias, axis), shape, expected, 1e-6) == "");
    }
    CHECK(test::error_of([&] { bias_add(data, tensor(dtype::float32, {4}), 1); }) ==
          "kernel::bias_add: data is (2, 3, 4, 5) float32 and bias is (4,) float32; expected a bias of shape "
          "(3,), as axis "
          "1 of data, and of its element type");
    CHECK(test::error_of([&] { bias_add(data, tensor(dtype::float32, {4}), 4); }) ==
          "kernel::bias_add: axis 4 of a tensor of rank 4; expected an axis from -4 to 3");
}
