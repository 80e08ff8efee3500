#pragma once

#include <tutti/kernel/float16.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tutti::kernel {

/// The upper half of an IEEE 754 binary32, stored as its bits; arithmetic goes through float.
///
/// Rounds to nearest, ties to even; overflow yields an infinity, NaN stays a (quiet) NaN.
struct bfloat16 {
    std::uint16_t bits = 0;

    constexpr bfloat16() = default;
    constexpr explicit bfloat16(float value) : bits(round(std::bit_cast<std::uint32_t>(value))) {}

    constexpr explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

    /// Returns the value with these bits.
    static constexpr bfloat16 from_bits(std::uint16_t bits) {
        bfloat16 b;
        b.bits = bits;
        return b;
    }

private:
    static constexpr std::uint16_t round(std::uint32_t f) {
        if ((f & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((f >> 16) | 0x40U); // NaN
        // A carry out of the mantissa increments the exponent, which is correct, even if the result is infinity.
        return static_cast<std::uint16_t>((f + 0x7FFFU + ((f >> 16) & 1U)) >> 16);
    }
};

/// True if T is a 16-bit floating-point type; arithmetic on such types is done in float.
template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

/// The type for computing with elements of type T: float for 16-bit types, else T.
template <class T>
using compute_type = std::conditional_t<is_half<T>, float, T>;

} // namespace tutti::kernel
