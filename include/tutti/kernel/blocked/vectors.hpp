#pragma once

#include <cstddef>
#include <cstdint>

// Vectors of the full width that the build has: 512, 256 or 128 bits.

namespace tutti::kernel::blocked {

#if defined(__AVX512F__)
inline constexpr std::size_t vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif

/// A register of float32. Operators work on each of its elements; a comparison gives integers, -1 where it holds.
typedef float floats __attribute__((vector_size(vector_bytes))); // NOLINT: an alias would lose the attribute in GCC 12

/// How many elements that are.
inline constexpr std::int64_t lanes = static_cast<std::int64_t>(vector_bytes / sizeof(float));

/// The elements from there on, aligned or not.
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

/// Copies elements `first` to `end` of those that are `step` apart, which may be few.
inline void copy_strided(const float* from, std::int64_t step, float* to, std::int64_t first, std::int64_t end) {
    std::int64_t i = first;
    if (step == 1) {
        for (; i + lanes <= end; i += lanes) store(load(from + i), to + i);
        if (i < end && end - first >= lanes) {
            store(load(from + end - lanes), to + end - lanes);
        } else {
            for (; i < end; ++i) to[i] = from[i];
        }
    } else if (step == 2) {
        for (; i < end; ++i) to[i] = from[2 * i];
    } else {
        for (; i < end; ++i) to[i] = from[i * step];
    }
}

/// The product, rounded: what it is added to is not fused with it, so that sums are the same wherever they are computed.
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
