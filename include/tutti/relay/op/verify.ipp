#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/attribute_reading.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Compares the types stored in a function with the types inferred in a copy of it.
constexpr void compare_types(const function& noted, const function& inferred) {
    const graph& g = inferred.graph; // its type table contains both functions' types, with equal ids
    const auto agrees = [&](expr_id e) {
        const type_id type = noted.graph.type(e);
        return type == g.type(e) || type == type_id::none || g.kind(e) == expr_kind::op ||
               agree(g.types(), type, g.type(e));
    };
    bool all = true;
    for_each_from(noted.graph, noted.root, [&](expr_id e) { all = all && agrees(e); });
    if (all) return;
    for (const expr_id e : post_order(noted.graph, noted.root)) { // reports the first mismatch
        if (agrees(e)) continue;
        const type_id type = noted.graph.type(e);
        std::string where = describe(g, e);
        if (const op_def* op = g.called_op(e); op != nullptr) where = std::string(op->name) + ", " + where;
        const std::string problem = "is annotated with type " + to_text(g.types(), type);
        refuse_at(g, e, error(std::move(where), problem, to_text(g.types(), g.type(e))));
    }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_call(const graph& g, expr_id call, const op_def& op,
                                                               std::string_view problem, std::string_view expected) {
    throw error(std::string(op.name) + ", " + describe(g, call), std::string(problem), std::string(expected));
}

/// Checks that the values stored for a call consist of the operator's attributes in sequence.
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

/// Checks the arguments and attributes of a call of an operator. Accepts all other expressions.
constexpr void check_call(const graph& g, expr_id e) {
    const op_def* op = g.called_op(e);
    if (op == nullptr) return;
    check_arity(*op, g.operand_count(e) - 1);
    if (!op->attributes.empty() || g.call_attributes(e) != attrs_id::none) check_attributes(g, e, *op);
}

/// Checks the calls of operators in a function. True if the function has stored types.
constexpr bool check_calls(const function& f) {
    const graph& g = f.graph;
    bool typed = false;
    try {
        for_each_from(g, f.root, [&](expr_id e) {
            typed = typed || g.type(e) != type_id::none;
            check_call(g, e);
        });
    } catch (const error&) {
        for (const expr_id e : post_order(g, f.root)) { // reports the first error
            try {
                check_call(g, e);
            } catch (const error& what) {
                throw_at(g, e, what);
            }
        }
    }
    return typed;
}

/// Verifies calls and types. `infer` infers the types of a module.
template <executor E, class Infer>
constexpr void verify_calls(E& on, const ir_module& m, Infer infer) {
    const auto in_each = [&](auto check) {
        for_each_index(on, m.size(), [&](std::size_t i) {
            const auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(i)];
            try {
                check(i, f);
            } catch (const error& e) {
                throw_within("@" + name + ": ", e);
            }
        });
    };
    plain_vector<char> typed(m.size(), 0);
    in_each([&](std::size_t i, const function& f) { typed[i] = check_calls(f) ? 1 : 0; });
    bool any = false;
    for (const char each : typed) any = any || each != 0;
    if (!any) return;
    ir_module inferred = m;
    infer(inferred);
    in_each([&](std::size_t i, const function& f) {
        compare_types(f, std::as_const(inferred).begin()[static_cast<std::ptrdiff_t>(i)].function);
    });
}

} // namespace detail

TUTTI_CONSTEXPR void verify(const ir_module& m, const verify_options& options) {
    verify_structure(m, options);
    inline_executor here;
    detail::verify_calls(here, m, [](ir_module& inferred) { infer_types(inferred); });
}

TUTTI_INLINE void verify(const ir_module& m, const verify_options& options, executor_ref on) {
    verify_structure(m, options, on);
    detail::verify_calls(on, m, [&](ir_module& inferred) { infer_types(inferred, on); });
}

} // namespace tutti::relay::inline TUTTI_FORM
