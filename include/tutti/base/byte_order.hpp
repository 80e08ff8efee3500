#pragma once

#include <tutti/base/folder.hpp>

#include <bit>
#include <cstddef>
#include <string_view>

namespace tutti::internal {

/// True if this machine stores the lowest byte of a number first, as all our files do.
inline constexpr bool is_little_endian = std::endian::native == std::endian::little;

/// Reverses the bytes of each element of `element` bytes.
///
/// Requires: `size` is a multiple of `element`.
constexpr void reverse_elements(unsigned char* bytes, std::size_t size, std::size_t element) {
    for (; size != 0; size -= element, bytes += element)
        for (std::size_t i = 0, last = element - 1; i < last; ++i, --last) {
            const unsigned char first = bytes[i];
            bytes[i] = bytes[last];
            bytes[last] = first;
        }
}

/// Converts elements between the machine's order of bytes and little-endian, in place.
///
/// Requires: `size` is a multiple of `element`.
/// Cost:     none on a little-endian machine.
constexpr void swap_little_endian([[maybe_unused]] unsigned char* bytes, [[maybe_unused]] std::size_t size,
                                  [[maybe_unused]] std::size_t element) {
    if constexpr (!is_little_endian) reverse_elements(bytes, size, element);
}

/// Returns elements as little-endian bytes: the memory itself, or a copy in `copy`, a string, on a big-endian machine.
///
/// Requires: `size` is a multiple of `element`.
template <class Text>
std::string_view little_endian_bytes(const void* memory, std::size_t size, [[maybe_unused]] std::size_t element,
                                     [[maybe_unused]] Text& copy) {
    const auto* const bytes = static_cast<const char*>(memory);
    if constexpr (is_little_endian) {
        return {bytes, size};
    } else {
        copy.assign(bytes, size);
        reverse_elements(reinterpret_cast<unsigned char*>(copy.data()), size, element);
        return copy;
    }
}

} // namespace tutti::internal
