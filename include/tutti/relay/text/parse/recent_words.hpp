#pragma once

#include <tutti/base/form.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Size of a table of recent words. Each word has one possible slot.
inline constexpr std::size_t recent_words = 64;

/// Returns the slot of a word in such a table. Requires: the word is not empty.
inline std::size_t recent_place(std::string_view word) {
    const auto first = static_cast<unsigned char>(word.front()), last = static_cast<unsigned char>(word.back());
    return (word.size() * 29 + first * 5U + last) % recent_words;
}

/// True if two words are equal. Compares words of at most 16 characters inline.
inline bool same_word(std::string_view a, std::string_view b) {
    const std::size_t size = a.size();
    if (size != b.size()) return false;
    const auto same_part = [&](auto part, std::size_t from) {
        auto other = part;
        std::memcpy(&part, a.data() + from, sizeof part);
        std::memcpy(&other, b.data() + from, sizeof other);
        return part == other;
    };
    if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
    if (size >= 8) return same_part(std::uint64_t{}, 0) && same_part(std::uint64_t{}, size - 8);
    if (size >= 4) return same_part(std::uint32_t{}, 0) && same_part(std::uint32_t{}, size - 4);
    if (size >= 2) return same_part(std::uint16_t{}, 0) && same_part(std::uint16_t{}, size - 2);
    return size == 0 || a[0] == b[0];
}

} // namespace tutti::relay::inline TUTTI_FORM::text
