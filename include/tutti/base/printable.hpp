#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti {

namespace internal {

/// A character of UTF-8 text.
struct utf8_character {
    std::uint32_t code = 0;  ///< its code point
    std::size_t size = 1;    ///< number of bytes
    bool valid = true;       ///< false for a byte that begins no character
    std::uint8_t column = 1; ///< number of terminal columns: 0, 1 or 2
};

} // namespace internal

namespace detail {

struct code_range {
    std::uint32_t first, last;
};

// Characters without width, such as combining ones. Sorted, like the next table.
inline constexpr code_range no_column[]{
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5BF},     {0x5C1, 0x5C2},   {0x5C4, 0x5C5},
    {0x5C7, 0x5C7},   {0x610, 0x61A},   {0x64B, 0x65F},   {0x670, 0x670},     {0x6D6, 0x6DC},   {0x6DF, 0x6E4},
    {0x6E7, 0x6E8},   {0x6EA, 0x6ED},   {0x900, 0x902},   {0x93A, 0x93A},     {0x93C, 0x93C},   {0x941, 0x948},
    {0x94D, 0x94D},   {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},     {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x20D0, 0x20F0},   {0x302A, 0x302D}, {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0001, 0xE01EF},
};

// Characters of East Asian width W or F, and emoji.
inline constexpr code_range two_columns[]{
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E},
    {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567},
    {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5},
    {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
};

template <std::size_t N>
constexpr bool is_in(std::uint32_t code, const code_range (&ranges)[N]) {
    std::size_t low = 0, high = N; // binary search: the first range that ends at or after `code`
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < N && ranges[low].first <= code;
}

} // namespace detail

namespace internal {

/// Decodes the character at a position.
///
/// Requires: `at` is in the text.
/// Source:   Unicode 15: table 3-7 (well-formed UTF-8), annex 11 (widths).
constexpr utf8_character utf8_character_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1, true, 1};
    const std::size_t size = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t code = lead & (0xFFU >> (size + 1));
    bool valid = size != 0;
    for (std::size_t i = 1; i < size; ++i) {
        valid = valid && (byte(i) & 0xC0U) == 0x80U;
        code = code << 6U | (byte(i) & 0x3FU);
    }
    const bool too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    if (!valid || too_long || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {lead, 1, false, 1};
    const std::uint8_t column = detail::is_in(code, detail::no_column)     ? std::uint8_t{0}
                                : detail::is_in(code, detail::two_columns) ? std::uint8_t{2}
                                                                           : std::uint8_t{1};
    return {code, size, true, column};
}

/// True if a character controls a terminal, or the order of displayed text, instead of being displayed.
constexpr bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/// Returns the number of columns of a one-line text; a tab counts as one.
constexpr std::size_t columns(std::string_view text) {
    std::size_t sum = 0;
    for (std::size_t at = 0; at < text.size();) {
        const utf8_character c = utf8_character_at(text, at);
        sum += c.column;
        at += c.size;
    }
    return sum;
}

} // namespace internal

namespace detail {

/// The replacement character, U+FFFD, for bytes that are not valid UTF-8.
inline constexpr std::string_view no_character = "\xEF\xBF\xBD";

} // namespace detail

namespace internal {

/// Appends a character in displayable form. Control characters become spaces, except tabs and line ends. Invalid UTF-8
/// bytes become `no_character`.
[[gnu::cold]] inline void append_printable(std::string& out, std::string_view text, std::size_t at,
                                           const internal::utf8_character& c) {
    if (!c.valid)
        out += detail::no_character;
    else if (internal::is_control(c.code) && c.code != '\t' && c.code != '\n')
        out += ' ';
    else
        out += text.substr(at, c.size);
}

} // namespace internal

/// Returns a text in displayable form; see `append_printable`.
[[gnu::cold]] inline std::string printable(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const internal::utf8_character c = internal::utf8_character_at(text, at);
        internal::append_printable(out, text, at, c);
        at += c.size;
    }
    return out;
}

} // namespace tutti
