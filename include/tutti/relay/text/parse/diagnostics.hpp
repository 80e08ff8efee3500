#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// One error in a text.
struct diagnostic {
    source_location where;
    std::string problem;
    std::string expected{}; ///< the correct form; may be empty
    std::string line{};     ///< the source line, or an excerpt of a very long line
    std::size_t caret = 0;  ///< the position of the error in `line`
};

/// Returns a place in a text in the form of compiler messages: `source:line:col`.
inline std::string to_text(source_location where, std::string_view source) {
    std::string out(source);
    out += ':';
    append_number(out, where.line);
    out += ':';
    append_number(out, where.column);
    return out;
}

/// Returns the diagnostic in the form of compiler messages: `source:line:col: error: …`, the line, a caret.
inline std::string to_text(const diagnostic& d, std::string_view source) {
    return tutti::internal::compiler_message(to_text(d.where, source), d.problem, d.expected, {d.line, d.caret});
}

/// All errors of a text that cannot be parsed, in the order of the text.
///
/// `what()` contains all errors in the form of compiler messages. `where()`, `problem()` and `expected()` describe the
/// first error.
class parse_error : public error {
public:
    /// Requires: `found` is not empty.
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

/// Sets the source line for a place `offset` characters into `text`.
inline void quote_line(diagnostic& d, std::string_view text, std::size_t offset) {
    tutti::internal::excerpt shown = tutti::internal::excerpt_of(text, offset);
    d.line = std::move(shown.line);
    d.caret = shown.caret;
}

/// The errors found in a text so far.
class diagnostic_list {
public:
    /// Keeps at most `limit` errors, or one if `limit` is 0.
    diagnostic_list(std::string_view text, std::size_t limit) : text_(text), limit_(std::max<std::size_t>(limit, 1)) {}

    /// Adds an error unless its place already has an error. Throws: `too_much` when the limit is reached.
    void add(const place& at, std::string problem, std::string expected = {}) {
        for (const diagnostic& d : found_)
            if (d.where == at.where) return;
        diagnostic d{at.where, std::move(problem), std::move(expected)};
        quote_line(d, text_, at.offset);
        found_.push_back(std::move(d));
        if (found_.size() >= limit_) throw too_much{};
    }

    bool empty() const { return found_.empty(); }

    /// Removes and returns the errors in the order of the text.
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

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
