#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/transform/passes/inline_globals.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Inlines the functions of a module, callees before callers.
class global_inliner {
public:
    constexpr global_inliner(const ir_module& m, const limit& most, const pass_notes& notes)
        : module_(&m)
        , notes_(notes)
        , copied_(most, expression_count(m))
        , functions_(m.size())
        , met_(m.size(), 0)
        , literals_(m.size(), expr_id::none)
        , shared_(m.size()) {
        for (std::size_t i = 0; i < m.size(); ++i) note_calls(i, original(i));
        for (node& n : functions_)
            for (const std::size_t callee : n.callees) ++functions_[callee].callers;
        for (const node& n : functions_) entry_.push_back(n.callers == 0 ? 1 : 0);
        for (const std::size_t i : callees_first(m)) inline_into(i);
        if (notes.misses_heard()) note_left();
    }

    /// Stores the new functions in the module and removes those without remaining calls.
    constexpr void commit(ir_module& m) {
        std::size_t i = 0;
        for (auto& [name, f] : m) {
            if (functions_[i].changed) f = std::move(functions_[i].made);
            ++i;
        }
        i = 0;
        m.remove_if([&](const ir_module::definition&) {
            const node& n = functions_[i];
            const bool entry = entry_[i++] != 0;
            return n.is_marked && !n.is_recursive && n.callers == 0 && !entry;
        });
    }

private:
    struct node {
        plain_vector<std::size_t> callees; // without duplicates
        std::size_t callers = 0;
        bool is_recursive = false;
        bool is_marked = false;
        bool is_external = false; // the function is for another compiler, and is inlined as a function literal
        bool changed = false;
        bool stays = false; // a use in the current caller is not inlined
        function made{};
    };

    constexpr const function& original(std::size_t i) const {
        return module_->begin()[static_cast<std::ptrdiff_t>(i)].function;
    }
    constexpr const function& current(std::size_t i) const {
        return functions_[i].changed ? functions_[i].made : original(i);
    }

    // Emits remarks about marked functions that are not inlined.
    constexpr void note_left() const {
        for (std::size_t i = 0; i < functions_.size(); ++i) {
            const node& n = functions_[i];
            if (!n.is_marked || can_be_inlined(i)) continue;
            notes_.in(name(i)).missed(n.is_recursive ? "not inlined: is recursive"
                                                     : "not inlined: calls functions that stay");
        }
    }
    constexpr std::string_view name(std::size_t i) const {
        return module_->begin()[static_cast<std::ptrdiff_t>(i)].name;
    }

    constexpr std::size_t place(const graph& g, expr_id global) const {
        const std::string_view name = g.global_name(global);
        const std::size_t i = module_->place_of(name);
        if (i == module_->size()) refuse_at(g, global, not_in_module("Inline: @" + std::string(name), *module_, name));
        return i;
    }

    constexpr void note_calls(std::size_t i, const function& f) {
        node& n = functions_[i];
        n.callees.clear();
        for (const expr_id e : post_order(f.graph, f.root)) {
            if (f.graph.kind(e) != expr_kind::global) continue;
            const std::size_t callee = place(f.graph, e);
            n.is_recursive = n.is_recursive || callee == i;
            if (std::exchange(met_[callee], i + 1) != i + 1) n.callees.push_back(callee);
        }
        n.is_marked = has_nonzero_attribute(f.graph, f.root, "Inline");
        n.is_external = has_attribute(f.graph, f.root, "Compiler");
    }

    // True if a function is marked, not recursive, and no longer calls functions of the module.
    constexpr bool can_be_inlined(std::size_t i) const {
        return functions_[i].is_marked && !functions_[i].is_recursive && functions_[i].callees.empty();
    }

    constexpr void inline_into(std::size_t caller) {
        node& n = functions_[caller];
        bool any = false;
        for (const std::size_t callee : n.callees) any = any || can_be_inlined(callee);
        if (!any) return;
        const function& f = original(caller);
        effects_ = may_have_effects(f.graph, f.root);
        notes_ = notes_.in(name(caller));
        rewriter r(f);
        for (const std::size_t callee : n.callees) {
            literals_[callee] = expr_id::none;
            functions_[callee].stays = false;
            shared_[callee].clear();
        }
        find_values(r);
        n.made = r.rewrite([&](rewriter& into, expr_id e) { return rewrite(into, e); });
        for (const std::size_t callee : std::exchange(n.callees, {})) {
            if (can_be_inlined(callee) && !functions_[callee].stays)
                --functions_[callee].callers;
            else
                n.callees.push_back(callee);
        }
        n.changed = true;
    }

    // Marks expressions that are used other than as the callee of a call.
    constexpr void find_values(const rewriter& r) {
        const graph& from = r.from();
        is_value_.assign(from.size(), 0);
        for (const expr_id e : r.order()) {
            const auto operands = from.operands(e);
            for (const expr_id o : from.kind(e) == expr_kind::call ? operands.subspan(1) : operands)
                is_value_[index(o)] = 1;
        }
    }

    constexpr expr_id rewrite(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) == expr_kind::global) {
            const std::size_t callee = place(from, e);
            if (is_value_[index(e)] == 0 || !can_be_inlined(callee)) return r.rebuild_typed(e);
            if (literals_[callee] == expr_id::none) {
                if (!may_inline(from, e, callee)) return r.rebuild_typed(e);
                literals_[callee] = literal(r, callee);
            }
            return literals_[callee];
        }
        if (from.kind(e) != expr_kind::call || from.kind(from.callee(e)) != expr_kind::global)
            return r.rebuild_typed(e);
        const std::size_t callee = place(from, from.callee(e));
        if (!can_be_inlined(callee) || !may_inline(from, from.callee(e), callee)) return r.rebuild_typed(e);
        notes_.applied(from, from.callee(e), "inlined");
        arguments_.clear();
        for (const expr_id a : from.arguments(e)) arguments_.push_back(r[a]);
        // A literal is called instead if the function has type parameters, which only a call determines, or if there
        // may be side effects, because a call evaluates each argument once, before the body.
        const bool generic = current(callee).graph.type_params(current(callee).root) != type_id::none;
        if (functions_[callee].is_external || generic || effects_)
            return r.to().call(literal(r, callee), arguments_, from.call_attributes(e));
        const function& f = current(callee);
        const auto params = f.graph.params(f.root);
        if (params.size() != arguments_.size())
            throw error("Inline: call of @" + std::string(from.global_name(from.callee(e))),
                        "the number of arguments is wrong", "as many as there are parameters");
        copier body(f.graph, r.to());
        for (std::size_t i = 0; i < params.size(); ++i) body.replace(params[i], arguments_[i]);
        for (const auto& [old, made] : shared_[callee]) body.replace(old, made);
        const std::uint32_t before = r.to().size();
        const expr_id made = body.copy(f.graph.body(f.root));
        copied_.take(r.to().size() - before);
        if (shared_[callee].empty()) share(f.graph, body, shared_[callee]);
        return made;
    }

    constexpr bool may_inline(const graph& from, expr_id global, std::size_t callee) {
        const bool may = notes_.may_apply(from, global, "inlined");
        if (!may) functions_[callee].stays = true;
        return may;
    }

    struct copied {
        expr_id old;
        expr_id made;
    };
    using copies = plain_vector<copied>;

    // Records copies of expressions without variables, which all inlined bodies share.
    constexpr void share(const graph& g, const copier& body, copies& shared) {
        uses_variables_.assign(g.size(), 0);
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            const expr_id e{i};
            uses_variables_[i] = g.kind(e) == expr_kind::variable ? 1 : 0;
            for (const expr_id o : g.operands(e))
                if (uses_variables_[index(o)] != 0) uses_variables_[i] = 1;
            if (uses_variables_[i] == 0 && body[e] != expr_id::none) shared.push_back({e, body[e]});
        }
    }

    // Returns the function as a literal without a type.
    constexpr expr_id literal(rewriter& r, std::size_t callee) {
        const function& f = current(callee);
        const std::uint32_t before = r.to().size();
        const expr_id made = copier(f.graph, r.to()).copy(f.root);
        copied_.take(r.to().size() - before);
        r.to().set_type(made, type_id::none);
        return made;
    }

    const ir_module* module_;
    pass_notes notes_; // about the caller
    budget copied_;
    vector<node> functions_;
    plain_vector<std::size_t> met_;     // indexed by function: its last caller, counted from 1
    plain_vector<char> entry_;          // indexed by function: true if it has no callers in the original module
    plain_vector<char> is_value_;       // indexed by expression of the caller: true if used other than as a callee
    plain_vector<expr_id> literals_;    // indexed by function: the literal for its use as a value in the caller
    vector<copies> shared_;             // indexed by function: expressions shared by its inlined bodies in the caller
    bool effects_ = false;              // the caller may have side effects
    plain_vector<char> uses_variables_; // indexed by expression of the callee
    vector<expr_id> arguments_;
};

} // namespace detail

TUTTI_CONSTEXPR void inline_globals::operator()(ir_module& m, const pass_notes& notes) const {
    detail::global_inliner(m, {info.name, copies_counted, "max_nodes", max_nodes}, notes).commit(m);
}

} // namespace tutti::relay::inline TUTTI_FORM
