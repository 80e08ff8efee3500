#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/transform/function_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay {

namespace detail {

/// The function literals that DefuseOps inlines at their calls, and the values of their parameters.
class dissolved_functions {
public:
    constexpr dissolved_functions(const graph& g, expr_id root)
        : uses_(g.size(), 0), argument_(g.size(), expr_id::none) {
        const plain_vector<expr_id> order = post_order(g, root);
        uses_[index(root)] = 2;
        for (const expr_id e : order)
            for (std::size_t i = 0; i < g.operand_count(e); ++i) {
                unsigned char& uses = uses_[index(g.operand(e, i))];
                uses = uses == 0 && is_call_of_one(g, e) && i == 0 ? 1 : 2;
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

    /// True if the only use of a function literal is a call of it.
    constexpr bool is_only_called(expr_id function) const { return uses_[index(function)] == 1; }

    /// Returns the value of a parameter of a function with a single call, or none.
    constexpr expr_id argument(expr_id parameter) const { return argument_[index(parameter)]; }

private:
    plain_vector<unsigned char> uses_; // indexed by expression: 1 for a single use, which is such a call
    plain_vector<expr_id> argument_;
};

} // namespace detail

/// Inlines functions at their calls, the inverse of FuseOps.
///
/// A function literal is inlined at each call, whatever its body; it is copied if it has several. Functions bound to
/// variables and functions of the module stay.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the copies, which are limited to `max_nodes` more expressions than the graph
///           has.
/// Throws:   `tutti::error` without types, or above that limit; the module is unchanged.
struct defuse_ops {
    static constexpr pass_info info{.name = "DefuseOps", .opt_level = 3};
    using required = tutti::passes<infer_type>;

    std::uint32_t max_nodes =
        most_copies; ///< limit on copied expressions in all functions, in addition to the size of the module

    static constexpr option_list<&defuse_ops::max_nodes> options{"max_nodes"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        budget copied({info.name, copies_counted, "max_nodes", max_nodes}, expression_count(m));
        transform_functions_within(m, ctx, info, copied, transform);
    }

private:
    static constexpr void note_bound(const graph& from, expr_id e, const pass_notes& notes) {
        if (from.kind(e) != expr_kind::let || from.kind(from.operand(e, 1)) != expr_kind::function) return;
        if (has_nonzero_attribute(from, from.operand(e, 1), "Primitive"))
            notes.missed(from, from.operand(e, 0), "a primitive function bound to a variable stays");
    }

    static constexpr function transform(const function& f, const pass_notes& notes, budget& copied) {
        const detail::dissolved_functions dissolved(f.graph, f.root);
        // A parameter becomes its argument, which must precede it.
        rewriter r(f.graph, post_order(f.graph, f.root, [&](expr_id e) { return dissolved.argument(e); }));
        copier copies(r.to(), r.to());
        return r.rewrite([&](rewriter& into, expr_id e) {
            const graph& from = into.from();
            if (notes.misses_heard()) note_bound(from, e, notes);
            if (dissolved.argument(e) != expr_id::none) return into[dissolved.argument(e)];
            // Its parameters are no longer variables, so it must not be rebuilt, even if unused.
            if (dissolved.is_only_called(e)) return into[from.body(e)];
            if (!dissolved.is_call_of_one(from, e)) return into.rebuild(e);
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
};

} // namespace tutti::relay
