#pragma once

#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// A part of a text. `line` is the number of its first line. `before` and `definitions` count the lines that begin with
/// `def `, before the part and in the part.
struct text_part {
    std::string_view text{};
    std::uint32_t line = 1;
    std::uint32_t before = 0;
    std::uint32_t definitions = 0;
};

namespace detail {

struct line_count {
    std::uint32_t ends = 0;        // number of line ends
    std::uint32_t definitions = 0; // number of line ends followed by `def `
};

// Counts the line ends and definitions of `text`, which is a part of `all`.
inline line_count count_lines(std::string_view text, std::string_view all) {
    constexpr std::size_t ahead = 4;  // the length of `def `
    constexpr std::size_t most = 255; // largest value of a byte
    const auto first = static_cast<std::size_t>(text.data() - all.data());
    const std::size_t whole = std::min(first + text.size(), all.size() < ahead ? 0 : all.size() - ahead);
    line_count count;
    std::size_t at = first;
    while (at < whole) {
        const char* const c = all.data() + at;
        const std::size_t size = std::min(most, whole - at);
        std::uint8_t ends = 0, definitions = 0; // bytes, so that one vector instruction updates many counts
        for (std::size_t i = 0; i < size; ++i) {
            const bool end = c[i] == '\n';
            const bool definition = (c[i + 1] == 'd') & (c[i + 2] == 'e') & (c[i + 3] == 'f') & (c[i + 4] == ' ');
            ends = static_cast<std::uint8_t>(ends + end);
            definitions = static_cast<std::uint8_t>(definitions + (end & definition));
        }
        count.ends += ends;
        count.definitions += definitions;
        at += size;
    }
    for (; at < first + text.size(); ++at) count.ends += all[at] == '\n' ? 1U : 0U;
    return count;
}

} // namespace detail

/// Splits a text into at most `most` parts of at least `least` characters. Each part except the first begins with a
/// line that begins with `def `.
///
/// Cost: one pass over the characters, in parallel on an executor.
template <executor E = inline_executor>
plain_vector<text_part> parts_of(std::string_view text, std::size_t most, std::size_t least, E&& on = {}) {
    const std::size_t size = std::max(text.size() / most + 1, least);
    plain_vector<text_part> parts;
    text_part part;
    for (std::size_t begin = 0; begin < text.size(); begin += part.text.size()) {
        std::size_t end = text.size();
        if (end - begin >= 2 * size)
            end = std::min(text.find("\ndef ", begin + size - 1), end - 1) + 1; // the end if none is found
        part.text = text.substr(begin, end - begin);
        parts.push_back(part);
    }
    plain_vector<detail::line_count> lines(parts.size());
    for_each_index(on, parts.size(), [&](std::size_t i) { lines[i] = detail::count_lines(parts[i].text, text); });
    std::uint32_t line = 1;
    std::uint32_t before = text.starts_with("def ") ? 1 : 0; // no line end precedes a definition at the start
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool begins = parts[i].text.starts_with("def ");
        parts[i].line = line;
        parts[i].before = before - begins;
        line += lines[i].ends;
        before += lines[i].definitions;
        const bool next = i + 1 != parts.size(); // the next part begins with a definition, counted at this part's end
        parts[i].definitions = before - parts[i].before - next;
    }
    return parts;
}

} // namespace tutti::relay::inline TUTTI_FORM::text
