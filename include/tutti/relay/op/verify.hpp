#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/attribute_reading.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/infer.hpp>

#include <span>
#include <string>
#include <utility>

namespace tutti::relay {

namespace detail {

/// Compares the types that are noted in a function with those that were inferred in a copy of it.
constexpr void compare_types(const function& noted, const function& inferred) {
    const graph& g = inferred.graph; // its table has the types of both, under the same ids
    for (const expr_id e : post_order(noted.graph, noted.root)) {
        const type_id type = noted.graph.type(e);
        if (type == type_id::none || g.kind(e) == expr_kind::op) continue;
        if (agree(g.types(), type, g.type(e))) continue;
        std::string where = describe(g, e);
        if (const op_def* op = g.called_op(e); op != nullptr) where = std::string(op->name) + ", " + where;
        const std::string problem = "is noted as of type " + to_text(g.types(), type);
        refuse_at(g, e, error(std::move(where), problem, to_text(g.types(), g.type(e))));
    }
}

[[noreturn]] inline void refuse_call(const graph& g, expr_id call, const op_def& op, std::string problem,
                                     std::string expected) {
    throw error(std::string(op.name) + ", " + describe(g, call), std::move(problem), std::move(expected));
}

/// Checks that the values kept for a call are what the operator's attributes are made of, one after the
/// other.
constexpr void check_attributes(const graph& g, expr_id call, const op_def& op) {
    const attrs_id id = g.call_attributes(call);
    std::span<const attr_value> rest = g.attrs()[id];
    plain_vector<attr_value> normal;
    for (const attr_field& f : op.attributes) {
        if (id == attrs_id::none && !f.required) continue;
        const auto values = rest.first(rest.empty() ? 0 : extent(rest));
        normal.clear();
        if (!attr_normaliser(g, values, normal).take(f) || !same_elements(normal.all(), values))
            refuse_call(g, call, op, "attribute `" + std::string(f.name) + "` has " + what_was_given(g, values),
                        what_is_expected(f));
        rest = rest.subspan(values.size());
    }
    if (!rest.empty()) refuse_call(g, call, op, "has more attributes than the operator", {});
}

/// Checks the calls of a function that are of operators. Returns whether any type is noted in it.
constexpr bool check_calls(const function& f) {
    const graph& g = f.graph;
    bool typed = false;
    for (const expr_id e : post_order(g, f.root)) {
        typed = typed || g.type(e) != type_id::none;
        const op_def* op = g.called_op(e);
        if (op == nullptr) continue;
        try {
            check_arity(*op, g.operand_count(e) - 1);
            check_attributes(g, e, *op);
        } catch (const error& what) {
            throw_at(g, e, what);
        }
    }
    return typed;
}

} // namespace detail

/// Checks a module: its structure, the arguments' number and the attributes of every call of an operator,
/// and, if types are noted in it, that they can be inferred and agree with what is inferred (`?` agrees with
/// every dimension).
///
/// Cost:   linear in the module.
/// Throws: `tutti::error` that names the function and the expression; see `verify_structure` and
/// `infer_types`.
constexpr void verify(const ir_module& m, const verify_options& options = {}) {
    verify_structure(m, options);
    bool typed = false;
    const auto in_each = [&](auto check) {
        for (const auto& [name, f] : m) {
            try {
                check(name, f);
            } catch (const error& e) {
                throw_within("@" + name + ": ", e);
            }
        }
    };
    in_each([&](const std::string&, const function& f) { typed = detail::check_calls(f) || typed; });
    if (!typed) return;
    ir_module inferred = m;
    infer_types(inferred);
    in_each([&](const std::string& name, const function& f) {
        detail::compare_types(f, *std::as_const(inferred).find(name));
    });
}

} // namespace tutti::relay
