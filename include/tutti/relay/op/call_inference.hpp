#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay {

/// The type of a constant.
constexpr type_id type_of_constant(graph& g, const tensor& value) {
    dims shape;
    for (const std::int64_t d : value.shape()) shape.push_back(d);
    return g.types().tensor(shape, value.type());
}

namespace detail {

[[noreturn, gnu::cold]] inline void refuse_arity(const op_def& op, std::size_t given) {
    std::string problem = "called with ";
    append_number(problem, static_cast<std::int64_t>(given));
    problem += given == 1 ? " argument" : " arguments";
    std::string expected;
    append_number(expected, static_cast<std::int64_t>(op.arguments.size()));
    for (std::size_t i = 0; i < op.arguments.size(); ++i) {
        expected += i == 0 ? ": " : ", ";
        expected += op.arguments[i];
    }
    throw error(std::string(op.name), std::move(problem), std::move(expected));
}

} // namespace detail

/// Refuses a call of an operator with another number of arguments than it takes.
constexpr void check_arity(const op_def& op, std::size_t given) {
    if (given != op.arguments.size()) detail::refuse_arity(op, given);
}

/// The type of a call of an operator `op`, by its type relation, or none if that must know more.
///
/// `types` has the types of the arguments, by expression; the relation may add to it.
/// Throws: `tutti::error` that names the operator, the argument and the types if they do not fit.
constexpr type_id infer_call(graph& g, expr_id call, const op_def& op, std::span<type_id> types) {
    check_arity(op, g.operand_count(call) - 1);
    relation r(g, types, call, op.name, op.arguments);
    return op.infer(r);
}
constexpr type_id infer_call(graph& g, expr_id call, std::span<type_id> types) {
    return infer_call(g, call, *g.called_op(call), types);
}

} // namespace tutti::relay
