#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/text/parse/cursor.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::text {

/// The point at which parsing can continue after an error.
enum class resumption : std::uint8_t {
    next_line, ///< after the `;` of the statement, or at a line that binds another value
    end_of_block,
    nowhere, ///< not in this function
};

/// The state of a statement that cannot be read.
struct broken_statement {
    std::size_t brackets = 0; ///< number of open round brackets
    bool in_brackets = false; ///< the enclosing block is in round brackets, not in braces
};

/// Skips the remainder of a statement that cannot be read. Stops after the `;` that ends the statement, or before a
/// line that binds another value, the bracket that ends the block, or the next definition.
///
/// Throws: `syntax_error` for an unterminated comment.
inline resumption skip_statement(cursor& in, broken_statement s) {
    for (std::size_t braces = 0;; in.pass(1)) {
        in.skip_blank();
        if (in.at_end() || in.at_definition()) return resumption::nowhere;
        if (braces == 0 && in.at_binding()) return resumption::next_line;
        switch (in.peek()) {
        case '"':
            in.pass_string();
            break;
        case '{':
            ++braces;
            break;
        case '}':
            if (braces == 0) return resumption::end_of_block;
            --braces;
            break;
        case '(':
            if (braces == 0) ++s.brackets;
            break;
        case ')':
            if (braces != 0) break;
            if (s.brackets != 0)
                --s.brackets;
            else if (s.in_brackets)
                return resumption::end_of_block;
            break;
        case ';':
            if (braces != 0) break;
            in.pass(1);
            return resumption::next_line;
        default:
            break;
        }
    }
}

} // namespace tutti::relay::inline TUTTI_FORM::text
