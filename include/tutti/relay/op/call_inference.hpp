#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the type of a constant.
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

/// Rejects a call with the wrong number of arguments.
constexpr void check_arity(const op_def& op, std::size_t given) {
    if (given != op.arguments.size()) detail::refuse_arity(op, given);
}

/// Applies the operator's type relation to a call. Throws: `tutti::error` if the relation does, or if the number of
/// arguments is wrong.
constexpr type_id ask(relation& r, const op_def& op) {
    check_arity(op, r.argument_count());
    return op.infer(r);
}

/// Infers the type of a call with the type relation of `op`. Returns `type_id::none` if the relation needs more
/// information.
///
/// `types` holds the types of the arguments, indexed by expression. The relation may add types.
/// Throws: `tutti::error` that names the operator, the argument and the types if the types do not fit.
constexpr type_id infer_call(graph& g, expr_id call, const op_def& op, std::span<type_id> types) {
    relation r(g, types, call, op.name, op.arguments);
    return ask(r, op);
}
constexpr type_id infer_call(graph& g, expr_id call, std::span<type_id> types) {
    return infer_call(g, call, *g.called_op(call), types);
}

/// Infers calls of one graph in sequence. A call with the operator, attributes and argument types of a recent call gets
/// that call's type at once, unless the type relation examined anything else (`relation::says_only_of_types`).
class call_inference {
public:
    /// Returns the type of a recent call that equals this call, or `type_id::none`.
    constexpr type_id known(const graph& g, expr_id call, std::span<const type_id> types) const {
        const std::span<const expr_id> operands = g.operands(call);
        const attrs_id attributes = g.call_attributes(call);
        const noted& last = last_[place_of(operands[0], attributes)];
        if (last.callee != operands[0] || last.attributes != attributes || last.operands != operands.size())
            return type_id::none;
        for (std::size_t i = 1; i < operands.size(); ++i)
            if (last.arguments[i - 1] != types[index(operands[i])]) return type_id::none;
        return last.result;
    }

    /// Infers the type of a call, as `infer_call` does.
    constexpr type_id infer(graph& g, expr_id call, const op_def& op, std::span<type_id> types) {
        relation r(g, types, call, op.name, op.arguments);
        const type_id result = ask(r, op);
        if (result != type_id::none && r.says_only_of_types()) note(g, call, types, result);
        return result;
    }

private:
    static constexpr std::size_t most_arguments = 4;
    static constexpr std::size_t places = 16;

    struct noted { // all zeros when unused, which is fast to initialise
        expr_id callee{};
        attrs_id attributes{};
        std::uint32_t operands = 0; // number of operands: the callee and the arguments
        std::array<type_id, most_arguments> arguments{};
        type_id result{};
    };

    static constexpr std::size_t place_of(expr_id callee, attrs_id attributes) {
        return (index(callee) + index(attributes)) % places;
    }

    // Does not record a call with an argument of unknown type, since the relation may still determine that type.
    constexpr void note(const graph& g, expr_id call, std::span<const type_id> types, type_id result) {
        const std::span<const expr_id> operands = g.operands(call);
        if (operands.size() > most_arguments + 1) return;
        noted made{operands[0], g.call_attributes(call), static_cast<std::uint32_t>(operands.size()), {}, result};
        for (std::size_t i = 1; i < operands.size(); ++i) {
            made.arguments[i - 1] = types[index(operands[i])];
            if (made.arguments[i - 1] == type_id::none) return;
        }
        last_[place_of(made.callee, made.attributes)] = made;
    }

    std::array<noted, places> last_{};
};

} // namespace tutti::relay::inline TUTTI_FORM
