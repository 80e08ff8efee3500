#pragma once

#include <tutti/kernel/dtype.hpp>

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

// Conversion of elements of narrow types. The functions read a description of the type; none is a template.

namespace tutti::kernel::detail {

/// The encoding of a narrow floating-point type: a sign, an exponent and the mantissa's fraction, from the highest bit.
/// Source: OCP 8-bit Floating Point Specification 1.0 (e4m3fn, e5m2); OCP Microscaling Formats Specification 1.0
/// (e2m1fn, e8m0fnu); Noune et al., "8-bit numerical formats for deep neural networks", 2022 (e4m3fnuz, e5m2fnuz).
struct narrow_format {
    int fraction_bits;
    int bias;
    std::uint8_t greatest; ///< the code of the greatest finite number
    std::uint8_t infinity; ///< 0 if the type has none
    std::uint8_t nan;      ///< 0 if the type has none
    std::uint8_t sign;     ///< the sign bit; 0 if the type has none
    bool has_negative_zero;
};

constexpr narrow_format format_of(dtype type) {
    switch (type) {
    case dtype::float8_e4m3fn:
        return {3, 7, 0x7E, 0, 0x7F, 0x80, true};
    case dtype::float8_e4m3fnuz:
        return {3, 8, 0x7F, 0, 0x80, 0x80, false};
    case dtype::float8_e5m2:
        return {2, 15, 0x7B, 0x7C, 0x7E, 0x80, true};
    case dtype::float8_e5m2fnuz:
        return {2, 16, 0x7F, 0, 0x80, 0x80, false};
    case dtype::float8_e8m0fnu:
        return {0, 127, 0xFE, 0, 0xFF, 0, false};
    default:
        assert(type == dtype::float4_e2m1fn);
        return {1, 1, 0x07, 0, 0, 0x08, true};
    }
}

/// Returns the exact value of an element of a narrow floating-point type.
constexpr float decoded(dtype type, std::uint8_t code) {
    const narrow_format f = format_of(type);
    if (f.nan != 0 && (code == f.nan || code == (f.nan | f.sign))) return std::bit_cast<float>(0x7FC00000U);
    if (type == dtype::float8_e8m0fnu) // all codes are powers of two; the least is subnormal in float
        return std::bit_cast<float>(code == 0 ? 0x00400000U : std::uint32_t{code} << 23);
    const unsigned magnitude = code & (f.sign - 1U);
    const std::uint32_t sign = (code & f.sign) != 0 ? 0x80000000U : 0;
    if (f.infinity != 0 && magnitude > f.greatest)
        return std::bit_cast<float>(magnitude == f.infinity ? sign | 0x7F800000U : 0x7FC00000U);
    const int exponent = static_cast<int>(magnitude >> f.fraction_bits);
    const auto fraction = static_cast<int>(magnitude & ((1U << f.fraction_bits) - 1));
    const int significand = exponent == 0 ? fraction : fraction + (1 << f.fraction_bits);
    const int scale = (exponent == 0 ? 1 : exponent) - f.bias - f.fraction_bits;
    const float power = std::bit_cast<float>(static_cast<std::uint32_t>(scale + 127) << 23);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(significand) * power) | sign);
}

/// Returns the power of two that is nearest to a positive number, as an element of float8_e8m0fnu. Ties go to the
/// greater power. Zero becomes the least power; a number beyond the greatest power becomes NaN.
constexpr std::uint8_t encoded_power(std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 23;
    const std::uint32_t fraction = bits & 0x7FFFFFU;
    const std::uint32_t half = exponent == 0 ? 0x600000U : 0x400000U; // 2^-127 is subnormal in float
    return static_cast<std::uint8_t>(exponent + (exponent < 0xFF && fraction >= half ? 1 : 0));
}

/// Returns the element of a narrow floating-point type that is nearest to x, ties to even.
///
/// Numbers beyond the greatest finite number become an infinity, or NaN if the type has no infinity, or the greatest
/// number if the type has neither. NaN becomes -0 in a type without NaN, as in ONNX's tests. Negative numbers become
/// NaN in float8_e8m0fnu, which has only positive powers of two.
constexpr std::uint8_t encoded(dtype type, float x) {
    const narrow_format f = format_of(type);
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const bool is_negative = bits != magnitude;
    const auto sign = static_cast<std::uint8_t>(is_negative ? f.sign : 0);
    if (magnitude > 0x7F800000U) return f.nan != 0 ? f.nan : f.sign;
    if (type == dtype::float8_e8m0fnu) return is_negative && magnitude != 0 ? f.nan : encoded_power(magnitude);

    // Rounds the significand to the bits that the type has for this exponent. Below the normal numbers, all exponents
    // count as the least exponent. Numbers that are subnormal in float become 0.
    const int least = 1 - f.bias;
    const int exponent = static_cast<int>(magnitude >> 23) - 127;
    const int drop = 23 - f.fraction_bits + (exponent < least ? least - exponent : 0);
    std::uint32_t code = 0;
    if (drop <= 24) {
        const std::uint32_t significand = (magnitude & 0x7FFFFFU) | 0x800000U;
        const std::uint32_t rest = significand & ((1U << drop) - 1);
        const std::uint32_t half = 1U << (drop - 1);
        code = significand >> drop;
        if (rest > half || (rest == half && (code & 1U) != 0)) ++code;
        // The significand's leading bit, and a carry out of the fraction, increment the exponent.
        if (exponent > least) code += static_cast<std::uint32_t>(exponent - least) << f.fraction_bits;
    }
    if (code > f.greatest) code = f.infinity != 0 ? f.infinity : f.nan != 0 ? f.nan : f.greatest;
    return code == 0 && !f.has_negative_zero ? 0 : static_cast<std::uint8_t>(code | sign);
}

/// Wraps an integer to the range of a narrow integer type, and returns the byte that stores the result.
constexpr std::uint8_t wrapped(dtype type, std::uint64_t x) {
    const std::uint64_t values = std::uint64_t{1} << bits(type);
    const std::uint64_t low = x & (values - 1);
    const bool is_negative = values_of(type).least != 0 && low >= values / 2;
    return static_cast<std::uint8_t>(is_negative ? low - values : low);
}

} // namespace tutti::kernel::detail

namespace tutti::kernel {

/// Returns the greatest finite number of a narrow floating-point type.
constexpr double greatest_of(dtype type) { return detail::decoded(type, detail::format_of(type).greatest); }

/// Normalises elements from outside the library for kernels: a bool becomes 0 or 1, a narrow integer is sign- or
/// zero-extended to a byte, and a 4-bit float loses its unused bits. Other types may have any bits.
constexpr void make_valid(dtype type, unsigned char* elements, std::size_t bytes) {
    if (bits(type) >= 8) return;
    for (std::size_t i = 0; i < bytes; ++i) {
        if (type == dtype::boolean)
            elements[i] = elements[i] != 0 ? 1 : 0;
        else if (is_narrow_integer(type))
            elements[i] = detail::wrapped(type, elements[i]);
        else
            elements[i] = static_cast<unsigned char>(elements[i] & 0x0FU);
    }
}

/// True if files pack elements of this type: two or four in a byte, the first one in the lowest bits.
constexpr bool is_packed(dtype type) { return is_narrow(type) && bits(type) < 8; }

/// Returns the number of bytes of packed elements. Requires: `is_packed(type)`.
constexpr std::uint64_t packed_size(dtype type, std::uint64_t count) {
    const std::uint64_t in_byte = 8 / bits(type);
    return count / in_byte + (count % in_byte != 0 ? 1 : 0);
}

/// Packs elements into `packed_size(type, count)` bytes. Requires: `is_packed(type)`; the bytes are initially 0.
constexpr void pack(dtype type, const unsigned char* elements, std::size_t count, unsigned char* packed) {
    const std::size_t each = bits(type), in_byte = 8 / each;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned low = elements[i] & ((1U << each) - 1);
        packed[i / in_byte] = static_cast<unsigned char>(packed[i / in_byte] | low << (i % in_byte * each));
    }
}

/// Unpacks `count` elements in place.
///
/// Requires: `is_packed(type)`; the packed elements are the last `packed_size(type, count)` bytes of `elements`.
constexpr void unpack(dtype type, unsigned char* elements, std::size_t count) {
    const std::size_t each = bits(type), in_byte = 8 / each;
    const std::size_t begin = count - packed_size(type, count);
    for (std::size_t i = 0; i < count; ++i) // never reads a byte already written
        elements[i] = static_cast<unsigned char>(elements[begin + i / in_byte] >> (i % in_byte * each));
    make_valid(type, elements, count);
}

} // namespace tutti::kernel
