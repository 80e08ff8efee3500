#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::relay::text {

/// What a character may be part of.
enum character : std::uint8_t {
    letter = 1, ///< or an underscore
    digit = 2,
    blank = 4, ///< a space, a tab, a carriage return
    slash = 8,
    sign = 16,  ///< what operators between their arguments begin with
    apart = 32, ///< what blanks and comments begin with, and what ends a line
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

/// Whether a character is of one of these kinds: `is_kind(c, letter | digit)`.
constexpr bool is_kind(char c, int kinds) { return (character_kinds[static_cast<unsigned char>(c)] & kinds) != 0; }

} // namespace tutti::relay::text
