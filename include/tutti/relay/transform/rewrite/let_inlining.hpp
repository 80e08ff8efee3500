#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Counts the uses of let variables. A use in a function nested in the variable's scope counts as several, because
/// the function may be called often. Uses inside a pure value count at the place where the value is first used.
///
/// Cost: linear; no recursion.
class let_uses {
public:
    /// `is_pure(variable)` is true if the value of a let variable is needed only if the variable is used.
    template <class IsPure>
    constexpr let_uses(const graph& g, expr_id root, IsPure&& is_pure)
        : g_(&g), visits_(g.size(), 0), uses_(g.size(), 0), value_(g.size(), expr_id::none), level_(g.size(), 0) {
        open_.push_back({root, 0});
        while (!open_.empty()) {
            const task t = open_.back();
            open_.pop_back();
            if (visits_[index(t.e)] == 2) continue; // counted as several uses
            ++visits_[index(t.e)];
            visit(t.e, t.level, is_pure);
        }
    }

    /// True for a let variable with a single use.
    constexpr bool once(expr_id e) const { return value_[index(e)] != expr_id::none && uses_[index(e)] == 1; }

private:
    struct task {
        expr_id e;
        std::uint32_t level; // nesting level of functions
    };

    template <class IsPure>
    constexpr void visit(expr_id e, std::uint32_t level, IsPure&& is_pure) {
        switch (g_->kind(e)) {
        case expr_kind::variable:
            if (value_[index(e)] == expr_id::none) return;
            if (++uses_[index(e)] == 1 && is_pure(e)) open_.push_back({value_[index(e)], level});
            if (level_[index(e)] < level) ++uses_[index(e)];
            return;
        case expr_kind::let: {
            const expr_id variable = g_->operand(e, 0);
            visits_[index(e)] = 2; // complete: a second use of the let adds no uses of its variable
            value_[index(variable)] = g_->operand(e, 1);
            level_[index(variable)] = level;
            open_.push_back({g_->operand(e, 2), level});
            if (!is_pure(variable)) open_.push_back({g_->operand(e, 1), level});
            return;
        }
        case expr_kind::function:
            open_.push_back({g_->body(e), level + 1});
            return;
        default:
            const auto operands = g_->operands(e);
            for (std::size_t i = operands.size(); i-- > 0;)
                if (!is_leaf(operands[i])) open_.push_back({operands[i], level});
        }
    }

    // True if an expression is not a variable and has no operands.
    constexpr bool is_leaf(expr_id e) const {
        const expr_kind kind = g_->kind(e);
        return kind == expr_kind::op || kind == expr_kind::constant || kind == expr_kind::global;
    }

    const graph* g_;
    plain_vector<std::uint8_t> visits_;
    plain_vector<std::uint32_t> uses_;  // indexed by variable
    plain_vector<expr_id> value_;       // indexed by variable
    plain_vector<std::uint32_t> level_; // indexed by variable: number of functions that enclose its let
    plain_vector<task> open_;
};

/// Finds the lets of a function that can be inlined, because the value is pure and the variable is used once.
///
/// Requires: all lets are needed.
class let_inlining {
public:
    template <class IsPure>
    constexpr let_inlining(const function& f, IsPure&& is_pure)
        : let_inlining(f, is_pure, [](expr_id) { return true; }) {}
    /// `may_go(variable)` is false if a let that can be inlined must stay.
    template <class IsPure, class MayGo>
    constexpr let_inlining(const function& f, IsPure&& is_pure, MayGo&& may_go) : f_(&f), inlined_(f.graph.size(), 0) {
        const let_uses uses(f.graph, f.root, is_pure);
        for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
            if (!uses.once(expr_id{i}) || !is_pure(expr_id{i}) || !may_go(expr_id{i})) continue;
            inlined_[i] = 1;
            any_ = true;
        }
    }

    /// True if any let can be inlined.
    constexpr bool any() const { return any_; }

    /// Returns the function without the inlined lets. Other expressions keep their types.
    constexpr function result() const {
        rewriter r(f_->graph, order());
        const bindings values(f_->graph, r.order());
        return r.rewrite([&](rewriter& into, expr_id e) {
            const graph& from = into.from();
            const bool gone = from.kind(e) == expr_kind::let && goes(from.operand(e, 0));
            // A removed variable becomes its value, which precedes it.
            const expr_id made = goes(e) ? into[e] : gone ? into[from.operand(e, 2)] : into.rebuild_typed(e);
            values.for_each_variable(e, [&](expr_id variable) {
                if (goes(variable)) into.replace(variable, made);
            });
            return made;
        });
    }

private:
    constexpr bool goes(expr_id variable) const { return inlined_[index(variable)] != 0; }

    // Returns the expressions of the function, operands before users. A value precedes the variable that it replaces.
    constexpr plain_vector<expr_id> order() const {
        const graph& g = f_->graph;
        plain_vector<expr_id> order;
        const auto operand = [&](expr_id e, std::uint32_t i) {
            if (g.kind(e) == expr_kind::let && goes(g.operand(e, 0))) ++i; // skips the variable, visits the value first
            return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
        };
        walk(f_->root, operand, each_once(g.size()), [&](expr_id e) { order.push_back(e); });
        return order;
    }

    const function* f_;
    plain_vector<char> inlined_; // indexed by variable: true if its let is inlined
    bool any_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
