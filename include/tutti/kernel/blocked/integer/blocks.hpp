#pragma once

#include <tutti/kernel/blocked/common/products.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Vectors of int32, and blocks of integers of at most 32 bits converted to int32.

namespace tutti::kernel::blocked {

typedef std::uint64_t double_words __attribute__((vector_size(vector_bytes))); // NOLINT: see `floats`

/// Loads a vector from an address, aligned or not.
[[gnu::always_inline]] inline signed_words load(const std::int32_t* from) {
    signed_words v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

[[gnu::always_inline]] inline void store(const signed_words& v, std::int32_t* to) {
    __builtin_memcpy(to, &v, sizeof v);
}

/// Returns the products of the lower halves of corresponding elements.
[[gnu::always_inline]] inline double_words lower_products(const double_words& a, const double_words& b) {
    // Clang compiles a product of two masked operands to one instruction, GCC does not.
#if defined(__clang__) || !defined(__SSE2__) || (defined(__AVX__) && !defined(__AVX2__))
    return (a & 0xFFFF'FFFFU) * (b & 0xFFFF'FFFFU);
#else
    typedef int operand __attribute__((vector_size(vector_bytes))); // NOLINT
#if defined(__AVX512F__)
    typedef long long result __attribute__((vector_size(vector_bytes))); // NOLINT
    return (double_words)__builtin_ia32_pmuludq512_mask((operand)a, (operand)b, result{}, 0xFF);
#elif defined(__AVX2__)
    return (double_words)__builtin_ia32_pmuludq256((operand)a, (operand)b);
#else
    return (double_words)__builtin_ia32_pmuludq128((operand)a, (operand)b);
#endif
#endif
}

namespace detail {

template <class T, std::size_t Bytes>
struct integer_vector {
    typedef T type __attribute__((vector_size(Bytes))); // NOLINT: see `floats`
};

/// Calls `f` with vectors of the operands' `n` elements of type T, as wide as the remaining elements allow. `out` may
/// be one of the operands.
template <class T, class F, class... Operands>
[[gnu::always_inline]] inline void each_integers(std::int64_t n, void* out, F f, const Operands*... in) {
    const auto run = [&]<class V>(std::int64_t at, V) {
        const auto read = [at](const void* from) {
            V v;
            __builtin_memcpy(&v, static_cast<const std::uint8_t*>(from) + at, sizeof v);
            return v;
        };
        const V made = f(read(in)...);
        __builtin_memcpy(static_cast<std::uint8_t*>(out) + at, &made, sizeof made);
    };
    constexpr auto in_word = static_cast<std::int64_t>(sizeof(float) / sizeof(T));
    each_vector(n / in_word,
                [&]<class V>(std::int64_t i, V) { run(4 * i, typename integer_vector<T, sizeof(V)>::type{}); });
    for (std::int64_t i = n / in_word * in_word; i < n; ++i)
        run(i * static_cast<std::int64_t>(sizeof(T)), typename integer_vector<T, sizeof(T)>::type{});
}

/// The length of a block of int32. Its memory has `block_room` elements: vectors may extend past the last element.
inline constexpr std::int64_t block_length = kernel::detail::block_length;
inline constexpr std::int64_t converted_length = 64;
inline constexpr std::int64_t block_room = block_length + converted_length;

/// Converts `converted_length` elements. The number is fixed so that compilers use whole vectors. Explicit vectors
/// would be slower: GCC converts vectors of bytes element by element.
template <class From, class To>
[[gnu::always_inline]] inline void convert_some(const From* __restrict from, To* __restrict to) {
    for (std::int64_t i = 0; i < converted_length; ++i) to[i] = static_cast<To>(from[i]);
}

/// Calls `f(std::type_identity<T>{})` with an integer type. Requires: the type has at most 32 bits and is not uint32.
template <class F>
[[gnu::always_inline]] inline void with_small_type(dtype type, F f) {
    switch (type) {
    case dtype::int8:
        return f(std::type_identity<std::int8_t>{});
    case dtype::uint8:
        return f(std::type_identity<std::uint8_t>{});
    case dtype::int16:
        return f(std::type_identity<std::int16_t>{});
    case dtype::uint16:
        return f(std::type_identity<std::uint16_t>{});
    default:
        return f(std::type_identity<std::int32_t>{});
    }
}

/// Returns elements `first` to `first + n` as int32: in place if they are int32, else in `room`.
[[gnu::noinline]] inline const std::int32_t* read_ints(const tensor& t, std::int64_t first, std::int64_t n,
                                                       std::int32_t* room) {
    if (t.type() == dtype::int32) return t.data<std::int32_t>() + first;
    with_small_type(t.type(), [&]<class T>(std::type_identity<T>) {
        const T* const from = t.data<T>() + first;
        std::int64_t i = 0;
        for (; i + converted_length <= n; i += converted_length) convert_some(from + i, room + i);
        if (i == n) return;
        T rest[converted_length] = {};
        std::copy_n(from + i, n - i, rest);
        convert_some(rest, room + i);
    });
    return room;
}

/// Stores the first `n` elements of a block, truncated to the element type. May read up to `converted_length` elements
/// after them.
[[gnu::noinline]] inline void write_ints(const std::int32_t* made, std::int64_t n, tensor& t, std::int64_t first) {
    with_small_type(t.type(), [&]<class T>(std::type_identity<T>) {
        T* const to = t.mutable_data<T>() + first;
        std::int64_t i = 0;
        for (; i + converted_length <= n; i += converted_length) convert_some(made + i, to + i);
        if (i == n) return;
        T rest[converted_length];
        convert_some(made + i, rest);
        std::copy_n(rest, n - i, to + i);
    });
}

} // namespace detail
} // namespace tutti::kernel::blocked
