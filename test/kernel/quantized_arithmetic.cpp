#include <tutti/kernel/quantized_arithmetic.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::quantization;
using kernel::quantized_workspace;
using kernel::tensor;

namespace {

using arithmetic = void (*)(const tensor&, const quantization&, const tensor&, const quantization&, const quantization&,
                            tensor&, quantized_workspace&);

tensor made(arithmetic f, const tensor& a, const quantization& l, const tensor& b, const quantization& r,
            const quantization& to, quantized_workspace& space) {
    return test::made([&](auto&... arguments) { f(arguments..., space); }, a, l, b, r, to);
}

const tensor zero = tensor::scalar(0);

} // namespace

TEST_CASE("quantized_arithmetic: a zero point for all, or one for each index along an axis", "[kernel][quantize]") {
    const tensor data({2, 2}, {std::uint8_t{0}, std::uint8_t{255}, std::uint8_t{7}, std::uint8_t{8}});
    CHECK(test::difference(test::made(kernel::subtract_zero_point, data, tensor::scalar(7), 0), {2, 2}, {-7, 248, 0, 1},
                           0) == "");
    CHECK(test::difference(
              test::made(kernel::subtract_zero_point, data, tensor({2}, {std::int8_t{1}, std::int8_t{-1}}), -1), {2, 2},
              {-1, 256, 6, 9}, 0) == "");
    CHECK(test::made(kernel::subtract_zero_point, data, zero, 0).type() == dtype::int32);
    CHECK(test::error_of([&] { test::made(kernel::subtract_zero_point, data, tensor({3}, {1, 2, 3}), 1); }) ==
          "kernel::subtract_zero_point: data is (2, 2) uint8 and a scale or zero point is (3,) int32; expected one "
          "element, or 2, as many "
          "as axis 1 has");
}

TEST_CASE("quantized_arithmetic: sums and products are close to those of the represented numbers",
          "[kernel][quantize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    quantized_workspace space; // reused by each call
    for (int round = 0; round < 40; ++round) {
        const tensor a = random.filled<std::uint8_t>({3, 40}, 0, 255);
        const tensor b = random.filled<std::uint8_t>({40}, 0, 255);
        const double scale[]{random.real(0.01, 1), random.real(0.01, 1), random.real(0.01, 1)};
        const std::int32_t point[]{static_cast<std::int32_t>(random.integer(0, 255)),
                                   static_cast<std::int32_t>(random.integer(0, 255)),
                                   static_cast<std::int32_t>(random.integer(0, 255))};
        const tensor scales[]{tensor::scalar(static_cast<float>(scale[0])),
                              tensor::scalar(static_cast<float>(scale[1])),
                              tensor::scalar(static_cast<float>(scale[2]))};
        const tensor points[]{tensor::scalar(point[0]), tensor::scalar(point[1]), tensor::scalar(point[2])};
        const quantization l{scales[0], points[0]};
        const quantization r{scales[1], points[1]};
        const quantization to{scales[2], points[2]};
        const tensor sum = made(kernel::quantized_add, a, l, b, r, to, space);
        const tensor product = made(kernel::quantized_multiply, a, l, b, r, to, space);
        REQUIRE(sum.type() == dtype::uint8);
        REQUIRE(product.type() == dtype::uint8);
        const std::vector<double> left = test::values(a);
        const std::vector<double> right = test::values(b);
        const std::vector<double> sums = test::values(sum);
        const std::vector<double> products = test::values(product);
        for (std::size_t i = 0; i < 120; ++i) {
            const double x = scale[0] * (left[i] - point[0]);
            const double y = scale[1] * (right[i % 40] - point[1]);
            const double expected_sum = std::clamp((x + y) / scale[2] + point[2], 0.0, 255.0);
            const double expected_product = std::clamp(x * y / scale[2] + point[2], 0.0, 255.0);
            CHECK(std::abs(sums[i] - expected_sum) <= 1.001); // two roundings
            CHECK(std::abs(products[i] - expected_product) <= 0.501);
        }
    }
}

TEST_CASE("quantized_arithmetic: results saturate, and an error names mismatched operands", "[kernel][quantize]") {
    quantized_workspace space;
    const tensor one = tensor::scalar(1.F);
    const tensor a({2}, {std::int8_t{100}, std::int8_t{-100}});
    const quantization plain{one, zero};
    CHECK(test::difference(made(kernel::quantized_add, a, plain, a, plain, plain, space), {2}, {127, -128}, 0) == "");
    CHECK(test::difference(made(kernel::quantized_multiply, a, plain, a, plain, plain, space), {2}, {127, 127}, 0) ==
          "");
    CHECK(test::error_of([&] { made(kernel::quantized_add, a, plain, tensor({1}, {1}), plain, plain, space); }) ==
          "kernel::quantized_add: lhs is (2,) int8 and rhs is (1,) int32; expected the same element type");
    const tensor two({2}, {1.F, 2.F});
    CHECK(
        test::error_of([&] { made(kernel::quantized_multiply, a, {two, zero}, a, plain, plain, space); }) ==
        "kernel::quantized_multiply: lhs's scale is (2,) float32 and rhs's scale is () float32; expected one element each");
    CHECK(
        test::error_of([&] { made(kernel::quantized_add, a, plain, a, plain, {two, zero}, space); }) ==
        "kernel::quantized_add: the result's scale is (2,) float32 and its zero point is () int32; expected one element each");
    CHECK(test::difference(made(kernel::quantized_add, a, {two, zero, 0}, a, plain, plain, space), {2}, {127, -128},
                           0) == "");
}
