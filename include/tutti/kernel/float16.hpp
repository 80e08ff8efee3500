#pragma once

#include <tutti/base/folder.hpp>

#include <bit>
#include <cstdint>

namespace tutti::kernel {

/// An IEEE 754 binary16 number, stored as its bits. Arithmetic is done in float.
///
/// Rounds to nearest, ties to even. Overflow yields an infinity; NaN stays a (quiet) NaN.
/// Source: IEEE 754-2019, 3.6 (interchange format parameters) and 4.3.1 (roundTiesToEven).
struct float16 {
    std::uint16_t bits = 0;

    constexpr float16() = default;
    constexpr explicit float16(float value) : bits(round(std::bit_cast<std::uint32_t>(value))) {}

    constexpr explicit operator float() const { return std::bit_cast<float>(widen(bits)); }

    /// Returns the number with the given bits.
    static constexpr float16 from_bits(std::uint16_t bits) {
        float16 h;
        h.bits = bits;
        return h;
    }

private:
    static constexpr std::uint16_t round(std::uint32_t f) {
        const auto sign = static_cast<std::uint16_t>((f >> 16) & 0x8000U);
        const std::uint32_t magnitude = f & 0x7FFFFFFFU;
        if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);  // NaN
        if (magnitude >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7C00U); // 65536 and above, infinity
        if (magnitude < 0x33000001U) return sign; // at most half the smallest subnormal: 0
        std::uint32_t mantissa = (magnitude & 0x7FFFFFU) | 0x800000U;
        const int exponent = static_cast<int>(magnitude >> 23) - 127;
        const int drop = exponent < -14 ? -1 - exponent : 13; // mantissa bits to drop
        const std::uint32_t rest = mantissa & ((1U << drop) - 1U);
        const std::uint32_t half = 1U << (drop - 1);
        mantissa >>= drop;
        if (rest > half || (rest == half && (mantissa & 1U) != 0)) ++mantissa;
        // A carry out of the mantissa correctly increments the exponent, even to the exponent of infinity.
        const std::uint32_t biased =
            exponent < -14 ? mantissa : mantissa + (static_cast<std::uint32_t>(exponent + 14) << 10);
        return static_cast<std::uint16_t>(sign | biased);
    }

    static constexpr std::uint32_t widen(std::uint16_t h) {
        const std::uint32_t sign = (h & 0x8000U) << 16;
        const std::uint32_t exponent = (h >> 10) & 0x1FU;
        std::uint32_t mantissa = h & 0x3FFU;
        if (exponent == 0x1F) return sign | 0x7F800000U | (mantissa << 13);
        if (exponent != 0) return sign | ((exponent + 112) << 23) | (mantissa << 13);
        if (mantissa == 0) return sign;
        const int shift = std::countl_zero(mantissa) - 21; // moves the leading bit to the implicit bit
        mantissa = (mantissa << shift) & 0x3FFU;
        return sign | (static_cast<std::uint32_t>(113 - shift) << 23) | (mantissa << 13);
    }
};

} // namespace tutti::kernel
