#pragma once

#include <tutti/base/form.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Classes of characters.
enum character : std::uint8_t {
    letter = 1, ///< a letter or an underscore
    digit = 2,
    blank = 4, ///< space, tab or carriage return
    slash = 8,
    sign = 16,  ///< first character of an infix operator
    apart = 32, ///< first character of a blank or comment, or the end of a line
};

inline constexpr std::array<std::uint8_t, 256> character_kinds = [] {
    std::array<std::uint8_t, 256> kinds{};
    for (std::size_t c = 'a'; c <= 'z'; ++c) kinds[c] = kinds[c - 'a' + 'A'] = letter;
    for (std::size_t c = '0'; c <= '9'; ++c) kinds[c] = digit;
    kinds['_'] = letter;
    for (const char c : {'+', '-', '*', '<', '>', '=', '!'}) kinds[static_cast<unsigned char>(c)] = sign;
    kinds['/'] = slash | sign | apart;
    kinds[' '] = kinds['\t'] = kinds['\r'] = blank | apart;
    kinds['\n'] = apart;
    return kinds;
}();

/// True if a character is in one of these classes: `is_kind(c, letter | digit)`.
constexpr bool is_kind(char c, int kinds) { return (character_kinds[static_cast<unsigned char>(c)] & kinds) != 0; }

} // namespace tutti::relay::inline TUTTI_FORM::text
