#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/hana/adapt_struct.hpp>

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/purity.hpp>

namespace tutti::relay {

namespace detail {

/// How often a let's variable is used by what is needed: not at all, once, or more often. A use in a function that is inside of
/// the variable's scope counts as several, since that may be called often.
class let_uses {
public:
    /// Counts up to `most`, 1 or 2. `is_pure(variable)` says whether a let's value is only needed if its variable is.
    template <class IsPure>
    constexpr let_uses(const graph& g, expr_id root, std::uint8_t most, IsPure&& is_pure)
        : g_(&g), visits_(g.size(), 0), uses_(g.size(), 0), value_(g.size(), expr_id::none), level_(g.size(), 0) {
        open_.push_back({root, 0});
        while (!open_.empty()) {
            const task t = open_.back();
            open_.pop_back();
            if (visits_[index(t.e)] == most) continue; // nothing changes any more
            ++visits_[index(t.e)];
            visit(t.e, t.level, is_pure);
        }
    }

    /// 0, 1 or more; if no more than 1 was to be counted, 0 or not.
    constexpr std::uint32_t count(expr_id variable) const { return uses_[index(variable)]; }
    constexpr bool is_let_bound(expr_id variable) const { return value_[index(variable)] != expr_id::none; }

private:
    struct task {
        expr_id e;
        std::uint32_t level; // of functions
    };

    template <class IsPure>
    constexpr void visit(expr_id e, std::uint32_t level, IsPure&& is_pure) {
        switch (g_->kind(e)) {
        case expr_kind::variable:
            if (!is_let_bound(e)) return;
            if (++uses_[index(e)] == 1) {
                if (is_pure(e)) open_.push_back({value_[index(e)], level});
            }
            if (level_[index(e)] < level) ++uses_[index(e)];
            return;
        case expr_kind::let: {
            const expr_id variable = g_->operand(e, 0);
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
    std::vector<std::uint8_t> visits_;
    std::vector<std::uint32_t> uses_;  // by variable
    std::vector<expr_id> value_;       // by variable
    std::vector<std::uint32_t> level_; // by variable: how many functions are around its let
    std::vector<task> open_;
};

/// Which lets of a function go, and why; and the order in which to rewrite what stays.
class let_elimination {
public:
    enum class action : std::uint8_t { keep, leave_out, replace };

    template <class IsPure>
    constexpr let_elimination(const function& f, bool inline_once, IsPure&& is_pure)
        : g_(&f.graph), actions_(f.graph.size(), action::keep) {
        const let_uses uses(f.graph, f.root, inline_once ? 2 : 1, is_pure);
        for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
            const expr_id e{i};
            if (!uses.is_let_bound(e) || !is_pure(e)) continue;
            if (uses.count(e) == 0) actions_[i] = action::leave_out;
            if (uses.count(e) == 1 && inline_once) actions_[i] = action::replace;
            changes_ = changes_ || actions_[i] != action::keep;
            replaces_ = replaces_ || actions_[i] == action::replace;
        }
    }

    /// Whether anything is to be done, and whether any value replaces its variable.
    constexpr bool changes() const { return changes_; }
    constexpr bool replaces() const { return replaces_; }

    /// What becomes of a let's variable.
    constexpr action of(expr_id variable) const { return actions_[index(variable)]; }

    /// What is needed, operands before users; the value that replaces a variable comes before it.
    constexpr std::vector<expr_id> order(expr_id root) const {
        if (!replaces_) return order_made(root);
        std::vector<expr_id> order;
        std::vector<char> seen(g_->size(), 0);
        std::vector<std::pair<expr_id, std::uint32_t>> path{{root, 0U}}; // an expression, and how many of its operands were met
        seen[index(root)] = 1;
        while (!path.empty()) {
            auto& [e, n] = path.back();
            if (n == g_->operand_count(e)) {
                order.push_back(e);
                path.pop_back();
                continue;
            }
            const std::uint32_t i = n++;
            if (g_->kind(e) == expr_kind::let && i < 2) {
                const action a = of(g_->operand(e, 0));
                if (a == action::leave_out || (a == action::replace && i == 0)) continue;
            }
            const expr_id o = g_->operand(e, i);
            if (std::exchange(seen[index(o)], 1) == 0) path.emplace_back(o, 0U);
        }
        return order;
    }

private:
    // The same in the order in which it was made, for which nothing is to be searched.
    constexpr std::vector<expr_id> order_made(expr_id root) const {
        std::vector<char> needed(g_->size(), 0);
        needed[index(root)] = 1;
        std::size_t count = 0;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) { // users before operands
            if (needed[i] == 0) continue;
            ++count;
            auto operands = g_->operands(expr_id{i});
            if (g_->kind(expr_id{i}) == expr_kind::let && of(operands[0]) == action::leave_out) operands = operands.last(1);
            for (const expr_id o : operands) needed[index(o)] = 1;
        }
        std::vector<expr_id> order;
        order.reserve(count);
        for (std::uint32_t i = 0; i <= index(root); ++i)
            if (needed[i] != 0) order.push_back(expr_id{i});
        return order;
    }

    const graph* g_;
    std::vector<action> actions_; // by variable
    bool changes_ = false;
    bool replaces_ = false;
};

/// A function without the lets that go. What stays keeps its type.
constexpr function without_dead_lets(const function& f, const let_elimination& plan) {
    rewriter r(f.graph, plan.order(f.root));
    const bindings values(f.graph, plan.replaces() ? std::span(r.order()) : std::span<const expr_id>());
    const expr_id root = r.run([&](rewriter& into, expr_id e) {
        const graph& from = into.from();
        const bool replaced = plan.of(e) == let_elimination::action::replace; // a variable; its value came before it
        const bool gone = from.kind(e) == expr_kind::let && plan.of(from.operand(e, 0)) != let_elimination::action::keep;
        const expr_id made = replaced ? into[e] : gone ? into[from.operand(e, 2)] : into.rebuild(e);
        if (!replaced && !gone) into.to().set_type(made, from.type(e));
        values.for_each_variable(e, [&](expr_id variable) {
            if (plan.of(variable) == let_elimination::action::replace) into.replace(variable, made);
        });
        return made;
    });
    return {std::move(r.to()), root};
}

} // namespace detail

/// Leaves out lets whose variables are not used, and what only they needed.
///
/// Values with a state or an effect stay where they are; see `purity`.
///
/// Requires: inferred types.
/// Ensures:  what stays keeps its type.
/// Cost:     linear in the module.
/// Throws:   `tutti::error` without types; the module is as it was.
struct dead_code_elimination {
    static constexpr pass_info info{.name = "DeadCodeElimination", .opt_level = 1};
    using required = tutti::passes<infer_type>;

    bool inline_once = false;     ///< a value whose variable is used once goes where it is used
    bool ignore_impurity = false; ///< take all values for pure

    constexpr void operator()(ir_module& m) const {
        bool any = false; // lets
        for (const auto& [name, f] : std::as_const(m)) {
            require_types(f, info);
            for (std::uint32_t i = 0; i < f.graph.size() && !any; ++i) any = f.graph.kind(expr_id{i}) == expr_kind::let;
        }
        if (!any) return;
        const ir_module nothing;
        const purity values(ignore_impurity ? nothing : m);
        std::vector<function> made(m.size());
        std::size_t n = 0;
        for (const auto& [name, f] : std::as_const(m)) {
            const detail::let_elimination plan(
                f, inline_once, [&](expr_id variable) { return ignore_impurity || values.is_pure(n, variable); });
            if (plan.changes()) made[n] = detail::without_dead_lets(f, plan);
            ++n;
        }
        n = 0;
        for (auto& [name, f] : m) {
            if (made[n].root != expr_id::none) f = std::move(made[n]);
            ++n;
        }
    }
};

} // namespace tutti::relay

BOOST_HANA_ADAPT_STRUCT(tutti::relay::dead_code_elimination, inline_once, ignore_impurity);
