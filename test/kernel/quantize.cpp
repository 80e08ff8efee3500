#include <tutti/kernel/quantize.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::quantization;
using kernel::requantize_arithmetic;
using kernel::requantize_options;
using kernel::rounding;
using kernel::tensor;
using test::shape_t;

namespace {

const tensor one = tensor::scalar(1.F);
const tensor zero = tensor::scalar(0);

struct range {
    double least;
    double greatest;
};

range range_of(dtype type) {
    switch (type) {
    case dtype::int8:
        return {-128, 127};
    case dtype::uint8:
        return {0, 255};
    case dtype::int16:
        return {-32768, 32767};
    case dtype::uint16:
        return {0, 65535};
    default:
        return {-0x1p31, 0x1p31 - 1};
    }
}

double brought_into(double x, dtype type) { return std::clamp(x, range_of(type).least, range_of(type).greatest); }

constexpr bool computes_in_constant_evaluation() {
    const tensor scale({1}, {0.5F});
    const tensor point({1}, {3});
    const quantization q{scale, point};
    tensor steps;
    kernel::quantize(tensor({4}, {1.F, -0.75F, 100.F, -100.F}), q, dtype::int8, steps);
    tensor back;
    kernel::dequantize(steps, q, back);
    tensor wider;
    kernel::requantize(steps, q, {tensor::scalar(0.25F), tensor::scalar(0)}, {}, dtype::int16, wider);
    const auto s = steps.elements<std::int8_t>();
    return s[0] == 5 && s[1] == 1 && s[2] == 127 && s[3] == -128 && back.elements<float>()[1] == -1 &&
           wider.elements<std::int16_t>()[0] == 4;
}

} // namespace

TEST_CASE("quantize: computes in constant evaluation", "[kernel][quantize]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("quantize: quantize and dequantize agree with the definition, per tensor and per channel",
          "[kernel][quantize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4};
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32})
        for (std::int64_t axis = -3; axis <= 3; ++axis) { // axis 3: one scale for all elements
            const auto at = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
            const std::int64_t count = axis == 3 ? 1 : shape[at];
            const tensor scale = random.filled<float>({count}, 0.01, 0.2);
            const tensor point = random.filled<std::int32_t>({count}, 0, 100);
            const auto channel = [&](const shape_t& index) {
                return axis == 3 ? 0U : static_cast<std::size_t>(index[at]);
            };
            const quantization q{scale, point, axis == 3 ? 0 : axis};
            const tensor data = random.filled<float>(shape, -20, 20);
            std::vector<double> steps;
            test::for_each_index(shape, [&](const shape_t& index) {
                const float x = data.elements<float>()[test::offset(shape, index)];
                const float s = scale.elements<float>()[channel(index)];
                steps.push_back(
                    brought_into(std::round(static_cast<double>(x / s)) + test::values(point)[channel(index)], type));
            });
            INFO(kernel::name(type) << ", axis " << axis);
            const tensor quantized = test::made(kernel::quantize, data, q, type);
            CHECK(quantized.type() == type);
            CHECK(test::difference(quantized, shape, steps, 0) == "");
            std::vector<double> back;
            test::for_each_index(shape, [&](const shape_t& index) {
                back.push_back((steps[test::offset(shape, index)] - test::values(point)[channel(index)]) *
                               test::values(scale)[channel(index)]);
            });
            CHECK(test::difference(test::made(kernel::dequantize, quantized, q), shape, back, 1e-6) == "");
        }
}

TEST_CASE("quantize: requantize agrees with the definition in each arithmetic and rounding", "[kernel][quantize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        const dtype type = std::vector{dtype::int8, dtype::uint8, dtype::int16, dtype::uint16,
                                       dtype::int32}[static_cast<std::size_t>(round % 5)];
        const tensor data = round % 2 == 0 ? random.filled<std::int8_t>({5, 200}, -128, 127)
                                           : random.filled<std::int32_t>({5, 200}, -1e6, 1e6);
        const tensor old_scale = random.filled<float>({5}, 0.001, 2);
        const tensor old_point = random.filled<std::int32_t>({5}, -50, 50);
        const tensor new_scale = random.filled<float>({1}, 0.001, 2);
        const tensor new_point = random.filled<std::int8_t>({1}, -50, 50);
        const std::vector<double> elements = test::values(data);
        const std::vector<double> scales = test::values(old_scale);
        const std::vector<double> points = test::values(old_point);
        const double scale = test::values(new_scale)[0];
        const double point = test::values(new_point)[0];
        for (const auto mode : {rounding::upward, rounding::to_nearest})
            for (const auto arithmetic :
                 {requantize_arithmetic::fixed_point, requantize_arithmetic::float64, requantize_arithmetic::float32}) {
                const tensor got =
                    test::made(kernel::requantize, data, quantization{old_scale, old_point, 0},
                               quantization{new_scale, new_point}, requantize_options{mode, arithmetic}, type);
                REQUIRE(got.type() == type);
                const std::vector<double> results = test::values(got);
                const double precision = arithmetic == requantize_arithmetic::float32 ? 0x1p-22 : 0x1p-30;
                for (std::size_t i = 0; i < 1000; ++i) {
                    const double x = (elements[i] - points[i / 200]) * (scales[i / 200] / scale);
                    const double rounded = mode == rounding::upward ? std::floor(x + 0.5) : std::round(x);
                    const double expected = brought_into(rounded + point, type);
                    const double off = std::abs(results[i] - expected);
                    // The kernel rounds the ratio of the scales. This may decide cases near a tie, and changes the last
                    // digits of a large result.
                    const double inexact = std::abs(x) * precision + 1e-9;
                    const bool near_half = std::abs(x - std::floor(x) - 0.5) <= inexact;
                    if (off > (inexact >= 0.5 ? 1 + inexact : near_half ? 1 : 0))
                        FAIL_CHECK("element " << i << ": " << x << " became " << results[i] << ", not " << expected);
                }
            }
    }
}

TEST_CASE("quantize: halves go up or away from zero, and large ratios are brought into range", "[kernel][quantize]") {
    const tensor halves({6}, {-3, -2, -1, 1, 2, 3});
    const tensor half = tensor::scalar(0.5F);
    const auto requantized = [](const tensor& data, const tensor& scale, requantize_options options, dtype type) {
        return test::made(kernel::requantize, data, quantization{scale, zero}, quantization{one, zero}, options, type);
    };
    for (const auto arithmetic :
         {requantize_arithmetic::fixed_point, requantize_arithmetic::float64, requantize_arithmetic::float32}) {
        CHECK(test::difference(requantized(halves, half, {rounding::upward, arithmetic}, dtype::int8), {6},
                               {-1, -1, 0, 1, 1, 2}, 0) == "");
        CHECK(test::difference(requantized(halves, half, {rounding::to_nearest, arithmetic}, dtype::int8), {6},
                               {-2, -1, -1, 1, 1, 2}, 0) == "");
        CHECK(test::difference(requantized(halves, tensor::scalar(1e30F), {rounding::upward, arithmetic}, dtype::int16),
                               {6}, {-32768, -32768, -32768, 32767, 32767, 32767}, 0) == "");
        CHECK(test::difference(
                  requantized(halves, tensor::scalar(1e-30F), {rounding::to_nearest, arithmetic}, dtype::int16), {6},
                  std::vector<double>(6, 0), 0) == "");
    }
    const std::int32_t least = std::numeric_limits<std::int32_t>::min();
    const tensor ends({2}, {least, std::numeric_limits<std::int32_t>::max()});
    CHECK(test::difference(requantized(ends, one, {}, dtype::int32), {2}, {-0x1p31, 0x1p31 - 1}, 0) == "");
    const tensor lowest = tensor::scalar(least);
    CHECK(test::difference(test::made(kernel::requantize, ends, quantization{half, lowest}, quantization{one, zero},
                                      requantize_options{}, dtype::int32),
                           {2}, {0, 0x1p31 - 1}, 0) == "");
}

TEST_CASE("quantize: NaN, infinities and no elements", "[kernel][quantize]") {
    const tensor odd({3}, {NAN, INFINITY, -INFINITY});
    CHECK(test::difference(test::made(kernel::quantize, odd, quantization{one, tensor::scalar(7)}, dtype::int8), {3},
                           {127, 127, -128}, 0) == "");
    CHECK(test::difference(test::made(kernel::quantize, odd, quantization{one, zero}, dtype::int32), {3},
                           {0x1p31 - 1, 0x1p31 - 1, -0x1p31}, 0) == "");
    CHECK(test::made(kernel::dequantize, tensor(dtype::int8, {0, 3}), quantization{one, zero}).size() == 0);
}

TEST_CASE("quantize: an error names mismatched operands", "[kernel][quantize]") {
    const tensor data({2}, {1.F, 2.F});
    CHECK(test::error_of([&] {
              test::made(kernel::quantize, tensor({1}, {1}), quantization{one, zero}, dtype::int8);
          }) == "kernel::quantize: cannot compute with elements of type int32; expected float32");
    CHECK(test::error_of([&] { test::made(kernel::quantize, data, quantization{one, zero}, dtype::int64); }) ==
          "kernel::quantize: to elements of type int64; expected int8, int16, int32, uint8 or uint16");
    CHECK(
        test::error_of([&] {
            test::made(kernel::quantize, data, quantization{tensor({3}, {1.F, 1.F, 1.F}), zero}, dtype::int8);
        }) ==
        "kernel::quantize: data is (2,) float32 and a scale or zero point is (3,) float32; expected one element, or 2, "
        "as many as axis 0 "
        "has");
    CHECK(test::error_of([&] { test::made(kernel::quantize, data, quantization{zero, zero}, dtype::int8); }) ==
          "kernel::quantize: the scale is () int32; expected a floating-point scale");
    CHECK(test::error_of([&] { test::made(kernel::quantize, data, quantization{one, one}, dtype::int8); }) ==
          "kernel::quantize: the zero point is () float32; expected one of type int8, int16, int32, uint8 or uint16");
    for (const float scale : {0.F, -1.F, NAN, INFINITY})
        CHECK(test::error_of([&] {
                  test::made(kernel::quantize, data, quantization{tensor::scalar(scale), zero}, dtype::int8);
              }) == "kernel::quantize: a scale of " + std::to_string(scale) + "; expected a positive number");
    CHECK(
        test::error_of([&] { test::made(kernel::dequantize, data, quantization{one, zero}); }) ==
        "kernel::dequantize: cannot compute with elements of type float32; expected int8, int16, int32, uint8 or uint16");
    CHECK(
        test::error_of([&] {
            test::made(kernel::requantize, tensor({2}, {1, 2}), quantization{one, zero}, quantization{data, zero},
                       requantize_options{}, dtype::int8);
        }) ==
        "kernel::requantize: the new scale is (2,) float32 and the new zero point is () int32; expected one element each");
}
