#pragma once

#include <tutti/kernel/fixed_point.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/quantized_arithmetic.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// Applies a real function to quantised elements: dequantises them to float32, applies `function`, and quantises the
/// result as `to`. The result keeps the data's element type.
///
/// Requires: `function` keeps type and shape; `out` is not the data and not in `space`.
/// Throws:   as `dequantize` and `quantize`.
constexpr void quantized_function(const tensor& data, const quantization& from, const quantization& to,
                                  void (*function)(const tensor&, tensor&), tensor& out, quantized_workspace& space) {
    dequantize(data, from, space.lhs);
    function(space.lhs, space.rhs);
    quantize(space.rhs, to, data.type(), out);
}

/// Computes x · min(max(x + 3, 0), 6) / 6 in float32.
///
/// Source: Howard et al., "Searching for MobileNetV3", 5.2.
/// Throws: tutti::error if the data is not float32.
constexpr void hardswish(const tensor& data, tensor& out) {
    if (data.type() != dtype::float32) detail::fail_type("hardswish", data, "float32");
    detail::make_result("hardswish", data.type(), data.shape(), out);
    const float* from = data.data<float>();
    float* to = out.mutable_data<float>();
    for (std::int64_t i = 0; i < data.size(); ++i) to[i] = from[i] * element::clip{}(from[i] + 3, 0.F, 6.F) / 6;
}

/// Applies `leaky_relu` to quantised elements in fixed point. The result has the quantisation `to` and the data's
/// element type. Each quantisation has a single scale and zero point.
///
/// Source: the reference's qnn.leaky_relu.
/// Throws: tutti::error if the data is not int8 to int32, uint8 or uint16, if scales or zero points are not single
///         elements, or if a fixed-point factor (the ratio of the scales, the slope, or 1 minus the slope) needs a
///         shift that is not from -32 to 31.
constexpr void quantized_leaky_relu(const tensor& data, const quantization& from, const quantization& to, double slope,
                                    tensor& out) {
    constexpr std::string_view kernel = "quantized_leaky_relu";
    detail::check_quantized(kernel, data);
    for (const quantization* q : {&from, &to}) {
        detail::check_scale(kernel, q->scale);
        detail::check_zero_point(kernel, q->zero_point);
        if (q->scale.size() != 1 || q->zero_point.size() != 1)
            detail::fail_pair(kernel, "the scale", q->scale, "the zero point", q->zero_point, "one element each");
    }
    const auto factor = [&](double value) {
        if (!element::isfinite{}(value)) detail::fail(kernel, {"a factor of ", value}, "a finite number");
        const fixed_point f(value);
        detail::check_shift(kernel, f.shift, -32, 31);
        return f;
    };
    const fixed_point ratio = factor(static_cast<double>(detail::scale_at(kernel, from.scale, 0)) /
                                     static_cast<double>(detail::scale_at(kernel, to.scale, 0)));
    const fixed_point below = factor(slope);
    const std::int64_t zero = detail::zero_at(from.zero_point, 0);
    const std::int64_t new_zero = detail::zero_at(to.zero_point, 0);
    const std::int64_t shift = factor(1 - slope)(new_zero);
    detail::make_result(kernel, data.type(), data.shape(), out);
    const integer_range range = values_of(data.type());
    std::int64_t room[detail::block_length];
    std::int64_t made[detail::block_length];
    for (std::int64_t at = 0; at < data.size(); at += detail::block_length) {
        const std::int64_t n = std::min(detail::block_length, data.size() - at);
        const std::int64_t* x = detail::read_block(data, at, n, +room);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t moved = ratio(x[i] - zero) + new_zero;
            made[i] = std::clamp(x[i] < zero ? below(moved) + shift : moved, range.least, range.greatest);
        }
        detail::write_block<std::int64_t>(made, n, out, at);
    }
}

/// Broadcasts and subtracts quantised tensors. Quantises the result as `quantized_add` does.
///
/// Requires, Throws: as `quantized_add`.
constexpr void quantized_subtract(const tensor& lhs, const quantization& l, const tensor& rhs, const quantization& r,
                                  const quantization& to, tensor& out, quantized_workspace& space) {
    detail::check_operands("quantized_subtract", lhs, rhs, to);
    requantize(lhs, l, to, {}, dtype::int32, space.lhs);
    requantize(rhs, r, to, {}, dtype::int32, space.rhs);
    subtract(space.lhs, space.rhs, space.result);
    const std::int64_t zero = detail::zero_at(to.zero_point, 0);
    detail::rescale("quantized_subtract", space.result, 0, {1.0, {}}, zero, lhs.type(), out);
}

/// Computes the elements that `quantize` returns, but in float32: `round(x / scale) + zero_point`, clamped to the range
/// of `type`.
///
/// Throws: tutti::error if the data is not float32, if the type is not int8 to int32, uint8 or uint16, if a scale is
///         not positive, or if scale or zero point do not fit the data.
constexpr void simulated_quantize(const tensor& data, const quantization& q, dtype type, tensor& out) {
    constexpr std::string_view kernel = "simulated_quantize";
    if (data.type() != dtype::float32) detail::fail_type(kernel, data, "float32");
    detail::check_target(kernel, type);
    detail::check_rank(kernel, data);
    const axis_set channels = detail::channels_of(kernel, data, q);
    detail::make_result(kernel, data.type(), data.shape(), out);
    const integer_range range = values_of(type);
    float scale[detail::block_length];
    std::int64_t zero[detail::block_length];
    for (detail::groups g(data.shape(), channels); !g.done(); g.next()) {
        detail::read_channels(kernel, q, g, scale, zero);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const float* x = data.data<float>() + p.first();
            float* to = out.mutable_data<float>() + p.first();
            for (std::int64_t i = 0; i < p.length(); ++i)
                to[i] = element::clip{}(element::round{}(x[i] / scale[i * g.step()]) +
                                            static_cast<float>(zero[i * g.step()]),
                                        static_cast<float>(range.least), static_cast<float>(range.greatest));
        }
    }
}

/// Computes `(x - zero_point) * scale` in float32: the inverse of `simulated_quantize`.
///
/// Throws: tutti::error if the data is not float32, if a scale is not positive, or if scale or zero point do not fit
///         the data.
constexpr void simulated_dequantize(const tensor& data, const quantization& q, tensor& out) {
    constexpr std::string_view kernel = "simulated_dequantize";
    if (data.type() != dtype::float32) detail::fail_type(kernel, data, "float32");
    detail::check_rank(kernel, data);
    const axis_set channels = detail::channels_of(kernel, data, q);
    detail::make_result(kernel, data.type(), data.shape(), out);
    float scale[detail::block_length];
    std::int64_t zero[detail::block_length];
    for (detail::groups g(data.shape(), channels); !g.done(); g.next()) {
        detail::read_channels(kernel, q, g, scale, zero);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const float* x = data.data<float>() + p.first();
            float* to = out.mutable_data<float>() + p.first();
            for (std::int64_t i = 0; i < p.length(); ++i)
                to[i] = (x[i] - static_cast<float>(zero[i * g.step()])) * scale[i * g.step()];
        }
    }
}

} // namespace tutti::kernel
