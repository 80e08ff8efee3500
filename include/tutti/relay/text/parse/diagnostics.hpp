#pragma once

#include <tutti/diagnostic.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// One thing that is wrong with a text.
struct diagnostic {
    source_location where;
    std::string problem;
    std::string expected{}; ///< what would have been right; may be empty
    std::string line{};     ///< the source line; of a very long one, what is around the place
    std::size_t caret = 0;  ///< where in `line` the place is
};

/// A place in a text as messages begin with it: `source:line:col`.
inline std::string to_text(source_location where, std::string_view source) {
    std::string out(source);
    out += ':';
    append_number(out, where.line);
    out += ':';
    append_number(out, where.column);
    return out;
}

/// The diagnostic as a compiler writes it: `source:line:col: error: …`, the line, a caret.
inline std::string to_text(const diagnostic& d, std::string_view source) {
    return compiler_message(to_text(d.where, source), d.problem, d.expected, {d.line, d.caret});
}

/// A text that cannot be read: everything that was found wrong with it, in the order of the text.
///
/// `what()` is all of it, as a compiler writes it. `where()`, `problem()` and `expected()` are the first
/// diagnostic's.
class parse_error : public error {
public:
    /// Requires: there is a diagnostic.
    parse_error(std::string_view source, vector<diagnostic> found)
        : error(to_text(found.front().where, source), found.front().problem, found.front().expected)
        , diagnostics_(std::move(found)) {
        for (const diagnostic& d : diagnostics_) text_ += to_text(d, source);
    }

    const char* what() const noexcept override { return text_.c_str(); }
    const vector<diagnostic>& diagnostics() const noexcept { return diagnostics_; }

private:
    vector<diagnostic> diagnostics_;
    std::string text_;
};

namespace text {

/// Fills in the source line of a place that is `offset` characters into `text`.
inline void quote_line(diagnostic& d, std::string_view text, std::size_t offset) {
    excerpt shown = excerpt_of(text, offset);
    d.line = std::move(shown.line);
    d.caret = shown.caret;
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
    vector<diagnostic> take() {
        vector<diagnostic> sorted;
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
    vector<diagnostic> found_;
};

} // namespace text

} // namespace tutti::relay
