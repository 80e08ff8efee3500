#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/blocked/integer/channels.hpp>
#include <tutti/kernel/blocked/integer/fixed_point.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

// Quantisation and rescaling of quantised elements. Results equal those of the reference's kernels.

namespace tutti::kernel::blocked {

namespace detail {

/// The zero points of a tensor: one for all channels, or one for each channel.
class channel_zeros {
public:
    explicit channel_zeros(const tensor& zero_point)
        : all_(zero_point), first_(kernel::detail::zero_at(zero_point, 0)) {}
    std::int64_t operator()(std::int64_t channel) const {
        return all_.size() == 1 ? first_ : kernel::detail::zero_at(all_, channel);
    }

private:
    const tensor& all_;
    std::int64_t first_;
};

/// True if there is a single scale and a single zero point.
inline bool is_single(const quantization& q) {
    return q.scale.size() == 1 && q.zero_point.size() == 1 && is_floating(q.scale.type()) &&
           kernel::detail::is_quantized(q.zero_point.type());
}

/// Quantises the elements of a channel. The bounds apply before the zero point is added.
struct step_factor {
    float scale = 1;
    float least = 0;
    float greatest = 0;
    std::int32_t zero = 0;

    /// Sets the factor. Returns false if some results are not exact in float32.
    bool set(float s, std::int64_t new_zero, dtype type) {
        constexpr std::int64_t most = 1 << 20;
        if (bytes(type) > 2 || new_zero < -most || new_zero > most) return false;
        const integer_range range = values_of(type);
        scale = s;
        least = static_cast<float>(range.least - new_zero);
        greatest = static_cast<float>(range.greatest - new_zero);
        zero = static_cast<std::int32_t>(new_zero);
        return true;
    }
};
struct step_factors {
    floats scale;
    floats least;
    floats greatest;
    signed_words zero;

    void set(std::int64_t lane, const step_factor& f) {
        scale[lane] = f.scale;
        least[lane] = f.least;
        greatest[lane] = f.greatest;
        zero[lane] = f.zero;
    }
    void fill(const step_factor& f) {
        *this = {floats{} + f.scale, floats{} + f.least, floats{} + f.greatest, signed_words{} + f.zero};
    }
    /// Returns the quantised elements of a vector. Rounds halves away from zero; NaN yields the maximum.
    [[gnu::always_inline]] signed_words of(const floats& x) const {
        constexpr float below_half = 0x1.FFFFFEp-2F; // adding 0.5 would round the number below 0.5 to 1
        floats steps = x / scale;
        steps = steps < greatest ? steps : greatest;
        steps = steps > least ? steps : least;
        const signed_words sign = (signed_words)steps & std::numeric_limits<std::int32_t>::min();
        const auto half = (floats)((signed_words)(floats{} + below_half) | sign);
        return __builtin_convertvector(steps + half, signed_words) + zero;
    }
};

/// Dequantises the elements of a channel.
struct value_factor {
    float scale = 1;
    std::int32_t zero = 0;

    /// Sets the factor. Returns false if the difference between an element and the zero point may not fit in int32.
    bool set(float s, std::int64_t new_zero, dtype type) {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        const integer_range range = values_of(type);
        if (range.least - new_zero < -most - 1 || range.greatest - new_zero > most) return false;
        scale = s;
        zero = static_cast<std::int32_t>(new_zero);
        return true;
    }
};
struct value_factors {
    floats scale;
    signed_words zero;

    void set(std::int64_t lane, const value_factor& f) {
        scale[lane] = f.scale;
        zero[lane] = f.zero;
    }
    void fill(const value_factor& f) { *this = {floats{} + f.scale, signed_words{} + f.zero}; }
    [[gnu::always_inline]] floats of(const signed_words& x) const {
        return __builtin_convertvector(x - zero, floats) * scale;
    }
};

/// Applies `factors` to `n` elements of `from` in whole vectors, like `multiply`. `step` is 0 if all vectors share the
/// same factors.
template <class From, class To, class Factors>
[[gnu::noinline]] inline void map_vectors(const From* from, std::int64_t n, std::int64_t readable,
                                          const Factors* factors, std::int64_t step, To* to) {
    alignas(64) From rest[lanes] = {};
    for (std::int64_t i = 0; i < n; i += lanes, factors += step) {
        const From* x = from + i;
        if (i + lanes > readable) {
            std::copy_n(x, n - i, rest);
            x = rest;
        }
        store(factors->of(load(x)), to + i);
    }
}

} // namespace detail

/// Computes `kernel::quantize` to elements of 8 or 16 bits. `room` is scratch memory.
///
/// Leaves `out` unchanged and returns false for other types and for empty tensors, and if the scale or zero point does
/// not fit.
/// Throws: as `kernel::quantize`, for a scale that is not positive.
inline bool quantize(const tensor& data, const quantization& q, dtype type, tensor& out, tensor& room,
                     executor_ref on = {}) {
    detail::channel_rows rows;
    if (data.type() != dtype::float32 || !kernel::detail::is_quantized(type) || !rows.set(data, q)) return false;
    const detail::channel_zeros zero(q.zero_point);
    detail::channel_factors<detail::step_factor, detail::step_factors> factors;
    const bool known = factors.set(rows, room, [&](std::int64_t c, detail::step_factor& f) {
        return f.set(kernel::detail::scale_at("quantize", q.scale, c), zero(c), type);
    });
    if (!known) return false;
    kernel::detail::make_result("quantize", type, data.shape(), out);
    const auto* const from = data.data<float>();
    factors.each_block(on, data.size(), [&](std::int64_t first, std::int64_t n, const auto& each_row) {
        alignas(64) std::int32_t made[detail::block_room];
        each_row([&](std::int64_t at, std::int64_t count, const detail::step_factors* f) {
            detail::map_vectors(from + first + at, count, data.size() - first - at, f, rows.are_short(), made + at);
        });
        detail::write_ints(made, n, out, first);
    });
    return true;
}

/// Computes `kernel::dequantize`. `room` is scratch memory.
///
/// Leaves `out` unchanged and returns false for empty tensors, for types that `kernel::dequantize` does not support,
/// and if the scale or zero point does not fit.
/// Throws: as `kernel::dequantize`, for a scale that is not positive.
inline bool dequantize(const tensor& data, const quantization& q, tensor& out, tensor& room, executor_ref on = {}) {
    detail::channel_rows rows;
    if (!kernel::detail::is_quantized(data.type()) || !rows.set(data, q)) return false;
    const detail::channel_zeros zero(q.zero_point);
    detail::channel_factors<detail::value_factor, detail::value_factors> factors;
    const bool known = factors.set(rows, room, [&](std::int64_t c, detail::value_factor& f) {
        return f.set(kernel::detail::scale_at("dequantize", q.scale, c), zero(c), data.type());
    });
    if (!known) return false;
    kernel::detail::make_result("dequantize", dtype::float32, data.shape(), out);
    auto* const to = out.mutable_data<float>();
    factors.each_block(on, data.size(), [&](std::int64_t first, std::int64_t n, const auto& each_row) {
        alignas(64) std::int32_t read[detail::block_room];
        alignas(64) float made[detail::block_room];
        const std::int32_t* const x = detail::read_ints(data, first, n, read);
        each_row([&](std::int64_t at, std::int64_t count, const detail::value_factors* f) {
            detail::map_vectors(x + at, count, n - at, f, rows.are_short(), made + at);
        });
        std::copy_n(made, n, to + first);
    });
    return true;
}

/// `kernel::requantize` for tensors of one type and shape, with precomputed ratios.
class requantization {
public:
    /// Computes the ratios and stores them in `room`, which must live as long as they are used. Does not read the
    /// data's elements. Returns false if this kernel does not support the operands.
    ///
    /// Throws: as `kernel::requantize`, for a scale that is not positive.
    bool set(const tensor& data, const quantization& from, const quantization& to, const requantize_options& options,
             dtype type, tensor& room) {
        if (!kernel::detail::is_quantized(data.type()) || !kernel::detail::is_quantized(type) ||
            options.arithmetic != requantize_arithmetic::fixed_point || !rows_.set(data, from))
            return false;
        if (!detail::is_single(to) || !range_.set(kernel::detail::zero_at(to.zero_point, 0), type)) return false;
        const auto new_scale = static_cast<double>(kernel::detail::scale_at("requantize", to.scale, 0));
        const detail::channel_zeros zero(from.zero_point);
        data_type_ = data.type();
        shape_ = extents(data.shape());
        type_ = type;
        rounding_ = options.rounding;
        return factors_.set(rows_, room, [&](std::int64_t c, detail::ratio_factor& f) {
            const auto scale = static_cast<double>(kernel::detail::scale_at("requantize", from.scale, c));
            return f.set(scale / new_scale, rounding_, zero(c), values_of(data_type_));
        });
    }

    bool is_for(const tensor& data) const {
        return data.type() == data_type_ && std::ranges::equal(data.shape(), std::span<const std::int64_t>(shape_));
    }

    /// Requires: `is_for(data)`.
    void run(const tensor& data, tensor& out, executor_ref on) const {
        kernel::detail::make_result("requantize", type_, data.shape(), out);
        const auto multiply = detail::multiply_for(rounding_, !rows_.are_short());
        factors_.each_block(on, data.size(), [&](std::int64_t first, std::int64_t n, const auto& each_row) {
            alignas(64) std::int32_t read[detail::block_room];
            alignas(64) std::int32_t made[detail::block_room];
            const std::int32_t* const x = detail::read_ints(data, first, n, read);
            each_row([&](std::int64_t at, std::int64_t count, const detail::ratio_factors* f) {
                multiply(x + at, count, n - at, f, range_, made + at);
            });
            detail::write_ints(made, n, out, first);
        });
    }

private:
    dtype data_type_ = dtype::none;
    extents shape_{};
    dtype type_ = dtype::none;
    rounding rounding_{};
    detail::channel_rows rows_;
    detail::result_range range_;
    detail::channel_factors<detail::ratio_factor, detail::ratio_factors> factors_;
};

} // namespace tutti::kernel::blocked
