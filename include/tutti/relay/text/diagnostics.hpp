#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/syntax_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

/// One thing that is wrong with a text.
struct diagnostic {
    source_location where;
    std::string problem;
    std::string expected{}; ///< what would have been right; may be empty
    std::string line{};     ///< the source line; of a very long one, what is around the place
    std::size_t caret = 0;  ///< where in `line` the place is
};

/// The diagnostic as a compiler writes it: `source:line:col: error: …`, the line, a caret.
inline std::string to_text(const diagnostic& d, std::string_view source) {
    std::string out(source);
    out += ':';
    append_number(out, d.where.line);
    out += ':';
    append_number(out, d.where.column);
    out += ": error: ";
    out += d.problem;
    if (!d.expected.empty()) {
        out += "; expected ";
        out += d.expected;
    }
    out += '\n';
    out += d.line;
    out += '\n';
    for (std::size_t i = 0; i < d.caret && i < d.line.size(); ++i) {
        const char c = d.line[i];
        if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U) continue; // a character of several bytes takes one column
        out += c == '\t' ? '\t' : ' ';
    }
    out += "^\n";
    return out;
}

/// A text that cannot be read: everything that was found wrong with it, in the order of the text.
///
/// `what()` is all of it, as a compiler writes it. `where()`, `problem()` and `expected()` are the first
/// diagnostic's.
class parse_error : public error {
public:
    /// Requires: there is a diagnostic.
    parse_error(std::string_view source, std::vector<diagnostic> found)
        : error(place(source, found.front().where), found.front().problem, found.front().expected)
        , diagnostics_(std::move(found)) {
        for (const diagnostic& d : diagnostics_) text_ += to_text(d, source);
    }

    const char* what() const noexcept override { return text_.c_str(); }
    const std::vector<diagnostic>& diagnostics() const noexcept { return diagnostics_; }

private:
    static std::string place(std::string_view source, source_location where) {
        std::string out(source);
        out += ':';
        append_number(out, where.line);
        out += ':';
        append_number(out, where.column);
        return out;
    }

    std::vector<diagnostic> diagnostics_;
    std::string text_;
};

namespace text {

/// Fills in the source line of a place that is `offset` characters into `text`.
///
/// Of a long line a window is kept; characters that would disturb a terminal become spaces.
inline void quote_line(diagnostic& d, std::string_view text, std::size_t offset) {
    constexpr std::size_t before = 100, width = 160;
    const std::size_t start_of_line = d.where.column - 1 <= offset ? offset - (d.where.column - 1) : 0;
    const std::size_t newline = text.substr(offset, width).find('\n');
    const std::size_t end =
        newline == std::string_view::npos ? std::min(text.size(), offset + width) : offset + newline;
    std::size_t begin = start_of_line;
    if (end - begin > width && offset - begin > before) {
        begin = offset - before;
        d.line = "...";
    }
    d.caret = d.line.size() + (offset - begin);
    d.line += text.substr(begin, std::min(end - begin, width));
    for (char& c : d.line)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7F') c = ' ';
}

/// What was found wrong with a text so far.
class diagnostic_list {
public:
    /// At most `limit` are noted, and at least one.
    diagnostic_list(std::string_view text, std::size_t limit) : text_(text), limit_(std::max<std::size_t>(limit, 1)) {}

    /// Notes one, unless one was noted for that place already. Throws: `too_much` if it is the last one.
    void add(const place& at, std::string problem, std::string expected = {}) {
        for (const diagnostic& d : found_)
            if (d.where == at.where) return;
        diagnostic d{at.where, std::move(problem), std::move(expected)};
        quote_line(d, text_, at.offset);
        found_.push_back(std::move(d));
        if (found_.size() >= limit_) throw too_much{};
    }

    bool empty() const { return found_.empty(); }

    /// Takes them out, in the order of the text.
    std::vector<diagnostic> take() {
        std::vector<diagnostic> sorted;
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
            const source_location x = found_[a].where;
            const source_location y = found_[b].where;
            return x.line != y.line ? x.line < y.line : x.column < y.column;
        };
        for (const std::uint32_t next : sorted_places(found_.size(), earlier))
            sorted.push_back(std::move(found_[next]));
        found_.clear();
        return sorted;
    }

private:
    std::string_view text_;
    std::size_t limit_;
    std::vector<diagnostic> found_;
};

} // namespace text

} // namespace tutti::relay
