#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>

#include <cstdint>

// Elements of register tiles: float32, or several integers in four bytes.

namespace tutti::kernel::blocked {

/// The kind of products that a tile sums. Elements are carried as float32, whatever their four bytes hold; sums of
/// integers are int32 and wrap.
enum class products : std::uint8_t {
    float32,        ///< float32
    pairs,          ///< int16: each element holds two values and contributes two products
    quads,          ///< bytes, signed in the first operand and unsigned in the second: each element holds four
    unsigned_quads, ///< unsigned bytes in the first operand and signed in the second
};

/// True if the target has an instruction for products of bytes.
#if (defined(__AVX512VNNI__) && defined(__AVX512F__)) || (defined(__AVXVNNI__) && !defined(__AVX512F__))
inline constexpr bool has_quads = true;
#else
inline constexpr bool has_quads = false;
#endif

/// Registers of int32, of uint32 (its arithmetic wraps) and of int16.
typedef std::int32_t signed_words __attribute__((vector_size(vector_bytes))); // NOLINT: see `floats`
typedef std::uint32_t words __attribute__((vector_size(vector_bytes)));       // NOLINT
typedef std::int16_t shorts __attribute__((vector_size(vector_bytes)));       // NOLINT

namespace detail {

/// Returns `sums` plus, for each lane, the two products of int16 in `a` and `b`.
[[gnu::always_inline]] inline words add_pairs(const words& sums, const signed_words& a, const signed_words& b) {
#if defined(__AVX512VNNI__) && defined(__clang__)
    return words(__builtin_ia32_vpdpwssd512(signed_words(sums), a, b));
#elif defined(__AVX512VNNI__)
    return words(__builtin_ia32_vpdpwssd_v16si(signed_words(sums), a, b));
#elif defined(__AVX512BW__) && defined(__clang__)
    return sums + words(__builtin_ia32_pmaddwd512(shorts(a), shorts(b)));
#elif defined(__AVX512BW__)
    return sums + words(__builtin_ia32_pmaddwd512_mask(shorts(a), shorts(b), signed_words{}, 0xFFFF));
#elif defined(__AVX2__) && !defined(__AVX512F__)
    return sums + words(__builtin_ia32_pmaddwd256(shorts(a), shorts(b)));
#elif defined(__SSE2__) && !defined(__AVX__)
    return sums + words(__builtin_ia32_pmaddwd128(shorts(a), shorts(b)));
#else
    return sums + words((a << 16 >> 16) * (b << 16 >> 16)) + words((a >> 16) * (b >> 16));
#endif
}

/// Returns `sums` plus, for each lane, the four products of unsigned bytes in `a` and signed bytes in `b`. Requires:
/// `has_quads`.
[[gnu::always_inline]] inline words add_quads(const words& sums, [[maybe_unused]] const signed_words& a,
                                              [[maybe_unused]] const signed_words& b) {
#if defined(__AVX512VNNI__) && defined(__clang__)
    return words(__builtin_ia32_vpdpbusd512(signed_words(sums), a, b));
#elif defined(__AVX512VNNI__)
    return words(__builtin_ia32_vpdpbusd_v16si(signed_words(sums), a, b));
#elif defined(__AVXVNNI__) && !defined(__AVX512F__) && defined(__clang__)
    return words(__builtin_ia32_vpdpbusd256(signed_words(sums), a, b));
#elif defined(__AVXVNNI__) && !defined(__AVX512F__)
    return words(__builtin_ia32_vpdpbusd_v8si(signed_words(sums), a, b));
#else
    return sums;
#endif
}

} // namespace detail

/// The type of a register of sums.
template <products>
struct product_sums {
    using sums = words;
};
template <>
struct product_sums<products::float32> {
    using sums = floats;
};

/// Adds the products of one element of the first operand and a register of the second to a register of sums.
template <products How, class Sums>
[[gnu::always_inline]] inline void add_products(Sums& sums, const float* a, const floats& b) {
    if constexpr (How == products::float32) {
        sums += *a * b;
    } else {
        std::int32_t element = 0;
        __builtin_memcpy(&element, a, sizeof element);
        const signed_words first = signed_words{} + element;
        if constexpr (How == products::pairs)
            sums = detail::add_pairs(sums, first, signed_words(b));
        else if constexpr (How == products::quads)
            sums = detail::add_quads(sums, signed_words(b), first);
        else
            sums = detail::add_quads(sums, first, signed_words(b));
    }
}

} // namespace tutti::kernel::blocked
