#pragma once

#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::detail {

/// How often a let's variable is used. A use in a function that is inside of the variable's scope counts as several, since that may
/// be called often; what a pure value uses is used where the value is first.
///
/// Cost: linear; no recursion.
class let_uses {
public:
    /// `is_pure(variable)` says whether a let's value is only needed if its variable is.
    template <class IsPure>
    constexpr let_uses(const graph& g, expr_id root, IsPure&& is_pure)
        : g_(&g), visits_(g.size(), 0), uses_(g.size(), 0), value_(g.size(), expr_id::none), level_(g.size(), 0) {
        open_.push_back({root, 0});
        while (!open_.empty()) {
            const task t = open_.back();
            open_.pop_back();
            if (visits_[index(t.e)] == 2) continue; // nothing changes any more
            ++visits_[index(t.e)];
            visit(t.e, t.level, is_pure);
        }
    }

    /// Whether an expression is a let's variable that is used once.
    constexpr bool once(expr_id e) const { return value_[index(e)] != expr_id::none && uses_[index(e)] == 1; }

private:
    struct task {
        expr_id e;
        std::uint32_t level; // of functions
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
            visits_[index(e)] = 2; // its variable is not used more often where the let is shared
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

    // Whether an expression neither is a variable nor uses any.
    constexpr bool is_leaf(expr_id e) const {
        const expr_kind kind = g_->kind(e);
        return kind == expr_kind::op || kind == expr_kind::constant || kind == expr_kind::global;
    }

    const graph* g_;
    plain_vector<std::uint8_t> visits_;
    plain_vector<std::uint32_t> uses_;  // by variable
    plain_vector<expr_id> value_;       // by variable
    plain_vector<std::uint32_t> level_; // by variable: how many functions are around its let
    plain_vector<task> open_;
};

/// The lets of a function whose values go where their variables are used: pure ones whose variable is used once.
///
/// Requires: no let that is not needed.
class let_inlining {
public:
    template <class IsPure>
    constexpr let_inlining(const function& f, IsPure&& is_pure) : f_(&f), inlined_(f.graph.size(), 0) {
        const let_uses uses(f.graph, f.root, is_pure);
        for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
            if (!uses.once(expr_id{i}) || !is_pure(expr_id{i})) continue;
            inlined_[i] = 1;
            any_ = true;
        }
    }

    /// Whether there is any.
    constexpr bool any() const { return any_; }

    /// The function without them. What stays keeps its type.
    constexpr function result() const {
        rewriter r(f_->graph, order());
        const bindings values(f_->graph, r.order());
        return r.rewrite([&](rewriter& into, expr_id e) {
            const graph& from = into.from();
            const bool gone = from.kind(e) == expr_kind::let && goes(from.operand(e, 0));
            // A variable that goes stands for its value, which came before it.
            const expr_id made = goes(e) ? into[e] : gone ? into[from.operand(e, 2)] : into.rebuild_typed(e);
            values.for_each_variable(e, [&](expr_id variable) {
                if (goes(variable)) into.replace(variable, made);
            });
            return made;
        });
    }

private:
    constexpr bool goes(expr_id variable) const { return inlined_[index(variable)] != 0; }

    // What the function is made of, operands before users; the value that replaces a variable comes before it.
    constexpr plain_vector<expr_id> order() const {
        const graph& g = f_->graph;
        plain_vector<expr_id> order;
        const auto operand = [&](expr_id e, std::uint32_t i) {
            if (g.kind(e) == expr_kind::let && goes(g.operand(e, 0))) ++i; // its value first
            return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
        };
        walk(f_->root, operand, each_once(g.size()), [&](expr_id e) { order.push_back(e); });
        return order;
    }

    const function* f_;
    plain_vector<char> inlined_; // by variable
    bool any_ = false;
};

} // namespace tutti::relay::detail
