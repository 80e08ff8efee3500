#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/quantized_functions.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/qnn.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/qnn_function.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Applies a function of real numbers to quantised elements.
template <class Op, void (*Function)(const tensor&, tensor&)>
inline constexpr kernel_row quantized_function = {&definition<Op>, [](const invocation& c) {
                                                      quantized_memory own;
                                                      kernel::quantized_function(c.input(0), quantization_at(c, 1),
                                                                                 quantization_at(c, 3), Function,
                                                                                 c.result(), kept_or(c, own).operands);
                                                      return true;
                                                  }};

/// Stores in `type` the simulated element type encoded by `number`, or `none` for no simulation. False if `number` is
/// invalid.
constexpr bool simulated_type(const tensor& number, dtype& type) {
    constexpr dtype types[]{dtype::none, dtype::int8, dtype::uint8, dtype::int32};
    if (number.type() != dtype::int32 || number.size() != 1) return false;
    const std::int32_t i = *number.data<std::int32_t>();
    if (i < 0 || i > 3) return false;
    type = types[i];
    return true;
}

} // namespace detail

/// Functions of quantised tensors, and simulated quantisation.
template <class = void>
inline constexpr std::array qnn_function_kernels{
    detail::quantized_function<op::qnn::abs, kernel::abs>,
    detail::quantized_function<op::qnn::erf, kernel::erf>,
    detail::quantized_function<op::qnn::exp, kernel::exp>,
    detail::quantized_function<op::qnn::hardswish, kernel::hardswish>,
    detail::quantized_function<op::qnn::log, kernel::log>,
    detail::quantized_function<op::qnn::rsqrt, kernel::rsqrt>,
    detail::quantized_function<op::qnn::sigmoid, kernel::sigmoid>,
    detail::quantized_function<op::qnn::sqrt, kernel::sqrt>,
    detail::quantized_function<op::qnn::tanh, kernel::tanh>,
    kernel_for<op::qnn::leaky_relu>([](const invocation& c, const qnn_leaky_relu_attributes& a) {
        kernel::quantized_leaky_relu(c.input(0), detail::quantization_at(c, 1), detail::quantization_at(c, 3), a.alpha,
                                     c.result());
    }),
    kernel_for<op::qnn::simulated_quantize>([](const invocation& c, const simulated_quantize_attributes& a) {
        dtype type = dtype::none;
        if (!detail::simulated_type(c.input(1), type)) return false;
        if (type == dtype::none)
            c.result().share(c.input(0), c.input(0).shape());
        else
            kernel::simulated_quantize(c.input(0), detail::quantization_at(c, 2, a.axis), type, c.result());
        return true;
    }),
    kernel_for<op::qnn::simulated_dequantize>([](const invocation& c, const simulated_quantize_attributes& a) {
        dtype type = dtype::none;
        if (!detail::simulated_type(c.input(1), type)) return false;
        if (type == dtype::none)
            c.result().share(c.input(0), c.input(0).shape());
        else
            kernel::simulated_dequantize(c.input(0), detail::quantization_at(c, 2, a.axis), c.result());
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
