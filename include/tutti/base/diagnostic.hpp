#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/printable.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti {

// Messages are cold code, which compilers need not optimise.

namespace internal {

/// Shortens a long word for a message.
[[gnu::cold]] inline std::string shortened(std::string_view word) {
    constexpr std::size_t most = 60;
    std::string text{word.substr(0, most)};
    return word.size() > most ? text + "..." : text;
}

/// Returns "a module" or "an instruction", depending on the first letter of the noun.
[[gnu::cold]] inline std::string with_article(std::string_view noun) {
    const bool vowel = !noun.empty() && std::string_view{"aeioAEIO"}.find(noun[0]) != std::string_view::npos;
    return std::string{vowel ? "an " : "a "}.append(noun);
}

} // namespace internal

namespace detail {

/// Returns "; did you mean FuseOps?"; empty for an empty name. `open` and `close` enclose the name.
[[gnu::cold]] inline std::string did_you_mean(std::string_view meant, std::string_view open = {},
                                              std::string_view close = {}) {
    if (meant.empty()) return {};
    std::string text = "; did you mean ";
    return text.append(open).append(meant).append(close).append("?");
}

/// Returns "one of a, b, c"; empty if there are no names.
[[gnu::cold]] inline std::string one_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "one of " : ", ").append(name);
    return text;
}

} // namespace detail

namespace internal {

/// A mistake in a request, as a message for people and as data.
struct complaint {
    std::string problem;              ///< "FuseOp: no such pass; did you mean FuseOps?"
    std::string expected{};           ///< the correct form; empty if the problem contains it
    std::string asked{};              ///< the wrong word
    std::string meant{};              ///< the nearest known name; empty if none is near
    std::vector<std::string> known{}; ///< the valid names, if `asked` should be one of them
};

/// Returns the complaint about an unknown name: "FuseOp: no such pass; did you mean FuseOps?". If no known name is
/// near, the complaint lists all known names as the expected ones. `about` is prefixed to the problem.
[[gnu::cold]] inline complaint unknown_name(std::string_view kind, std::string_view asked,
                                            std::vector<std::string> known, std::string_view about = {}) {
    nearest_name meant{asked};
    for (const std::string& name : known) meant.offer(name);
    complaint said{std::string{about}, {}, std::string{asked}, std::string{meant.found()}, {}};
    said.problem.append(shortened(asked)).append(": no such ").append(kind).append(detail::did_you_mean(said.meant));
    if (known.empty()) said.expected.append("a registered ").append(kind).append(", but there is none");
    if (said.meant.empty() && !known.empty()) said.expected = detail::one_of(known);
    said.known = std::move(known);
    return said;
}

} // namespace internal

/// A mistake in a request; `said()` returns it as data.
class [[gnu::visibility("default")]] input_error : public error {
    internal::complaint said_;

public:
    [[gnu::cold]] explicit input_error(internal::complaint said, std::string where = {})
        : error(std::move(where), said.problem, said.expected), said_(std::move(said)) {}

    const internal::complaint& said() const noexcept { return said_; }
};

namespace internal {

/// A line of a text, and the bytes in it that a message marks.
struct excerpt {
    std::string line;       ///< only the part around the mark if the line is very long
    std::size_t caret = 0;  ///< offset of the mark in `line`
    std::size_t marked = 1; ///< number of marked bytes of `line`
};

/// Returns the line of a text that contains an offset. Characters that would disturb a terminal become spaces; invalid
/// UTF-8 bytes become `no_character`.
///
/// Requires: `offset` is in the text or at its end.
[[gnu::cold]] inline excerpt excerpt_of(std::string_view text, std::size_t offset, std::size_t length = 1) {
    constexpr std::size_t before = 100, width = 160;
    const auto inside = [&](std::size_t at) { // true for a continuation byte of UTF-8
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view rest = text.substr(offset, width);
    std::size_t end = offset + rest.substr(0, rest.find('\n')).size();
    excerpt shown;
    if (end - begin > width && offset - begin > before) {
        begin = offset - before;
        for (int i = 0; i < 3 && inside(begin); ++i) ++begin;
        shown.line = "...";
    }
    if (end - begin > width) {
        end = begin + width;
        for (int i = 0; i < 3 && inside(end); ++i) --end;
    }
    std::size_t behind = 0; // the end of the mark in `line`
    bool met = false;
    for (std::size_t at = begin; at < end;) {
        const utf8_character c = utf8_character_at(text.substr(0, end), at);
        if (!met && offset < at + c.size) {
            met = true;
            shown.caret = shown.line.size();
        }
        internal::append_printable(shown.line, text, at, c);
        at += c.size;
        if (at - offset <= length && at > offset) behind = shown.line.size();
    }
    if (!met) shown.caret = shown.line.size();
    shown.marked = behind > shown.caret ? behind - shown.caret : 1;
    return shown;
}

/// Returns a message in the style of compilers: `where: error: problem; expected …`, then the line of the excerpt, and
/// a mark under its marked bytes. Replaces characters that would disturb a terminal; see `printable`.
[[gnu::cold]] inline std::string compiler_message(std::string_view where, std::string_view problem,
                                                  std::string_view expected, const excerpt& shown) {
    std::string text = printable(where);
    text.append(": error: ").append(printable(problem));
    if (!expected.empty()) text.append("; expected ").append(printable(expected));
    text.append("\n").append(shown.line).append("\n");
    const std::string_view line = shown.line;
    for (std::size_t at = 0; at < shown.caret;) {
        const utf8_character c = utf8_character_at(line, at);
        if (c.code == '\t')
            text += '\t';
        else
            text.append(c.column, ' ');
        at += c.size;
    }
    const std::size_t marked = columns(line.substr(shown.caret, shown.marked));
    return text.append("^").append(marked > 1 ? marked - 1 : 0, '~').append("\n");
}

} // namespace internal

} // namespace tutti
