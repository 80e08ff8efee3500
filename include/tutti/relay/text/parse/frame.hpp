#pragma once

#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>

#include <cstdint>

namespace tutti::relay::text {

/// What is open while a function is read, blocks first.
enum class frame_kind : std::uint8_t {
    definition,   ///< the block of a function of the module
    program,      ///< the block that is the whole text
    literal,      ///< the block of a function literal
    then,         ///< an if's first block
    otherwise,    ///< an if's second block
    braces,       ///< a block in braces of its own
    match,        ///< a match, between its clauses
    bracketed,    ///< a block in round brackets
    chain,        ///< lets where an expression was expected: ends with the last one's body
    clause,       ///< a match's clause, without the comma behind it
    brackets,     ///< round brackets, a tuple or not
    call,         ///< a call, while its arguments are read
    condition,    ///< an if, while its condition is read
    match_data,   ///< a match, while its data is read
    infix,        ///< an operator between its arguments, while the second is read
    reference,    ///< `ref`, `ref_read`, `ref_write`, while its arguments are read
    let_value,    ///< a let, while its value is read
    number_value, ///< `%0 = `, while the value is read
};

/// Whether it is a block: lines, and then a result.
constexpr bool is_block(frame_kind k) { return k <= frame_kind::clause; }

/// Whether it is a block that ends with a brace, or with the text.
constexpr bool is_braced(frame_kind k) { return k <= frame_kind::match; }

/// Something that is open: what is known of it until it can be made.
struct frame {
    frame_kind kind;
    bool comma = false;        ///< brackets: there was one
    expr_id e = expr_id::none; ///< a call's callee, a let's variable, an operator's first argument
    std::uint32_t number = 0;  ///< what the value is bound to; which operator, which kind of expression
    std::uint32_t values = 0;  ///< where its arguments, fields, parameters or branches begin
    std::uint32_t lets = 0;    ///< where a block's lets begin
    std::uint32_t mark = 0;    ///< the scope around a block
    type_id result = type_id::none;
    type_id type_params = type_id::none;
    attrs_id attributes = attrs_id::none;
    place at{};
    std::uint32_t patterns = 0; ///< where a match's patterns begin
};

} // namespace tutti::relay::text
