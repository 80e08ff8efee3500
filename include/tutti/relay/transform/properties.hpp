#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/property_claims.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// True if function passes skip `f`, because it is for another compiler (`Compiler="..."`) or has `SkipOptimization=1`.
constexpr bool is_left_alone(const function& f) {
    return has_attribute(f.graph, f.root, "Compiler") || has_nonzero_attribute(f.graph, f.root, "SkipOptimization");
}

namespace detail {

/// True if a function is in A-normal form: each scope is a chain of lets that ends in a variable or global, and each
/// let computes one operation on variables and globals.
///
/// Cost: linear in the graph; no recursion.
constexpr bool is_in_a_normal_form(const graph& g, expr_id root) {
    const auto is_atom = [&](expr_id e) {
        const expr_kind kind = g.kind(e);
        return kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::op ||
               kind == expr_kind::constructor;
    };
    each_once first_time(g.size());
    plain_vector<expr_id> scopes{g.body(root)};
    const auto is_bindable = [&](expr_id value) {
        switch (g.kind(value)) {
        case expr_kind::let:
            return false;
        case expr_kind::function:
            if (!has_nonzero_attribute(g, value, "Primitive")) scopes.push_back(g.body(value));
            return true;
        case expr_kind::conditional:
            scopes.push_back(g.operand(value, 1));
            scopes.push_back(g.operand(value, 2));
            return is_atom(g.operand(value, 0));
        case expr_kind::match:
            for_each_clause(g, value, [&](const match_clause& c) { scopes.push_back(g.operand(value, c.body)); });
            return is_atom(g.operand(value, 0));
        default:
            for (const expr_id o : g.operands(value))
                if (!is_atom(o)) return false;
            return true;
        }
    };
    while (!scopes.empty()) {
        expr_id e = scopes.back();
        scopes.pop_back();
        for (; g.kind(e) == expr_kind::let; e = g.operand(e, 2)) {
            const expr_id value = g.operand(e, 1);
            if (!first_time(e)) return false;
            if (!is_atom(value) && !(first_time(value) && is_bindable(value))) return false;
        }
        if (!is_atom(e)) return false;
    }
    return true;
}

} // namespace detail

// The properties that the passes over Relay modules state. Functions that passes skip (`is_left_alone`) have all of them.

/// Each expression of each function has a type. InferType gives it.
struct typed {
    static constexpr std::string_view name = "typed";
    /// True if a module has the property.
    static TUTTI_CONSTEXPR bool holds(const ir_module& m);
};

/// Each function that is not primitive is in A-normal form: all intermediate values are bound by `let`.
struct in_a_normal_form {
    static constexpr std::string_view name = "a_normal_form";
    /// True if a module has the property.
    static TUTTI_CONSTEXPR bool holds(const ir_module& m);
};

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/properties.ipp>
#endif
