#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/printable.hpp>
#include <tutti/base/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

enum class json_kind : std::uint8_t { null, boolean, number, string, list, object };

/// A parsed JSON text. One vector holds the values in the order of the text; a list or object precedes its contents.
///
/// Strings without escapes refer to the JSON text, which must outlive the document. Values are not nested in memory, so
/// neither parsing nor destruction needs a stack as deep as the text.
///
/// Source: RFC 8259, for UTF-8, without a limit on depth.
/// Cost:   linear in the text.
/// Throws: `tutti::error` with line and column if the text is not JSON or has more than `most` values.
class json_document {
public:
    using place = std::uint32_t;
    static constexpr place none = 0xFFFFFFFFU;

    explicit json_document(std::string_view json, const limit& most) : json_(json), left_(most) {
        value();
        while (!open_.empty()) next();
        skip_blanks();
        if (at_ != json_.size()) refuse("something follows the value", "the end");
    }

    /// The place of the root value.
    static constexpr place root = 0;

    json_kind kind(place v) const { return values_[v].kind; }
    /// Returns a string without quotes and escapes, or a number as written.
    std::string_view text(place v) const {
        const entry& e = values_[v];
        return (e.is_decoded ? std::string_view(decoded_) : json_).substr(e.begin, e.size);
    }
    /// Calls `f(place)` for each element of a list.
    template <class F>
    void each_element(place v, F&& f) const {
        for (place i = v + 1; i < values_[v].end; i = values_[i].end) f(i);
    }
    /// Calls `f(name, place)` for each member of an object, in the order of the text.
    template <class F>
    void each_member(place v, F&& f) const {
        for (place i = v + 1; i < values_[v].end; i = values_[i + 1].end) f(text(i), i + 1);
    }
    /// Returns the last member with this name, or `none`.
    ///
    /// Cost: linear in the number of members.
    place find(place object, std::string_view name) const {
        place found = none;
        each_member(object, [&](std::string_view n, place v) {
            if (n == name) found = v;
        });
        return found;
    }
    /// Returns the places of a list's elements.
    vector<place> elements(place v) const {
        vector<place> all;
        each_element(v, [&](place i) { all.push_back(i); });
        return all;
    }

private:
    struct entry {
        std::size_t begin = 0, size = 0; // offset and size of the value's text
        place end = 0;                   // the first value after this value and its contents
        json_kind kind = json_kind::null;
        bool is_decoded = false; // the value's text had escapes
    };

    [[noreturn, gnu::cold, gnu::noinline]] void refuse(std::string problem, std::string expected) const {
        std::size_t line = 1, column = 1;
        for (const char c : json_.substr(0, at_)) {
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        throw error("metadata",
                    "the section is not JSON: line " + std::to_string(line) + ", column " + std::to_string(column) +
                        ": " + problem,
                    std::move(expected));
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse_next(std::string expected) const {
        if (at_ == json_.size()) refuse("the text ends here", std::move(expected));
        refuse("unexpected `" + printable(json_.substr(at_, tutti::internal::utf8_character_at(json_, at_).size)) + "`",
               std::move(expected));
    }

    char peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }
    bool skip(char c) {
        if (at_ == json_.size() || json_[at_] != c) return false;
        ++at_;
        return true;
    }
    void skip_blanks() {
        while (at_ < json_.size() &&
               (json_[at_] == ' ' || json_[at_] == '\n' || json_[at_] == '\t' || json_[at_] == '\r'))
            ++at_;
    }

    place add(json_kind kind, std::size_t begin, std::size_t size, bool is_decoded = false) {
        const auto made = static_cast<place>(values_.size());
        values_.push_back({begin, size, made + 1, kind, is_decoded});
        return made;
    }

    // Reads a value, or the start of a list or object.
    void value() {
        left_.take(1);
        skip_blanks();
        const char c = peek();
        const std::size_t begin = at_;
        if (c == '{' || c == '[') {
            ++at_;
            open_.push_back(add(c == '{' ? json_kind::object : json_kind::list, begin, 1));
            is_first_ = true;
        } else if (c == '"') {
            string();
        } else if (c == '-' || (c >= '0' && c <= '9')) {
            number();
        } else if (word("true") || word("false")) {
            add(json_kind::boolean, begin, at_ - begin);
        } else if (word("null")) {
            add(json_kind::null, begin, at_ - begin);
        } else {
            refuse_next("a value");
        }
    }

    // Reads the next element or member of the innermost list or object, or the end of that list or object.
    void next() {
        const place in = open_.back();
        const bool is_object = values_[in].kind == json_kind::object;
        const bool is_first = is_first_;
        is_first_ = false;
        skip_blanks();
        if (skip(is_object ? '}' : ']')) {
            values_[in].end = static_cast<place>(values_.size());
            open_.pop_back();
            return;
        }
        if (!is_first && !skip(',')) refuse_next(is_object ? "`,` or `}`" : "`,` or `]`");
        if (is_object) {
            skip_blanks();
            if (peek() != '"') refuse_next("a member's name");
            string();
            skip_blanks();
            if (!skip(':')) refuse_next("`:`");
        }
        value();
    }

    bool word(std::string_view wanted) {
        if (!json_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }

    void number() {
        const std::size_t begin = at_;
        const auto digits = [&] {
            if (peek() < '0' || peek() > '9') refuse_next("a digit");
            while (peek() >= '0' && peek() <= '9') ++at_;
        };
        skip('-');
        if (!skip('0')) digits();
        if (skip('.')) digits();
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (!skip('+')) skip('-');
            digits();
        }
        add(json_kind::number, begin, at_ - begin);
    }

    void string() {
        const std::size_t begin = ++at_;
        bool has_escapes = false;
        for (;; ++at_) {
            // fast path for long strings such as constants: only special characters need a closer look
            while (at_ < json_.size() && json_[at_] >= ' ' && json_[at_] != '"' && json_[at_] != '\\') ++at_;
            if (at_ == json_.size()) refuse_next("`\"`");
            const char c = json_[at_];
            if (c == '"') break;
            if (c == '\\') {
                has_escapes = true;
                if (++at_ == json_.size()) refuse_next("an escaped character");
            } else if (const tutti::internal::utf8_character u = tutti::internal::utf8_character_at(json_, at_);
                       u.valid && u.size > 1) {
                at_ += u.size - 1;
            } else {
                refuse(u.valid ? "a control character" : "a byte that is not UTF-8", "`\"`");
            }
        }
        const std::size_t end = at_++;
        if (!has_escapes) {
            add(json_kind::string, begin, end - begin);
            return;
        }
        const std::size_t to = decoded_.size();
        for (at_ = begin; at_ < end;) decode(end);
        at_ = end + 1;
        add(json_kind::string, to, decoded_.size() - to, true);
    }

    // Decodes one character or escape sequence of a string.
    void decode(std::size_t end) {
        const char c = json_[at_++];
        if (c != '\\') {
            decoded_ += c;
            return;
        }
        constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const char escaped = json_[at_];
        if (const std::size_t i = letters.find(escaped); i != std::string_view::npos) {
            decoded_ += meant[i];
            ++at_;
            return;
        }
        if (escaped != 'u') refuse_next("one of \"\\/bfnrtu");
        ++at_;
        std::uint32_t code = unit(end);
        if (code >= 0xDC00 && code <= 0xDFFF) refuse("a low surrogate alone", "a high surrogate before it");
        if (code >= 0xD800 && code <= 0xDBFF) {
            if (!word("\\u")) refuse("a high surrogate alone", "a low surrogate after it");
            const std::uint32_t low = unit(end);
            if (low < 0xDC00 || low > 0xDFFF) refuse("a high surrogate alone", "a low surrogate after it");
            code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        }
        const auto put = [&](std::uint32_t byte) { decoded_ += static_cast<char>(static_cast<unsigned char>(byte)); };
        if (code < 0x80) {
            put(code);
        } else {
            const int rest = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            put((rest == 1 ? 0xC0U : rest == 2 ? 0xE0U : 0xF0U) | code >> (6 * rest));
            for (int i = rest - 1; i >= 0; --i) put(0x80U | (code >> (6 * i) & 0x3FU));
        }
    }
    std::uint32_t unit(std::size_t end) {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++at_) {
            const char c = at_ < end ? json_[at_] : '"';
            const int digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) refuse_next("four hexadecimal digits");
            code = 16 * code + static_cast<std::uint32_t>(digit);
        }
        return code;
    }

    std::string_view json_;
    std::size_t at_ = 0;
    budget left_;
    vector<entry> values_;
    vector<place> open_;    // open lists and objects
    bool is_first_ = false; // the innermost list or object has no contents yet
    std::string decoded_;   // strings that had escapes
};

} // namespace tutti::relay::inline TUTTI_FORM::text
