#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/printable.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// A number as written: `-1.5e+03f64` has the digits `-1.5e+03` and the suffix `f64`.
struct number_text {
    std::string_view digits;
    std::string_view suffix;
    bool floating = false;
};

/// Scans Relay text: blanks and comments, names, numbers, strings. Tracks line and column. Never allocates.
///
/// Requires: the text is shorter than 4 GiB.
class cursor {
public:
    explicit cursor(std::string_view text)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), line_(begin_) {}

    /// Scans a part of a text as if the text ended with it. Requires: the part begins at the start of a line.
    cursor(std::string_view text, std::string_view part, std::uint32_t line)
        : begin_(text.data()), at_(part.data()), end_(at_ + part.size()), line_(at_), line_number_(line) {}

    place here() const { return here_at(at_, line_, line_number_); }
    /// Returns the place `ahead` characters further in the line.
    place here(std::size_t ahead) const { return here_at(at_ + ahead, line_, line_number_); }
    source_location where() const { return {line_number_, static_cast<std::uint32_t>(at_ - line_) + 1}; }

    bool at_end() const { return at_ == end_; }
    /// Returns the next character, or a null character at the end.
    char peek() const { return at_ == end_ ? '\0' : *at_; }
    char peek(std::size_t ahead) const { return ahead < static_cast<std::size_t>(end_ - at_) ? at_[ahead] : '\0'; }
    /// Returns the unread text.
    std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

    /// Skips `count` characters. Requires: no line ends among them.
    void pass(std::size_t count) { at_ += count; }

    /// Skips blanks and comments. Throws: `syntax_error` for an unterminated comment.
    void skip_blank() {
        if (at_ == end_ || !is_kind(*at_, apart)) return;
        if (*at_ == ' ' && ++at_ != end_ && !is_kind(*at_, apart)) return;
        skip<false>();
    }

    /// Skips blanks and comments, and `c` if it follows. Returns true if it skipped `c`.
    bool take(char c) {
        if (at_ == end_ || *at_ != c) skip_blank();
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }

    /// Skips blanks and comments, and then the start `/* ty=` of a type comment, if there is one. True if it skipped
    /// this start.
    bool take_type_comment() {
        if (at_ != end_ && !is_kind(*at_, apart)) return false;
        skip<true>();
        return std::exchange(at_type_comment_, false);
    }

    /// Skips the remainder of a comment.
    void finish_comment() { finish_comment(here()); }

    /// Reads words of letters, digits and underscores, joined by dots, as in `nn.conv2d`. Returns an empty string if
    /// there is no name.
    std::string_view dotted_name() {
        const char* const first = at_;
        if (!is_kind(peek(), letter)) return {};
        for (;;) {
            pass_letters();
            if (peek() != '.' || !is_kind(peek(1), letter)) return {first, static_cast<std::size_t>(at_ - first)};
        }
    }

    /// Reads the name of a variable or function after its `%` or `@`. Unlike in a dotted name, digits may follow a dot,
    /// and letters and digits may follow a slash, as in `conv1/weights`. Returns an empty string if there is no name.
    std::string_view name() {
        const char* const first = at_;
        if (!is_kind(peek(), letter)) return {};
        for (;;) {
            pass_letters();
            if ((peek() != '.' && !is_kind(peek(), slash)) || !is_kind(peek(1), letter | digit))
                return {first, static_cast<std::size_t>(at_ - first)};
        }
    }

    /// Goes back `count` characters in the same line.
    void back(std::size_t count) { at_ -= count; }

    /// Skips this word if it follows. True if it was skipped.
    bool take_word(std::string_view word) {
        skip_blank();
        if (!rest().starts_with(word) || is_kind(peek(word.size()), letter | digit)) return false;
        at_ += word.size();
        return true;
    }

    /// Skips a string up to its closing quotation mark or the end of the line.
    void pass_string() {
        while (peek(1) != '"' && peek(1) != '\n' && peek(1) != '\0')
            pass(peek(1) == '\\' && (peek(2) == '"' || peek(2) == '\\') ? 2 : 1);
        if (peek(1) == '"') pass(1);
    }

    /// Skips the remainder of the line, including the line break.
    void next_line() {
        while (!at_end() && *at_ != '\n') ++at_;
        if (!at_end()) new_line();
    }

    /// True at the start of a line with a definition or the metadata.
    bool at_definition() const {
        return at_ == line_ && (rest().starts_with("def ") || rest().starts_with("type ") ||
                                rest().starts_with("extern ") || rest().starts_with("#[metadata]"));
    }

    /// True at the start of a line, after blanks, that binds a value: `%0 =` or `let`.
    bool at_binding() const {
        for (const char* before = line_; before != at_; ++before)
            if (!is_kind(*before, blank)) return false;
        if (rest().starts_with("let ")) return true;
        std::size_t n = 1;
        while (is_kind(peek(n), digit)) ++n;
        if (peek() != '%' || n == 1) return false;
        while (is_kind(peek(n), blank)) ++n;
        return peek(n) == '=' && peek(n + 1) != '=';
    }

    /// The result of `ordinal` if there is no number.
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    /// Reads a number below 2^32 - 1 without sign and suffix. Returns `none` if there is no such number.
    std::uint32_t ordinal() {
        std::uint64_t value = 0;
        const char* const first = at_;
        const char* at = first;
        for (; at != end_ && is_kind(*at, digit); ++at)
            if (value < none) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
        at_ = at;
        return at == first || value >= none ? none : static_cast<std::uint32_t>(value);
    }

    /// True if a number follows: digits with or without `-`, an infinity or a NaN such as `inff` or `-nanf64`.
    bool at_number() const {
        const std::size_t sign = peek() == '-' ? 1 : 0;
        return is_kind(peek(sign), digit) || at_special(sign);
    }

    /// Reads the number that follows. Requires: `at_number()`.
    number_text number() {
        const char* const first = at_;
        number_text n;
        if (peek() == '-') ++at_;
        if (at_special(0)) {
            n.floating = true;
            at_ += 3;
        } else {
            digits();
            if (peek() == '.' && is_kind(peek(1), digit)) {
                n.floating = true;
                ++at_;
                digits();
            }
            const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
            if (peek() == 'e' && is_kind(peek(1 + sign), digit)) {
                n.floating = true;
                at_ += 1 + sign;
                digits();
            }
        }
        n.digits = {first, static_cast<std::size_t>(at_ - first)};
        const char* const suffix = at_;
        while (is_kind(peek(), letter | digit)) ++at_;
        n.suffix = {suffix, static_cast<std::size_t>(at_ - suffix)};
        return n;
    }

    /// Reads a string and resolves its escapes. Requires: a quotation mark follows. Throws: `syntax_error` for an
    /// unterminated string.
    void string(std::string& out) {
        const place start = here();
        out.clear();
        for (++at_; peek() != '"'; ++at_) {
            if (at_ == end_ || *at_ == '\n') throw syntax_error{start, "the string does not end on its line", "`\"`"};
            if (*at_ != '\\') {
                out += *at_;
                continue;
            }
            ++at_;
            switch (peek()) {
            case 'n':
                out += '\n';
                break;
            case 't':
                out += '\t';
                break;
            case 'r':
                out += '\r';
                break;
            case '"':
            case '\\':
                out += *at_;
                break;
            default:
                throw syntax_error{here(), "unknown escape in a string", "one of \\n \\t \\r \\\" \\\\"};
            }
        }
        ++at_;
    }

    /// Returns the next word, number or character, or the end of the text, for a message.
    std::string upcoming() const {
        if (at_ == end_) return "end of the text";
        std::size_t n = 0;
        if (is_kind(*at_, letter | digit) || *at_ == '%' || *at_ == '@') {
            do ++n;
            while (n < 40 && (is_kind(peek(n), letter | digit) || (peek(n) == '.' && is_kind(peek(n + 1), letter))));
        } else if (rest().starts_with("->")) {
            n = 2;
        } else {
            const tutti::internal::utf8_character c = tutti::internal::utf8_character_at(rest(), 0);
            if (!c.valid) return "byte " + hexadecimal(c.code, 2) + ", which is not UTF-8";
            if (tutti::internal::is_control(c.code)) return "control character U+" + hexadecimal(c.code, 4);
            n = c.size;
        }
        return '`' + std::string(at_, n) + '`';
    }

    /// Returns the place after the last character that is not blank, where a missing token belongs.
    place behind_last() const {
        const char* last = at_;
        std::uint32_t lines = 0;
        for (; last != begin_ && (is_kind(last[-1], blank) || last[-1] == '\n'); --last)
            if (last[-1] == '\n') ++lines;
        if (lines == 0) return here_at(last, line_, line_number_);
        const char* line = last;
        while (line != begin_ && line[-1] != '\n') --line;
        return here_at(last, line, line_number_ - lines);
    }

    /// Reports the next token as unexpected. Throws: `syntax_error` with the expected token.
    [[noreturn, gnu::cold, gnu::noinline]] void unexpected(std::string_view expected) const {
        throw syntax_error{at_end() ? behind_last() : here(), "unexpected " + upcoming(), std::string(expected)};
    }

    /// Reports that `what` is missing after the last token read. Throws: `syntax_error`.
    [[noreturn, gnu::cold, gnu::noinline]] void missing(const std::string& what) const {
        throw syntax_error{behind_last(), what + " is missing", {}};
    }

private:
    place here_at(const char* at, const char* line, std::uint32_t number) const {
        return {{number, static_cast<std::uint32_t>(at - line) + 1}, static_cast<std::size_t>(at - begin_)};
    }

    static std::string hexadecimal(std::uint32_t number, std::size_t places) {
        std::string text;
        for (; number != 0 || text.size() < places; number /= 16) text.insert(0, 1, "0123456789ABCDEF"[number % 16]);
        return text;
    }

    bool at_special(std::size_t from) const {
        const std::string_view next = rest().substr(std::min(from, rest().size()), 4);
        return next == "inff" || next == "nanf";
    }

    // Skips one character and the letters and digits after it.
    void pass_letters() {
        const char* at = at_ + 1;
        while (at != end_ && is_kind(*at, letter | digit)) ++at;
        at_ = at;
    }

    void digits() {
        while (is_kind(peek(), digit)) ++at_;
    }

    void new_line() {
        ++at_;
        ++line_number_;
        line_ = at_;
    }

    template <bool StopAtType>
    void skip() {
        for (;;) {
            const char c = peek();
            if (c == '\n') {
                new_line();
                while (at_ != end_ && *at_ == ' ') ++at_;
                if (at_ != end_ && !is_kind(*at_, apart)) return;
            } else if (is_kind(c, blank)) {
                ++at_;
            } else if (!is_kind(c, slash)) {
                return;
            } else if (c == '/' && peek(1) == '/') {
                while (at_ != end_ && *at_ != '\n') ++at_;
            } else if (c == '/' && peek(1) == '*') {
                const place start = here();
                at_ += 2;
                if constexpr (StopAtType) {
                    std::size_t n = 0;
                    while (peek(n) == ' ') ++n;
                    if (peek(n) == 't' && peek(n + 1) == 'y' && peek(n + 2) == '=') {
                        at_ += n + 3;
                        at_type_comment_ = true;
                        return;
                    }
                }
                finish_comment(start);
            } else {
                return;
            }
        }
    }

    // Comments nest.
    void finish_comment(place start) {
        for (std::size_t open = 1; open != 0;) {
            if (at_ == end_) throw syntax_error{start, "the comment does not end", "`*/`"};
            if (*at_ == '*' && peek(1) == '/') {
                at_ += 2;
                --open;
            } else if (*at_ == '/' && peek(1) == '*') {
                at_ += 2;
                ++open;
            } else if (*at_ == '\n') {
                new_line();
            } else {
                ++at_;
            }
        }
    }

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* line_; // start of the line
    std::uint32_t line_number_ = 1;
    bool at_type_comment_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
