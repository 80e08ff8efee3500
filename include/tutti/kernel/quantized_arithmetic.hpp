#pragma once

#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// Temporary tensors of quantised arithmetic. Calls that share a workspace reuse its memory.
struct quantized_workspace {
    tensor lhs;
    tensor rhs;
    tensor result;
};

/// Computes `data - zero_point` in int32, for products of quantised tensors. Differences wrap. The zero point contains
/// one element, or one for each index along `axis`. The axis may count from the end.
///
/// Throws: tutti::error if the data is not int8 to int32, uint8 or uint16, or if the zero point does not fit the data.
constexpr void subtract_zero_point(const tensor& data, const tensor& zero_point, std::int64_t axis, tensor& out) {
    detail::check_quantized("subtract_zero_point", data);
    detail::check_zero_point("subtract_zero_point", zero_point);
    axis_set reduced;
    reduced.fill(true);
    detail::keep_channels("subtract_zero_point", data, zero_point, axis, reduced);
    detail::make_result("subtract_zero_point", dtype::int32, data.shape(), out);
    std::int64_t zero[detail::block_length];
    std::int64_t room[detail::block_length];
    std::int64_t made[detail::block_length];
    for (detail::groups g(data.shape(), reduced); !g.done(); g.next()) {
        for (std::int64_t i = 0; i < g.count(); ++i) zero[i] = detail::zero_at(zero_point, g.first() + i);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const std::int64_t* x = detail::read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) made[i] = x[i] - zero[i * g.step()];
            detail::write_block<std::int64_t>(made, p.length(), out, p.first());
        }
    }
}

namespace detail {

/// Computes `factor * (data - zero) + new_zero`, clamped to the range of `type`. Requires: int32 data.
constexpr void rescale(std::string_view kernel, const tensor& data, std::int64_t zero, const integer_factor& factor,
                       std::int64_t new_zero, dtype type, tensor& out) {
    make_result(kernel, type, data.shape(), out);
    const integer_range range = values_of(type);
    std::int64_t room[block_length];
    for (std::int64_t at = 0; at < data.size(); at += block_length) {
        const std::int64_t n = std::min(block_length, data.size() - at);
        const std::int64_t* x = read_block(data, at, n, +room);
        for (std::int64_t i = 0; i < n; ++i)
            room[i] = std::clamp(factor(x[i] - zero) + new_zero, range.least, range.greatest);
        write_block<std::int64_t>(room, n, out, at);
    }
}

constexpr void check_operands(std::string_view kernel, const tensor& lhs, const tensor& rhs, const quantization& to) {
    check_quantized(kernel, lhs);
    if (lhs.type() != rhs.type()) fail_pair(kernel, "lhs", lhs, "rhs", rhs, "the same element type");
    check_scale(kernel, to.scale);
    check_zero_point(kernel, to.zero_point);
    if (to.scale.size() != 1 || to.zero_point.size() != 1)
        fail_pair(kernel, "the result's scale", to.scale, "its zero point", to.zero_point, "one element each");
}

} // namespace detail

/// Broadcasts and adds quantised tensors. Requantises the operands as `to`, adds them and subtracts one zero point. The
/// result keeps the operands' element type.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error if the operands do not share one of the types int8 to int32, uint8 and uint16, if shapes do
///           not broadcast, or if a scale or zero point does not fit.
constexpr void quantized_add(const tensor& lhs, const quantization& l, const tensor& rhs, const quantization& r,
                             const quantization& to, tensor& out, quantized_workspace& space) {
    detail::check_operands("quantized_add", lhs, rhs, to);
    requantize(lhs, l, to, {}, dtype::int32, space.lhs);
    requantize(rhs, r, to, {}, dtype::int32, space.rhs);
    add(space.lhs, space.rhs, space.result);
    detail::rescale("quantized_add", space.result, detail::zero_at(to.zero_point, 0), {1.0, {}}, 0, lhs.type(), out);
}

/// Broadcasts and multiplies quantised tensors. The result has the quantisation `to` and the operands' element type.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   as `quantized_add`; also if an operand has several scales, or if the ratio of the scales is not positive
///           and finite.
constexpr void quantized_multiply(const tensor& lhs, const quantization& l, const tensor& rhs, const quantization& r,
                                  const quantization& to, tensor& out, quantized_workspace& space) {
    detail::check_operands("quantized_multiply", lhs, rhs, to);
    detail::check_scale("quantized_multiply", l.scale);
    detail::check_scale("quantized_multiply", r.scale);
    if (l.scale.size() != 1 || r.scale.size() != 1)
        detail::fail_pair("quantized_multiply", "lhs's scale", l.scale, "rhs's scale", r.scale, "one element each");
    subtract_zero_point(lhs, l.zero_point, l.axis, space.lhs);
    subtract_zero_point(rhs, r.zero_point, r.axis, space.rhs);
    multiply(space.lhs, space.rhs, space.result);
    const float scale =
        detail::scale_at("quantized_multiply", l.scale, 0) * detail::scale_at("quantized_multiply", r.scale, 0);
    const auto ratio =
        static_cast<double>(scale) / static_cast<double>(detail::scale_at("quantized_multiply", to.scale, 0));
    if (!(ratio > 0) || !element::isfinite{}(ratio))
        detail::fail("quantized_multiply", {"a ratio of scales of ", ratio}, "a positive number");
    detail::rescale("quantized_multiply", space.result, 0, {ratio, {}}, detail::zero_at(to.zero_point, 0), lhs.type(),
                    out);
}

} // namespace tutti::kernel
