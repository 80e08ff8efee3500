#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string_view>

namespace tutti {

// The words of a pipeline's text are names, keys and values. A word is either a sequence of characters other than
// spaces, commas, quotes, `=` and brackets, or a text in double quotes. In quotes, a backslash escapes the next
// character.

namespace detail {

/// True for characters ignored between words.
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// True for characters that are allowed in a word without quotes.
constexpr bool is_word_char(char c) {
    const auto code = static_cast<unsigned char>(c);
    return code > ' ' && code != 0x7f && std::string_view(",(){}[]=\"").find(c) == std::string_view::npos;
}

/// Returns the length of the word at the beginning of a text, 0 if there is none, or `npos` if a quote is not closed.
constexpr std::size_t word_length(std::string_view text) {
    std::size_t n = 0;
    if (!text.starts_with('"')) {
        while (n < text.size() && is_word_char(text[n])) ++n;
        return n;
    }
    for (++n; n < text.size() && text[n] != '"'; ++n)
        if (text[n] == '\\') ++n;
    return n < text.size() ? n + 1 : std::string_view::npos;
}

/// Iterates over the characters of a word, without quotes and escapes.
class word_chars {
    std::string_view rest_;
    bool quoted_;

public:
    constexpr explicit word_chars(std::string_view word) : rest_(word), quoted_(word.starts_with('"')) {
        if (quoted_) rest_ = rest_.substr(1, rest_.size() - 2);
    }
    constexpr bool done() const { return rest_.empty(); }
    constexpr char next() {
        if (quoted_ && rest_.front() == '\\') rest_.remove_prefix(1);
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }
};

} // namespace detail

namespace internal {

/// True if two words stand for the same text.
constexpr bool same_word(detail::word_chars a, detail::word_chars b) {
    while (!a.done() && !b.done())
        if (a.next() != b.next()) return false;
    return a.done() && b.done();
}
constexpr bool same_word(std::string_view a, std::string_view b) {
    return same_word(detail::word_chars{a}, detail::word_chars{b});
}

/// True if a word, as written in a pipeline, stands for this text.
constexpr bool stands_for(std::string_view word, std::string_view text) {
    detail::word_chars chars{word};
    for (const char c : text)
        if (chars.done() || chars.next() != c) return false;
    return chars.done();
}

} // namespace internal

namespace detail {

/// True if the characters begin with `text`. Advances `chars` past the characters that match.
constexpr bool starts_with(word_chars& chars, std::string_view text) {
    for (const char c : text)
        if (chars.done() || chars.next() != c) return false;
    return true;
}

} // namespace detail

namespace internal {

/// Appends the text that a word stands for, without quotes and escapes.
constexpr void read_word(std::string_view word, auto& out) {
    for (detail::word_chars chars{word}; !chars.done();) out.push_back(chars.next());
}

/// Appends a text as a word, in quotes if necessary.
constexpr void write_word(std::string_view text, auto& out) {
    if (!text.empty() && !text.starts_with('"') && detail::word_length(text) == text.size()) {
        out.append(text);
        return;
    }
    out.push_back('"');
    for (const char c : text) {
        if (c == '"' || c == '\\') out.push_back('\\');
        out.push_back(c);
    }
    out.push_back('"');
}

/// Calls `f(word)` for each element of a list such as `[a, b]`. False if `list` is not a list, or if `f` returns false.
template <class F>
constexpr bool for_each_element(std::string_view list, F&& f) {
    if (list.size() < 2 || list.front() != '[' || list.back() != ']') return false;
    list = list.substr(1, list.size() - 2);
    const auto skip = [&](auto&& is_skipped) {
        while (!list.empty() && is_skipped(list.front())) list.remove_prefix(1);
    };
    for (skip(detail::is_space); !list.empty(); skip(detail::is_space)) {
        const std::size_t length = detail::word_length(list);
        if (length == 0 || length > list.size() || !f(list.substr(0, length))) return false;
        list.remove_prefix(length);
        skip(detail::is_space);
        if (list.starts_with(',')) list.remove_prefix(1);
    }
    return true;
}

} // namespace internal

namespace detail {

/// True if `list` is an empty list, `[]`.
constexpr bool is_empty_list(std::string_view list) {
    return internal::for_each_element(list, [](std::string_view) { return false; });
}

} // namespace detail

} // namespace tutti
