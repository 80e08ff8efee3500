#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Returns the bits of an element.
template <class T>
constexpr auto bits_of(T value) {
    if constexpr (std::is_same_v<T, float>) {
        return std::bit_cast<std::uint32_t>(value);
    } else if constexpr (std::is_same_v<T, double>) {
        return std::bit_cast<std::uint64_t>(value);
    } else if constexpr (kernel::is_half<T>) {
        return value.bits;
    } else {
        return value;
    }
}

// Makes words into which elements were copied the same as on a little-endian machine. Their first `size` bytes are used.
inline void swap_words([[maybe_unused]] std::uint64_t* words, [[maybe_unused]] std::size_t size,
                       [[maybe_unused]] std::size_t element) {
    if constexpr (!tutti::internal::is_little_endian) {
        auto* const bytes = reinterpret_cast<unsigned char*>(words);
        constexpr std::size_t word = sizeof(std::uint64_t);
        tutti::internal::reverse_elements(bytes, size, element);
        tutti::internal::reverse_elements(bytes, (size + word - 1) / word * word, word);
    }
}

} // namespace detail

/// True if two tensors have the same element type and shape, and elements with the same bits: a NaN equals itself, and
/// 0 differs from -0.
///
/// Cost: linear in their size; constant if they share their elements.
constexpr bool same_value(const kernel::tensor& a, const kernel::tensor& b) {
    if (a.type() != b.type() || !same_elements(a.shape(), b.shape())) return false;
    if (a.same_elements(b)) return true;
    if (!std::is_constant_evaluated())
        return std::memcmp(a.memory(), b.memory(), static_cast<std::size_t>(a.size()) * kernel::bytes(a.type())) == 0;
    return kernel::with_element_type(a.type(), [&]<class T>(std::type_identity<T>) {
        const T* const x = a.data<T>();
        const T* const y = b.data<T>();
        for (std::int64_t i = 0; i < a.size(); ++i)
            if (detail::bits_of(x[i]) != detail::bits_of(y[i])) return false;
        return true;
    });
}

/// Returns a hash of a tensor's element type, shape and elements. Tensors for which `same_value` is true have equal
/// hashes.
///
/// Cost: linear in its size.
constexpr std::uint64_t value_hash(const kernel::tensor& t) {
    std::uint64_t hash = static_cast<std::uint64_t>(t.type());
    for (const std::int64_t d : t.shape()) hash = hash_combine(hash, static_cast<std::uint64_t>(d));
    if (t.empty()) return hash;
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        const T* const values = t.data<T>();
        for (std::int64_t i = 0; i < t.size(); ++i)
            hash = hash_combine(hash, static_cast<std::uint64_t>(detail::bits_of(values[i])));
        return hash;
    });
}

/// Returns a hash of the same properties as `value_hash`, but a different number. It reads several elements at a time,
/// as fast as memory allows. The result differs between constant evaluation and run time, but not between machines.
///
/// Cost: linear in its size.
constexpr std::uint64_t value_fingerprint(const kernel::tensor& t) {
    if (std::is_constant_evaluated() || t.empty()) return value_hash(t);
    std::uint64_t hash = static_cast<std::uint64_t>(t.type());
    for (const std::int64_t d : t.shape()) hash = hash_combine(hash, static_cast<std::uint64_t>(d));
    const auto* at = static_cast<const unsigned char*>(t.memory());
    const std::size_t element = kernel::bytes(t.type());
    std::size_t left = static_cast<std::size_t>(t.size()) * element;
    constexpr std::size_t lanes = 4, word = sizeof(std::uint64_t);
    std::uint64_t lane[lanes] = {hash, ~hash, hash + 1, ~hash - 1};
    for (; left >= lanes * word; at += lanes * word, left -= lanes * word) {
        std::uint64_t words[lanes];
        std::memcpy(words, at, sizeof words);
        detail::swap_words(words, sizeof words, element);
        for (std::size_t i = 0; i < lanes; ++i) {
            lane[i] = (lane[i] ^ words[i]) * 0x9FB21C651E98DF25ULL;
            lane[i] ^= lane[i] >> 32;
        }
    }
    for (; left > 0; left -= left < word ? left : word, at += word) {
        std::uint64_t last = 0;
        const std::size_t size = left < word ? left : word;
        std::memcpy(&last, at, size);
        detail::swap_words(&last, size, element);
        lane[0] = hash_finish(lane[0] ^ last);
    }
    for (const std::uint64_t each : lane) hash = hash_combine(hash, hash_finish(each));
    return hash;
}

} // namespace tutti::relay::inline TUTTI_FORM
