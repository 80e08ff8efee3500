#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/search/delta_debug.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// An edit that makes programs smaller, for `reduce`. It visits a program in a deterministic order, consults the choice
/// at each possible edit, and returns the program with the chosen edits. Type inference decides whether the result is
/// well-typed.
///
/// Requires: types are inferred.
using program_edit = ir_module (*)(const ir_module&, instrument::edit_choice&);

/// A function during an edit.
struct function_edit {
    instrument::edit_choice& choice;
    const ir_module& module;
    const function& edited;
    bool is_called = false;        ///< the module refers to the function, so it must keep its parameters
    plain_vector<expr_id> added{}; ///< new parameters in the new graph
};

/// A rule that returns the replacement of an expression, like a rule of a `rewriter`. The rule is not called for the
/// edited function itself.
using edit_rule = expr_id (*)(function_edit&, rewriter&, expr_id);

/// True if a function of the module refers to the function with this name. Recursion counts.
inline bool is_referred_to(const ir_module& m, std::string_view name) {
    for (const auto& [caller, f] : m)
        for (const expr_id e : post_order(f.graph, f.root))
            if (f.graph.kind(e) == expr_kind::global && f.graph.global_name(e) == name) return true;
    return false;
}

/// Returns the replacement of a function of the module, with the rewritten body, the rewritten parameters without
/// duplicates, and the new parameters.
inline expr_id edited_root(function_edit& edit, rewriter& r, expr_id root) {
    const graph& from = r.from();
    plain_vector<expr_id> params;
    const auto add = [&](expr_id p) {
        for (const expr_id known : params)
            if (known == p) return;
        params.push_back(p);
    };
    for (const expr_id p : from.params(root)) add(r[p]);
    for (const expr_id p : edit.added) add(p);
    return r.to().function(params.all(), r[from.body(root)], from.result_annotation(root),
                           from.function_attributes(root), from.type_params(root));
}

/// Edits each function of a module by a rule.
inline ir_module edit_each(const ir_module& m, instrument::edit_choice& choice, edit_rule rule) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        function_edit edit{choice, m, f, is_referred_to(m, name)};
        function edited = rewriter(f).rewrite(
            [&](rewriter& r, expr_id e) { return e == f.root ? edited_root(edit, r, e) : rule(edit, r, e); });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

/// Adds a parameter that replaces an expression and has the same type.
inline expr_id add_parameter(function_edit& edit, rewriter& r, expr_id e) {
    graph& to = r.to();
    std::string name;
    for (std::size_t n = edit.added.size();; ++n) { // inputs need distinct names
        name = "p" + std::to_string(n);
        bool is_free = true;
        for (std::uint32_t i = 0; i < r.from().size() && is_free; ++i)
            is_free = r.from().kind(expr_id{i}) != expr_kind::variable || r.from().variable_name(expr_id{i}) != name;
        for (const expr_id p : edit.added) is_free = is_free && to.variable_name(p) != name;
        if (is_free) break;
    }
    const type_id type = r.from().type(e);
    const expr_id made = to.variable(name, type);
    to.set_type(made, type);
    edit.added.push_back(made);
    return made;
}

} // namespace tutti::relay::inline TUTTI_FORM
