#include <tutti/kernel/quantized_functions.hpp>

#include <tutti/kernel/elementwise.hpp>

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
using kernel::tensor;
using test::shape_t;

namespace {

// Returns all 256 numbers of an 8-bit type.
template <class T>
tensor all_of() {
    tensor t(kernel::dtype_of<T>, {256});
    int x = std::numeric_limits<T>::min();
    for (T& e : t.mutable_elements<T>()) e = static_cast<T>(x++);
    return t;
}

struct quantised {
    tensor scale;
    tensor zero;

    quantised(float s, int z) : scale(tensor::scalar(s)), zero(tensor::scalar(z)) {}
    operator quantization() const { return {scale, zero}; } // NOLINT: implicit on purpose
};

template <class T>
std::vector<double> naive(const quantised& from, const quantised& to, double (*f)(double)) {
    std::vector<double> out;
    for (const double q : test::values(all_of<T>())) {
        const double x = (q - test::values(from.zero)[0]) * test::values(from.scale)[0];
        const double y = std::round(f(x) / test::values(to.scale)[0]) + test::values(to.zero)[0];
        const auto least = static_cast<double>(std::numeric_limits<T>::min());
        const auto greatest = static_cast<double>(std::numeric_limits<T>::max());
        out.push_back(std::isnan(y) ? greatest : std::clamp(y, least, greatest));
    }
    return out;
}

} // namespace

TEMPLATE_TEST_CASE("quantized_functions: each number's function, quantised", "[kernel][quantize]", std::int8_t,
                   std::uint8_t) {
    const quantised from(0.125F, 3);
    const quantised to(0.03125F, -5);
    struct {
        void (*kernel)(const tensor&, tensor&);
        double (*exact)(double);
    } const functions[]{
        {kernel::abs, [](double x) { return std::abs(x); }},
        {kernel::tanh, [](double x) { return std::tanh(x); }},
        {kernel::sqrt, [](double x) { return std::sqrt(x); }},
        {kernel::exp, [](double x) { return std::exp(x); }},
        {kernel::hardswish, [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }},
    };
    for (const auto& f : functions) {
        kernel::quantized_workspace space;
        tensor out;
        kernel::quantized_function(all_of<TestType>(), from, to, f.kernel, out, space);
        CHECK(out.type() == kernel::dtype_of<TestType>);
        CHECK(test::difference(out, {256}, naive<TestType>(from, to, f.exact), 1e-9) == "");
    }
}

TEST_CASE("quantized_functions: leaky_relu, in fixed point, is within a step of the exact one", "[kernel][quantize]") {
    const quantised from(0.125F, 60);
    const quantised to(0.6F, 17);
    tensor out;
    kernel::quantized_leaky_relu(all_of<std::uint8_t>(), from, to, 0.9, out);
    const std::vector<double> exact = naive<std::uint8_t>(from, to, [](double x) { return x < 0 ? 0.9 * x : x; });
    for (std::size_t i = 0; i < 256; ++i) CHECK(std::abs(test::values(out)[i] - exact[i]) <= 1);
    CHECK(test::error_of([&] {
              tensor to_make;
              kernel::quantized_leaky_relu(all_of<std::uint8_t>(), from, to, INFINITY, to_make);
          }).starts_with("kernel::quantized_leaky_relu: a factor of inf"));
    CHECK(test::error_of([&] {
              tensor to_make;
              const tensor two(dtype::float32, {2});
              kernel::quantized_leaky_relu(all_of<std::uint8_t>(), {two, from.zero}, to, 0.5, to_make);
          }).starts_with("kernel::quantized_leaky_relu: the scale is (2,) float32"));
}

TEST_CASE("quantized_functions: a difference uses the requantised operands", "[kernel][quantize]") {
    const tensor lhs({4}, {std::uint8_t{10}, std::uint8_t{20}, std::uint8_t{0}, std::uint8_t{255}});
    const tensor rhs({4}, {std::uint8_t{5}, std::uint8_t{30}, std::uint8_t{0}, std::uint8_t{0}});
    const quantised l(0.5F, 2);
    const quantised r(0.25F, 4);
    const quantised to(0.5F, 128);
    kernel::quantized_workspace space;
    tensor out;
    kernel::quantized_subtract(lhs, l, rhs, r, to, out, space);
    // In steps of 0.5: 8 - 0.5 (rounded up to 1), 18 - 13, -2 + 2, 253 + 2 (saturates).
    CHECK(test::difference(out, {4}, {135, 133, 128, 255}, 0) == "");
    CHECK(test::error_of([&] {
              kernel::quantized_subtract(lhs, l, tensor(dtype::int8, {4}), r, to, out, space);
          }).starts_with("kernel::quantized_subtract: lhs is (4,) uint8 and rhs is (4,) int8"));
}

TEST_CASE("quantized_functions: simulated, numbers stay numbers", "[kernel][quantize]") {
    const tensor x({2, 2}, {1.F, -1.F, 3.F, 200.F});
    const tensor scales({2}, {0.5F, 2.F});
    const tensor points({2}, {1, 2});
    const quantization q{scales, points, 0};
    CHECK(test::difference(test::made(kernel::simulated_quantize, x, q, dtype::int8), {2, 2}, {3, -1, 4, 102}, 0) ==
          "");
    CHECK(test::difference(test::made(kernel::simulated_quantize, x, quantization{scales, points}, dtype::uint8),
                           {2, 2}, {3, 1, 7, 102}, 0) == "");
    CHECK(test::difference(test::made(kernel::simulated_dequantize, x, q), {2, 2}, {0, -1, 2, 396}, 0) == "");
    CHECK(test::error_of([&] { test::made(kernel::simulated_quantize, points, q, dtype::int8); }) ==
          "kernel::simulated_quantize: cannot compute with elements of type int32; expected float32");
}
