#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/conv_transpose.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/join.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/quantized_arithmetic.hpp>
#include <tutti/kernel/quantized_functions.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/qnn.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Working memory of quantised arithmetic, kept between calls.
struct quantized_memory {
    kernel::quantized_workspace operands;
    kernel::workspace product;
    vector<tensor> parts;
    vector<const tensor*> part_pointers;
};

/// Returns the scale and zero point in arguments `first` and `first + 1` of a call.
constexpr kernel::quantization quantization_at(const invocation& c, std::size_t first, std::int64_t axis = -1) {
    return {c.input(first), c.input(first + 1), axis};
}

/// Returns the options given by the attributes, or nothing if they are unsupported.
constexpr std::optional<kernel::requantize_options> requantizing(const requantize_attributes& a) {
    kernel::requantize_options options;
    if (a.rounding == "TONEAREST")
        options.rounding = kernel::rounding::to_nearest;
    else if (a.rounding != "UPWARD" && a.rounding != "None")
        return std::nullopt;
    if (a.compute_dtype == "float32")
        options.arithmetic = kernel::requantize_arithmetic::float32;
    else if (a.compute_dtype == "float64")
        options.arithmetic = kernel::requantize_arithmetic::float64;
    else if (a.compute_dtype != "int64" && a.compute_dtype != "None")
        return std::nullopt;
    return options;
}

/// Subtracts the zero points (arguments 2 and 3) from the operands of a quantised product. The zero point of the
/// weights may vary along the axis `weight_axis`.
constexpr void subtract_zero_points(const invocation& c, std::int64_t weight_axis, kernel::quantized_workspace& into) {
    kernel::subtract_zero_point(c.input(0), c.input(2), -1, into.lhs);
    kernel::subtract_zero_point(c.input(1), c.input(3), weight_axis, into.rhs);
}

/// Returns the axis with this letter in a weight's layout. Requires: the layout contains the letter.
constexpr std::int64_t axis_named(std::string_view layout, char letter) {
    return static_cast<std::int64_t>(layout.find(letter));
}

/// Concatenates tensors. First, `requantize(part, from, to, out)` converts each tensor to the result's quantisation.
///
/// The inputs are the fields of three tuples of equal length (tensors, scales and zero points), then the result's scale
/// and zero point.
template <class F>
constexpr void concatenate_quantized(const invocation& c, const concatenate_attributes& a, quantized_memory& memory,
                                     F requantize) {
    const std::size_t count = (c.inputs.size() - 2) / 3;
    const kernel::quantization to = quantization_at(c, 3 * count);
    memory.parts.resize(count);
    memory.part_pointers.clear();
    for (std::size_t i = 0; i < count; ++i) {
        requantize(c.input(i), kernel::quantization{c.input(count + i), c.input(2 * count + i)}, to, memory.parts[i]);
        memory.part_pointers.push_back(&memory.parts[i]);
    }
    kernel::concatenate(memory.part_pointers, a.axis, c.result());
}

template <class Op, auto F>
inline constexpr kernel_row quantized_binary =
    kernel_for<Op>([](const invocation& c, const qnn_broadcast_attributes& a) {
        quantized_memory own;
        F(c.input(0), quantization_at(c, 2, a.lhs_axis), c.input(1), quantization_at(c, 4, a.rhs_axis),
          quantization_at(c, 6), c.result(), kept_or(c, own).operands);
    });

} // namespace detail

/// Products of quantised tensors. The convolver `By` computes them. Sums are int32 and wrap; scales are not applied.
template <kernel::convolver By = kernel::convolve_in_loops, class = void>
inline constexpr std::array qnn_product_kernels{
    kernel_for<op::qnn::batch_matmul>([](const invocation& c, const batch_matmul_attributes& a) {
        detail::quantized_memory own;
        detail::quantized_memory& memory = detail::kept_or(c, own);
        detail::subtract_zero_points(c, -1, memory.operands);
        kernel::batch_matmul(memory.operands.lhs, memory.operands.rhs,
                             {.transpose_a = a.transpose_a, .transpose_b = a.transpose_b, .out = a.out_dtype},
                             c.result(), memory.product, By);
    }),
    kernel_for<op::qnn::dense>([](const invocation& c, const dense_attributes& a) {
        detail::quantized_memory own;
        detail::quantized_memory& memory = detail::kept_or(c, own);
        detail::subtract_zero_points(c, 0, memory.operands);
        kernel::dense(memory.operands.lhs, memory.operands.rhs, a.out_dtype, c.result(), memory.product, By);
    }),
    kernel_for<op::qnn::conv2d>([](const invocation& c, const conv2d_attributes& a) {
        if (!detail::knows_layouts(a)) return false;
        detail::quantized_memory own;
        detail::quantized_memory& memory = detail::kept_or(c, own);
        detail::subtract_zero_points(c, detail::axis_named(a.kernel_layout, 'O'), memory.operands);
        kernel::conv(memory.operands.lhs, memory.operands.rhs, detail::conv_options(a, kernel::conv_options{}),
                     c.result(), memory.product, By);
        return true;
    }),
};

/// Transposed convolution of quantised tensors. The convolver `By` computes it. Sums are int32 and wrap; scales are not
/// applied.
template <kernel::convolver By = kernel::convolve_in_loops, class = void>
inline constexpr std::array qnn_transpose_kernels{
    kernel_for<op::qnn::conv2d_transpose>([](const invocation& c, const conv2d_transpose_attributes& a) {
        if (!detail::knows_layouts(a)) return false;
        detail::quantized_memory own;
        detail::quantized_memory& memory = detail::kept_or(c, own);
        detail::subtract_zero_points(c, detail::axis_named(a.kernel_layout, 'O'), memory.operands);
        kernel::conv_transpose_options options = detail::conv_options(a, kernel::conv_transpose_options{});
        options.output_padding = detail::spatial_numbers(a.output_padding);
        kernel::conv_transpose(memory.operands.lhs, memory.operands.rhs, options, c.result(), memory.product, By);
        return true;
    }),
};

/// Other operators on quantised tensors.
template <class = void>
inline constexpr std::array qnn_kernels{
    detail::quantized_binary<op::qnn::add, kernel::quantized_add>,
    detail::quantized_binary<op::qnn::mul, kernel::quantized_multiply>,
    detail::quantized_binary<op::qnn::subtract, kernel::quantized_subtract>,
    kernel_for<op::qnn::quantize>([](const invocation& c, const quantize_attributes& a) {
        kernel::quantize(c.input(0), detail::quantization_at(c, 1, a.axis), a.out_dtype, c.result());
    }),
    kernel_for<op::qnn::dequantize>([](const invocation& c, const dequantize_attributes& a) {
        kernel::dequantize(c.input(0), detail::quantization_at(c, 1, a.axis), c.result());
    }),
    kernel_for<op::qnn::requantize>([](const invocation& c, const requantize_attributes& a) {
        const auto options = detail::requantizing(a);
        if (!options) return false;
        kernel::requantize(c.input(0), detail::quantization_at(c, 1, a.axis), detail::quantization_at(c, 3), *options,
                           a.out_dtype == dtype::none ? c.input(0).type() : a.out_dtype, c.result());
        return true;
    }),
    kernel_for<op::qnn::concatenate>([](const invocation& c, const concatenate_attributes& a) {
        detail::quantized_memory own;
        detail::concatenate_quantized(c, a, detail::kept_or(c, own),
                                      [](const tensor& part, const kernel::quantization& from,
                                         const kernel::quantization& to,
                                         tensor& out) { kernel::requantize(part, from, to, {}, part.type(), out); });
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
