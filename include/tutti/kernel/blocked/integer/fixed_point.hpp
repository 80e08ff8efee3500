#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/quantize.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

// Fixed-point multiplication of int32, a vector at a time.

namespace tutti::kernel::blocked::detail {

/// Multiplies integers by a ratio, like `integer_factor`. `(x + 2^31) * by + added`, modulo 2^64, is the product plus
/// half a step plus 2^63. The upper bits of this sum are the result plus `2^63 / 2^drop`.
struct ratio_factor {
    std::uint64_t by = 0;
    std::uint64_t added = 0;
    std::uint64_t half = 0; ///< Added once the sign is known, if halves round away from zero.
    std::uint64_t drop = 31;

    /// Sets the factor for the numbers in the range `x`, from which `zero` is subtracted. Returns false if a result may
    /// be outside [-limit, limit - 1], if products are too large, or if the ratio is not positive and finite.
    bool set(double ratio, rounding round, std::int64_t zero, const integer_range& x, double limit = 0x1p31) {
        const auto bits = std::bit_cast<std::uint64_t>(ratio);
        const std::int64_t dropped = 31 + 1022 - static_cast<std::int64_t>(bits >> 52);
        if (dropped < 1 || dropped > 1000) return false; // also if the ratio is not positive
        // Rounds the ratio's significand from 53 bits to 31.
        by = (((bits & 0xF'FFFF'FFFF'FFFFU) | std::uint64_t{1} << 52) + (1U << 21)) >> 22;
        drop = static_cast<std::uint64_t>(dropped);
        if (drop > 63) { // results are below half a step
            by = 0;
            drop = 63;
        }
        const auto step = static_cast<double>(std::uint64_t{1} << drop);
        const auto factor = static_cast<double>(by) / step;
        const auto least = static_cast<double>(x.least - zero);
        const auto greatest = static_cast<double>(x.greatest - zero);
        if (least < -0x1p31 || greatest >= 0x1p31 || least * factor < -limit || greatest * factor > limit - 1)
            return false;
        half = (std::uint64_t{1} << (drop - 1)) - (round == rounding::upward ? 0 : 1);
        added = (std::uint64_t{1} << 63) - by * ((std::uint64_t{1} << 31) + static_cast<std::uint64_t>(zero));
        if (round == rounding::upward) added += half;
        return true;
    }
};

/// The factors of the elements of a vector, separately for even and odd elements.
struct ratio_factors {
    double_words by[2];
    double_words added[2];
    double_words half[2];
    double_words drop[2];
    words above;

    void set(std::int64_t lane, const ratio_factor& f) {
        by[lane % 2][lane / 2] = f.by;
        added[lane % 2][lane / 2] = f.added;
        half[lane % 2][lane / 2] = f.half;
        drop[lane % 2][lane / 2] = f.drop;
        above[lane] = static_cast<std::uint32_t>(std::uint64_t{1} << (63 - f.drop));
    }
    void fill(const ratio_factor& f) {
        for (int i = 0; i < 2; ++i) {
            by[i] = double_words{} + f.by;
            added[i] = double_words{} + f.added;
            half[i] = double_words{} + f.half;
            drop[i] = double_words{} + f.drop;
        }
        above = words{} + static_cast<std::uint32_t>(std::uint64_t{1} << (63 - f.drop));
    }
};

/// Clamps results to the range of an element type and adds a zero point.
struct result_range {
    std::int32_t least = std::numeric_limits<std::int32_t>::min();
    std::int32_t greatest = std::numeric_limits<std::int32_t>::max();
    std::int32_t zero = 0;

    /// Sets the range. Returns false if no int32 maps into it.
    bool set(std::int64_t new_zero, dtype type) {
        const integer_range range = values_of(type);
        const std::int64_t low = std::max<std::int64_t>(least, range.least - new_zero);
        const std::int64_t high = std::min<std::int64_t>(greatest, range.greatest - new_zero);
        if (low > high) return false;
        least = static_cast<std::int32_t>(low);
        greatest = static_cast<std::int32_t>(high);
        zero = static_cast<std::int32_t>(new_zero);
        return true;
    }

    [[gnu::always_inline]] signed_words brought(signed_words x) const {
        x = x < least ? signed_words{} + least : x;
        x = x > greatest ? signed_words{} + greatest : x;
        return x + zero;
    }
};

/// Returns the rounded products of a vector; `shift(v, i)` shifts the even (0) or odd (1) products.
template <rounding Round, class Shift>
[[gnu::always_inline]] inline signed_words multiplied(const signed_words& x, const ratio_factors& f, Shift shift) {
    const auto part = [&](int i, const double_words& each) {
        double_words sum = lower_products(each, f.by[i]) + f.added[i];
        if constexpr (Round == rounding::to_nearest) sum += (sum >> 63) + f.half[i];
        return shift(sum, i);
    };
    const auto moved = (double_words)((words)x ^ 0x8000'0000U); // x + 2^31, unsigned
    const double_words even = part(0, moved);
    const double_words odd = part(1, moved >> 32);
    return (signed_words)((words)((even & 0xFFFF'FFFFU) | odd << 32) - f.above);
}

/// Multiplies `n` elements in whole vectors: `to` has room for the last vector, and `from` has `readable`
/// elements. If `Alike`, `factors[0]` applies to all elements; otherwise `factors[i]` applies to vector i.
template <rounding Round, bool Alike>
[[gnu::noinline]] inline void multiply(const std::int32_t* from, std::int64_t n, std::int64_t readable,
                                       const ratio_factors* factors, const result_range& range, std::int32_t* to) {
    const ratio_factors first = *factors;
    const auto drop = static_cast<int>(first.drop[0][0]);
    const result_range into = range;
    alignas(64) std::int32_t rest[lanes] = {};
    for (std::int64_t i = 0; i < n; i += lanes) {
        const std::int32_t* x = from + i;
        if (i + lanes > readable) {
            std::copy_n(x, n - i, rest);
            x = rest;
        }
        if constexpr (Alike) {
            const auto shift = [&](const double_words& v, int) { return v >> drop; };
            store(into.brought(multiplied<Round>(load(x), first, shift)), to + i);
        } else {
            const ratio_factors& f = factors[i / lanes];
            const auto shift = [&](const double_words& v, int part) { return v >> f.drop[part]; };
            store(into.brought(multiplied<Round>(load(x), f, shift)), to + i);
        }
    }
}

/// Returns the instance of `multiply` for a rounding mode.
inline auto multiply_for(rounding round, bool alike) {
    if (round == rounding::upward) return alike ? multiply<rounding::upward, true> : multiply<rounding::upward, false>;
    return alike ? multiply<rounding::to_nearest, true> : multiply<rounding::to_nearest, false>;
}

} // namespace tutti::kernel::blocked::detail
