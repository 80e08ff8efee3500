#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/transform/analysis/needed_expressions.hpp>
#include <tutti/relay/transform/analysis/purity.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/dead_code_elimination.hpp>
#include <tutti/relay/transform/rewrite/let_inlining.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

constexpr bool has_let(const graph& g) { // a let is usually among the first expressions
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(expr_id{i}) == expr_kind::let) return true;
    return false;
}

// Emits remarks about removed lets, and about unused ones that stay.
template <class IsPure>
constexpr void note_lets(const function& f, needed_expressions& needed, IsPure&& is_pure, const pass_notes& notes) {
    const graph& g = f.graph;
    const plain_vector<expr_id> order = post_order(g, f.root);
    const plain_vector<std::uint32_t> uses = count_uses(g, order);
    for (const expr_id e : order) {
        if (g.kind(e) != expr_kind::let) continue;
        const expr_id variable = g.operand(e, 0);
        if (needed.becomes()[index(e)] != e)
            notes.applied(g, variable, "left out");
        else if (uses[index(variable)] == 1 && !is_pure(variable))
            notes.missed(g, variable, "is unused, but its value has state or side effects");
    }
}

// Asks for each let that is to be removed. Returns flags indexed by variable: 1 if the variable's let must stay.
[[gnu::cold]] constexpr plain_vector<char> kept_lets(const function& f, needed_expressions& needed,
                                                     const pass_notes& notes) {
    const graph& g = f.graph;
    plain_vector<char> kept(g.size(), 0);
    for (const expr_id e : post_order(g, f.root)) {
        if (g.kind(e) != expr_kind::let || needed.becomes()[index(e)] == e) continue;
        const expr_id variable = g.operand(e, 0);
        if (!notes.may_apply(g, variable, "left out")) kept[index(variable)] = 1;
    }
    return kept;
}

// Returns the function with inlined values, or a function without a root if there is nothing to inline.
template <class IsPure>
constexpr function with_values_inlined(function f, needed_expressions needed, IsPure&& is_pure,
                                       const pass_notes& notes) {
    const std::span<expr_id> becomes = needed.becomes();
    plain_vector<expr_id> pure_variables;
    for (std::uint32_t i = 0; i < becomes.size(); ++i)
        if (becomes[i] == expr_id{i} && f.graph.kind(expr_id{i}) == expr_kind::variable && is_pure(expr_id{i}))
            pure_variables.push_back(expr_id{i});
    f.graph.compact(becomes);
    f.root = becomes[index(f.root)];
    plain_vector<char> pure(f.graph.size(), 0); // indexed by variable
    for (const expr_id variable : pure_variables) pure[index(becomes[index(variable)])] = 1;
    const let_inlining inlining(
        f, [&](expr_id variable) { return pure[index(variable)] != 0; },
        [&](expr_id variable) { return notes.may_apply(f.graph, variable, "inlined"); });
    return inlining.any() ? inlining.result() : function{};
}

} // namespace detail

TUTTI_CONSTEXPR void dead_code_elimination::apply(ir_module& m, module_context&& ctx) const {
    const auto at = [&m](std::size_t i) -> function& { return m.begin()[static_cast<std::ptrdiff_t>(i)].function; };
    plain_vector<char> has_lets(m.size(), 0);
    for_each_function(m, ctx, [&](std::size_t i, const pass_notes&) {
        require_types(at(i), info);
        has_lets[i] = detail::has_let(at(i).graph) ? 1 : 0;
    });
    bool any = false;
    for (const char has : has_lets) any = any || has != 0;
    if (!any) return;
    const ir_module nothing;
    const purity values(ignore_impurity ? nothing : m);

    struct change {
        detail::needed_expressions needed;
        function inlined; // replaces the function; has no root if the function is compacted instead
    };
    vector<std::optional<change>> changes(m.size());
    for_each_function(m, ctx, [&](std::size_t i, const pass_notes& notes) {
        if (has_lets[i] == 0) return;
        const function& f = at(i);
        const auto is_pure = [all = ignore_impurity, i, &values](expr_id variable) {
            return all || values.is_pure(i, variable);
        };
        change c{detail::needed_expressions(f.graph, f.root, is_pure), {}};
        if (notes.used()) {
            const plain_vector<char> kept = detail::kept_lets(f, c.needed, notes);
            const auto may_go = [&](expr_id variable) { return kept[index(variable)] == 0 && is_pure(variable); };
            c.needed = detail::needed_expressions(f.graph, f.root, may_go);
        }
        if (inline_once) c.inlined = detail::with_values_inlined(f, c.needed, is_pure, notes);
        if (notes.heard()) detail::note_lets(f, c.needed, is_pure, notes);
        if (!c.needed.all_lets() || c.inlined.root != expr_id::none) changes[i] = std::move(c);
    });
    for_each_function(m, ctx, [&](std::size_t i, const pass_notes&) { // cannot fail from here on
        if (!changes[i]) return;
        function& f = at(i);
        if (changes[i]->inlined.root != expr_id::none) {
            f = std::move(changes[i]->inlined);
        } else {
            const std::span<expr_id> becomes = changes[i]->needed.becomes();
            f.graph.compact(becomes);
            f.root = becomes[index(f.root)];
        }
        changes[i].reset();
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
