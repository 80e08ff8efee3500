#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/transform/passes/canonicalize_cast.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of CanonicalizeCast: the first elementwise or broadcasting use of a widening cast keeps the cast, and each
/// other such use gets a copy.
class cast_divider {
public:
    constexpr cast_divider(const graph& g, expr_id root, const pass_notes& notes)
        : first_use_(g.size()), notes_(&notes) {
        find_first_uses(g, root);
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (!divides(from, e)) return r.rebuild(e);
        operands_.assign(1, r[from.callee(e)]);
        bool same = true;
        for (std::size_t i = 1; i < from.operand_count(e); ++i) {
            const expr_id argument = from.operand(e, i);
            const bool again = calls<op::cast>(from, argument) && first_use_[index(argument)] != use{e, i};
            const bool widened = again && widens(from, argument);
            const bool own = widened && notes_->may_apply(from, e, "cast of its own");
            if (own) notes_->applied(from, e, "cast of its own");
            if (again && !widened) notes_->missed(from, e, "shares a cast that does not widen");
            operands_.push_back(own ? copy(r, argument) : r[argument]);
            same = same && !own;
        }
        return same ? r.rebuild(e) : r.to().add_like(from, e, operands_);
    }

private:
    struct use {
        expr_id user = expr_id::none;
        std::size_t operand = 0;

        friend constexpr bool operator==(const use&, const use&) = default;
    };

    static constexpr bool divides(const graph& g, expr_id e) {
        const op_def* op = g.called_op(e);
        return op != nullptr && op->pattern <= fusion_pattern::broadcast;
    }

    // True if a cast widens. Requires: `e` is a cast.
    static constexpr bool widens(const graph& g, expr_id e) {
        const dtype to = get_attributes<cast_attributes>(g, g.call_attributes(e)).dtype;
        return kernel::bits(g.types().element(g.type(g.arguments(e)[0]))) < kernel::bits(to);
    }

    // Finds the first elementwise or broadcasting use of each expression. Uses are in the order in which a walk in
    // operand order returns from operands, so a user precedes the users inside its later operands.
    constexpr void find_first_uses(const graph& g, expr_id root) {
        const auto operand = [&](expr_id e, std::uint32_t i) {
            if (i != 0 && divides(g, e))
                if (use& first = first_use_[index(g.operand(e, i - 1))]; first.user == expr_id::none)
                    first = {e, i - 1};
            return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
        };
        walk(root, operand, each_once(g.size()), [](expr_id) {});
    }

    static constexpr expr_id copy(rewriter& r, expr_id cast) {
        const expr_id operands[]{r[r.from().callee(cast)], r[r.from().arguments(cast)[0]]};
        return r.to().add_like(r.from(), cast, operands);
    }

    plain_vector<use> first_use_; // indexed by expression
    vector<expr_id> operands_;
    const pass_notes* notes_;
};

} // namespace detail

TUTTI_CONSTEXPR void canonicalize_cast::apply(ir_module& m, module_context&& ctx) const {
    run_rules(m, ctx, info, [](const function& f, const rewrite_terms& terms) {
        return rewriter(f).rewrite(detail::cast_divider(f.graph, f.root, terms.notes));
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
