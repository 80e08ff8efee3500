#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/defuse_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The function literals that DefuseOps inlines at their calls, and the values of their parameters.
class dissolved_functions {
public:
    constexpr dissolved_functions(const graph& g, expr_id root, const pass_notes& notes)
        : uses_(g.size(), 0), argument_(g.size(), expr_id::none) {
        const plain_vector<expr_id> order = post_order(g, root);
        uses_[index(root)] = 2;
        for (const expr_id e : order)
            for (std::size_t i = 0; i < g.operand_count(e); ++i) {
                unsigned char& uses = uses_[index(g.operand(e, i))];
                uses = uses == 0 && is_call_of_one(g, e) && i == 0 ? 1 : 2;
            }
        if (notes.used()) {
            stays_.assign(g.size(), 0);
            for (const expr_id e : order)
                if (is_call_of_one(g, e) && !notes.may_apply(g, e, "dissolved")) {
                    stays_[index(e)] = 1;
                    uses_[index(g.callee(e))] = 2;
                }
        }
        for (const expr_id e : order) {
            if (!is_call_of_one(g, e) || !is_only_called(g.callee(e))) continue;
            const auto params = g.params(g.callee(e));
            for (std::size_t i = 0; i < params.size(); ++i) argument_[index(params[i])] = g.arguments(e)[i];
        }
    }

    /// True if `e` calls a function literal.
    static constexpr bool is_call_of_one(const graph& g, expr_id e) {
        if (g.kind(e) != expr_kind::call) return false;
        const expr_id callee = g.callee(e);
        return g.kind(callee) == expr_kind::function && g.params(callee).size() == g.arguments(e).size();
    }

    /// True if `e` calls a function literal and is replaced by the function's body.
    constexpr bool dissolves(const graph& g, expr_id e) const {
        return is_call_of_one(g, e) && (stays_.empty() || stays_[index(e)] == 0);
    }

    /// True if a function literal has one use only, as the callee of a call.
    constexpr bool is_only_called(expr_id function) const { return uses_[index(function)] == 1; }

    /// Returns the argument bound to a parameter if its function is called exactly once; otherwise none.
    constexpr expr_id argument(expr_id parameter) const { return argument_[index(parameter)]; }

private:
    plain_vector<unsigned char> uses_; // indexed by expression: 1 if its only use is as the callee of a call
    plain_vector<expr_id> argument_;
    plain_vector<char> stays_; // indexed by call; empty if nothing decides
};

// Emits a remark about a primitive function that stays because it is bound to a variable.
constexpr void note_bound(const graph& from, expr_id e, const pass_notes& notes) {
    if (from.kind(e) != expr_kind::let || from.kind(from.operand(e, 1)) != expr_kind::function) return;
    if (has_nonzero_attribute(from, from.operand(e, 1), "Primitive"))
        notes.missed(from, from.operand(e, 0), "a primitive function bound to a variable stays");
}

constexpr function without_primitive_functions(const function& f, const pass_notes& notes, budget& copied) {
    const dissolved_functions dissolved(f.graph, f.root, notes);
    // A parameter becomes its argument, so the argument must come first in the order.
    rewriter r(f.graph, post_order(f.graph, f.root, [&](expr_id e) { return dissolved.argument(e); }));
    copier copies(r.to(), r.to());
    return r.rewrite([&](rewriter& into, expr_id e) {
        const graph& from = into.from();
        if (notes.misses_heard()) note_bound(from, e, notes);
        if (dissolved.argument(e) != expr_id::none) return into[dissolved.argument(e)];
        // The function's parameters are no longer variables, so the function must not be rebuilt, even if unused.
        if (dissolved.is_only_called(e)) return into[from.body(e)];
        if (!dissolved.dissolves(from, e)) return into.rebuild(e);
        const expr_id callee = from.callee(e);
        notes.applied(from, e, "dissolved");
        if (dissolved.is_only_called(callee)) return into[from.body(callee)];
        const auto params = from.params(callee);
        for (std::size_t i = 0; i < params.size(); ++i) copies.replace(into[params[i]], into[from.arguments(e)[i]]);
        const std::uint32_t before = into.to().size();
        const expr_id body = copies.copy(into[from.body(callee)]);
        copies.forget();
        copied.take(into.to().size() - before);
        return body;
    });
}

} // namespace detail

TUTTI_CONSTEXPR void defuse_ops::apply(ir_module& m, module_context&& ctx) const {
    budget copied({info.name, copies_counted, "max_nodes", max_nodes}, expression_count(m));
    transform_functions_within(m, ctx, info, copied, detail::without_primitive_functions);
}

} // namespace tutti::relay::inline TUTTI_FORM
