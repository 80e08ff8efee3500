#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Constructs that may be open while a function is parsed, blocks first.
enum class frame_kind : std::uint8_t {
    definition,   ///< the block of a function of the module
    program,      ///< the block that is the whole text
    literal,      ///< the block of a function literal
    then,         ///< an if's first block
    otherwise,    ///< an if's second block
    braces,       ///< a separate block in braces
    match,        ///< a match, between its clauses
    bracketed,    ///< a block in round brackets
    chain,        ///< lets in place of an expression; ends with the last body
    clause,       ///< a clause of a match, without the comma after it
    brackets,     ///< round brackets, around a tuple or a single expression
    call,         ///< a call, while its arguments are read
    condition,    ///< an if, while its condition is read
    match_data,   ///< a match, while its data is read
    infix,        ///< an infix operator, while its second operand is read
    reference,    ///< `ref`, `ref_read`, `ref_write`, while its arguments are read
    let_value,    ///< a let, while its value is read
    number_value, ///< `%0 = `, while the value is read
};

/// True for a block: lines followed by a result.
constexpr bool is_block(frame_kind k) { return k <= frame_kind::clause; }

/// True for a block that ends with a brace or with the text.
constexpr bool is_braced(frame_kind k) { return k <= frame_kind::match; }

/// The state of an open construct.
struct frame {
    frame_kind kind;
    bool comma = false;        ///< brackets: a comma was read
    expr_id e = expr_id::none; ///< a call's callee, a let's variable, the first operand of an infix operator
    std::uint32_t number = 0;  ///< the bound number, the infix operator, or the kind of expression
    std::uint32_t values = 0;  ///< index of the construct's first argument, field, parameter or branch
    std::uint32_t lets = 0;    ///< index of a block's first let
    std::uint32_t mark = 0;    ///< the scope around a block
    type_id result = type_id::none;
    type_id type_params = type_id::none;
    attrs_id attributes = attrs_id::none;
    place at{};
    std::uint32_t patterns = 0; ///< index of a match's first pattern
};

} // namespace tutti::relay::inline TUTTI_FORM::text
