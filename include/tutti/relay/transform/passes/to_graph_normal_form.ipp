#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/to_graph_normal_form.hpp>

#include <cstddef>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of ToGraphNormalForm: a let's variable becomes its value.
class let_remover {
public:
    constexpr let_remover(const rewriter& r, const pass_notes& notes)
        : bindings_(r.from(), r.order()), used_(r.from().size(), 0), notes_(&notes) {
        if (!notes.used()) return;
        stays_.assign(r.from().size(), 0);
        for (const expr_id e : r.order())
            if (r.from().kind(e) == expr_kind::let && !notes.may_apply(r.from(), r.from().operand(e, 0), "let removed"))
                stays_[index(r.from().operand(e, 0))] = 1;
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const expr_id made = make(r, e);
        bound_.assign(1, e);
        while (!bound_.empty()) {
            const expr_id value = bound_.back();
            bound_.pop_back();
            bindings_.for_each_variable(value, [&](expr_id variable) {
                if (stays(variable)) return;
                // A variable used before its value is complete is used inside the value, so the value is a recursive
                // function. It becomes a let whose result is the variable.
                const bool recursive = value == e && used_[index(variable)] != 0;
                if (recursive) notes_->missed(r.from(), variable, "is recursive, so it keeps a let");
                const expr_id by = recursive    ? r.to().let(r[variable], made, r[variable])
                                   : value == e ? made
                                                : r[value];
                if (r[variable] == by) return;
                r.replace(variable, by);
                bound_.push_back(variable); // variables bound to this one may have been visited before it had a value
            });
        }
        return made;
    }

private:
    constexpr expr_id make(rewriter& r, expr_id e) {
        const graph& from = r.from();
        switch (from.kind(e)) {
        case expr_kind::variable: // already replaced if another use of its value came first
            return r[e] != expr_id::none ? r[e] : r.rebuild(e);
        case expr_kind::let:
            use(from, e, 2);
            if (stays(from.operand(e, 0))) {
                use(from, e, 1);
                return r.rebuild(e);
            }
            notes_->applied(from, from.operand(e, 0), "let removed", "its value moves to its use");
            return r[from.operand(e, 2)];
        case expr_kind::function:
            use(from, e, from.operand_count(e) - 1);
            return r.rebuild(e);
        default:
            for (std::size_t i = 0; i < from.operand_count(e); ++i) use(from, e, i);
            return r.rebuild(e);
        }
    }

    constexpr bool stays(expr_id variable) const { return !stays_.empty() && stays_[index(variable)] != 0; }
    constexpr void use(const graph& g, expr_id e, std::size_t operand) { used_[index(g.operand(e, operand))] = 1; }

    bindings bindings_;
    plain_vector<char> used_;
    plain_vector<expr_id> bound_;
    plain_vector<char> stays_; // indexed by variable: 1 if its let stays; empty if nothing decides
    const pass_notes* notes_;
};

} // namespace detail

TUTTI_CONSTEXPR void to_graph_normal_form::apply(ir_module& m, module_context&& ctx) const {
    transform_functions(m, ctx, [](const function& f, const pass_notes& notes) {
        if (has_references(f.graph)) {
            if (notes.heard()) notes.missed("left alone: it has references, whose order the lets determine");
            return function{};
        }
        rewriter r(f);
        return r.rewrite(detail::let_remover(r, notes));
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
