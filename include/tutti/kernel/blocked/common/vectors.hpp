#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>

// Vectors of the full width of the target: 512, 256 or 128 bits.

namespace tutti::kernel::blocked {

#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// A register of float32. Operators apply to each element; a comparison yields integers, -1 if true.
typedef float floats __attribute__((vector_size(vector_bytes))); // NOLINT: an alias would lose the attribute in GCC 12

/// Registers for tails: `floats8` has at most eight elements, `floats4` four.
typedef float floats8 __attribute__((vector_size(vector_bytes < 32 ? vector_bytes : 32))); // NOLINT
typedef float floats4 __attribute__((vector_size(16)));                                    // NOLINT

/// Number of elements of a register.
inline constexpr std::int64_t lanes = static_cast<std::int64_t>(vector_bytes / sizeof(float));

/// Number of float32 elements in a cache line of common processors.
inline constexpr std::int64_t cache_line = 16;

/// Loads a vector from an address, aligned or not.
template <class V = floats>
[[gnu::always_inline]] inline V load(const float* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

template <class V>
[[gnu::always_inline]] inline void store(const V& v, float* to) {
    __builtin_memcpy(to, &v, sizeof v);
}

/// Calls `f(i, x)` for `n` elements, with the widest vectors that the remaining elements fill. The type of `x`, a
/// vector or an element, determines how many elements to process.
template <class F>
[[gnu::always_inline]] inline void each_vector(std::int64_t n, F f) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) f(i, floats{});
    if constexpr (lanes > 8)
        for (; i + 8 <= n; i += 8) f(i, floats8{});
    if constexpr (lanes > 4)
        for (; i + 4 <= n; i += 4) f(i, floats4{});
    for (; i < n; ++i) f(i, 0.F);
}

/// Calls `f` for `n` elements like `each_vector`, but the last vector may overlap the one before it. `f` is then called
/// twice for some elements.
template <class F>
[[gnu::always_inline]] inline void each_vector_again(std::int64_t n, F f) {
    const auto ends = [&]<class V>(V x) {
        f(0, x);
        f(n - static_cast<std::int64_t>(sizeof(V) / sizeof(float)), x);
    };
    if (n >= lanes) {
        for (std::int64_t i = lanes; i < n; i += lanes) f(i - lanes, floats{});
        return f(n - lanes, floats{});
    }
    if (lanes > 8 && n >= 8) return ends(floats8{});
    if (lanes > 4 && n >= 4) return ends(floats4{});
    for (std::int64_t i = 0; i < n; ++i) f(i, 0.F);
}

/// Copies `n` elements, efficiently even if there are few.
inline void copy_some(const float* from, float* to, std::int64_t n) {
    each_vector_again(n, [&]<class V>(std::int64_t i, V) { store(load<V>(from + i), to + i); });
}

/// Copies elements [first, end), where element i is at `from[i * step]`. Efficient even if there are few.
inline void copy_strided(const float* from, std::int64_t step, float* to, std::int64_t first, std::int64_t end) {
    if (step == 1) {
        copy_some(from + first, to + first, end - first);
    } else if (step == 2) {
        for (std::int64_t i = first; i < end; ++i) to[i] = from[2 * i];
    } else {
        for (std::int64_t i = first; i < end; ++i) to[i] = from[i * step];
    }
}

/// Returns the rounded product. It is never fused with a later addition, so that sums are the same on every target.
template <class V>
[[gnu::always_inline]] inline V rounded_product(const V& a, const V& b) {
    V product = a * b;
#if defined(__AVX512F__)
    asm("" : "+v"(product));
#elif defined(__SSE2__)
    asm("" : "+x"(product));
#elif defined(__aarch64__)
    asm("" : "+w"(product));
#else
    asm("" : "+m"(product));
#endif
    return product;
}

} // namespace tutti::kernel::blocked
