#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/blocked/integer/fixed_point.hpp>
#include <tutti/kernel/blocked/integer/quantize.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Arithmetic on quantised tensors with one scale and one zero point each. Results equal those of the reference's
// kernels, but there are no intermediate tensors.

namespace tutti::kernel::blocked {

/// Two quantised operands.
struct quantized_pair {
    const tensor& lhs;
    const quantization& l;
    const tensor& rhs;
    const quantization& r;
};

namespace detail {

/// Calls `f(x, y, n, made)` for each block of the result. x and y hold the operands' elements as int32, and `f` stores
/// `n` elements of the result in `made`. Each array has the size of a block.
template <class F>
inline void each_pair(const tensor& lhs, const tensor& rhs, tensor& out, executor_ref on, F f) {
    const tensor* const operands[2]{&lhs, &rhs};
    strided_rows<2> rows(out.shape(),
                         {broadcast_strides(lhs.shape(), out.shape()), broadcast_strides(rhs.shape(), out.shape())});
    const bool at_once = out.size() >= 1 << 14 && rows.length() == out.size();
    const auto blocks = static_cast<std::size_t>((rows.length() + block_length - 1) / block_length);
    for (; !rows.done(); rows.next())
        for_each_index(
            at_once ? on : executor_ref{}, blocks,
            [&](std::size_t i) {
                alignas(64) std::int32_t room[2][block_room];
                alignas(64) std::int32_t made[block_room];
                const std::int64_t first = static_cast<std::int64_t>(i) * block_length;
                const std::int64_t n = std::min(block_length, rows.length() - first);
                const std::int32_t* x[2];
                for (std::size_t k = 0; k < 2; ++k) {
                    const bool single = rows.step(k) == 0;
                    x[k] = read_ints(*operands[k], rows.operand(k) + (single ? 0 : first), single ? 1 : n, room[k]);
                    if (single)
                        std::fill_n(room[k], n, std::int32_t{*x[k]});
                    else if (x[k] != room[k])
                        std::copy_n(x[k], n, room[k]);
                }
                f(room[0], room[1], n, made);
                write_ints(made, n, out, rows.result() + first);
            },
            coarse_grain(on, blocks));
}

/// Returns the shape of the result, or nothing if the operands or quantisations are not supported.
inline std::optional<extents> combined_shape(const quantized_pair& of, const quantization& to) {
    const auto& [lhs, l, rhs, r] = of;
    if (!kernel::detail::is_quantized(lhs.type()) || rhs.type() != lhs.type() || !is_single(l) || !is_single(r) ||
        !is_single(to) || l.scale.rank() > 1 || l.zero_point.rank() > 1 || r.scale.rank() > 1 ||
        r.zero_point.rank() > 1 || lhs.rank() > max_rank || rhs.rank() > max_rank)
        return std::nullopt;
    return broadcast_shape(lhs.shape(), rhs.shape());
}

/// Computes the sum or, if `difference` is true, the difference of the operands. `to` is the quantisation of the
/// result.
inline bool quantized_sum(std::string_view kernel, bool difference, const quantized_pair& of, const quantization& to,
                          tensor& out, executor_ref on) {
    const tensor& lhs = of.lhs;
    const tensor& rhs = of.rhs;
    constexpr std::int64_t limit = 1 << 29; // prevents overflow
    const std::optional<extents> shape = combined_shape(of, to);
    if (!shape) return false;
    const std::int64_t new_zero = kernel::detail::zero_at(to.zero_point, 0);
    result_range range;
    if (new_zero < -limit || new_zero > limit || !range.set(new_zero, lhs.type())) return false;
    const auto new_scale = static_cast<double>(kernel::detail::scale_at("requantize", to.scale, 0));
    ratio_factors factors[2];
    for (const quantization* q : {&of.l, &of.r}) {
        const auto scale = static_cast<double>(kernel::detail::scale_at("requantize", q->scale, 0));
        ratio_factor f;
        if (!f.set(scale / new_scale, rounding::upward, kernel::detail::zero_at(q->zero_point, 0),
                   values_of(lhs.type()), limit))
            return false;
        factors[q == &of.r].fill(f);
    }
    kernel::detail::make_result(kernel, lhs.type(), *shape, out);
    const std::int32_t sign = difference ? -1 : 0;
    each_pair(lhs, rhs, out, on, [&](std::int32_t* x, std::int32_t* y, std::int64_t n, std::int32_t* made) {
        multiply<rounding::upward, true>(x, n, block_room, factors, {}, x);
        multiply<rounding::upward, true>(y, n, block_room, factors + 1, {}, y);
        for (std::int64_t i = 0; i < n; i += lanes)
            store(range.brought(load(x + i) + ((load(y + i) ^ sign) - sign)), made + i);
    });
    return true;
}

} // namespace detail

/// Computes `kernel::quantized_add` for operands with one scale and one zero point each. Does nothing and returns false
/// for other operands, and if intermediate sums may come close to the bounds of int32.
///
/// Throws: as `kernel::quantized_add`, for a scale that is not positive.
inline bool quantized_add(const quantized_pair& of, const quantization& to, tensor& out, executor_ref on = {}) {
    return detail::quantized_sum("quantized_add", false, of, to, out, on);
}

/// Computes `kernel::quantized_subtract` for the operands that `quantized_add` supports. Does nothing and returns false
/// for other operands.
///
/// Throws: as `kernel::quantized_subtract`, for a scale that is not positive.
inline bool quantized_subtract(const quantized_pair& of, const quantization& to, tensor& out, executor_ref on = {}) {
    return detail::quantized_sum("quantized_subtract", true, of, to, out, on);
}

/// Computes `kernel::quantized_multiply` for operands with one scale and one zero point each. Products may wrap, as in
/// the reference. Does nothing and returns false for other operands, and if the ratio of the scales is too large
/// or too small.
///
/// Throws: as `kernel::quantized_multiply`, for a scale that is not positive.
inline bool quantized_multiply(const quantized_pair& of, const quantization& to, tensor& out, executor_ref on = {}) {
    constexpr std::string_view kernel = "quantized_multiply";
    const auto& [lhs, l, rhs, r] = of;
    const std::optional<extents> shape = detail::combined_shape(of, to);
    detail::result_range range;
    if (!shape || !range.set(kernel::detail::zero_at(to.zero_point, 0), lhs.type())) return false;
    const float scale = kernel::detail::scale_at(kernel, l.scale, 0) * kernel::detail::scale_at(kernel, r.scale, 0);
    const auto ratio = static_cast<double>(scale) / static_cast<double>(kernel::detail::scale_at(kernel, to.scale, 0));
    const std::int64_t zero[2]{kernel::detail::zero_at(l.zero_point, 0), kernel::detail::zero_at(r.zero_point, 0)};
    // For bytes with zero points of at most 256 in magnitude, products are at most 2^18 in magnitude.
    integer_range products = values_of(dtype::int32);
    const auto is_byte = [](std::int64_t x) { return x >= -256 && x <= 256; };
    if (bytes(lhs.type()) == 1 && is_byte(zero[0]) && is_byte(zero[1])) products = {-(1 << 18), 1 << 18};
    detail::ratio_factor factor;
    if (!factor.set(ratio, rounding::upward, 0, products)) return false;
    detail::ratio_factors factors;
    factors.fill(factor);
    kernel::detail::make_result(kernel, lhs.type(), *shape, out);
    const auto less = [&](const std::int32_t* x, int k) {
        return (words)load(x) - static_cast<std::uint32_t>(zero[k]);
    };
    detail::each_pair(lhs, rhs, out, on, [&](std::int32_t* x, std::int32_t* y, std::int64_t n, std::int32_t* made) {
        for (std::int64_t i = 0; i < n; i += lanes) store((signed_words)(less(x + i, 0) * less(y + i, 1)), x + i);
        detail::multiply<rounding::upward, true>(x, n, detail::block_room, &factors, range, made);
    });
    return true;
}

} // namespace tutti::kernel::blocked
