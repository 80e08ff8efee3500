#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Which lets of a module bind values that are computed without touching a state, so that they may be left out or moved.
///
/// Operators say whether they have a state; a function has one if its body has. A function that is a parameter or a tuple's field
/// is taken to have one; so is a call inside of more than 25 others, as in the reference.
///
/// Requires: inferred types.
/// Cost:     linear in the module; no recursion.
class purity {
public:
    constexpr explicit purity(const ir_module& m) : m_(&m), everything_(is_everything_pure(m)) {
        if (everything_) return;
        for (const auto& [name, f] : m) {
            known_.emplace_back(f.graph.size(), no_answer);
            bound_.emplace_back(f.graph.size(), no_answer);
        }
        functions_.assign(m.size(), no_answer);
        for (std::size_t i = 0; i < m.size(); ++i)
            if (functions_[i] == no_answer && !has_nonzero_attribute(at(i), root(i), "Primitive")) run(i);
    }

    /// Whether a let's variable is known to be bound to a value without effects; `function` counts the module's functions.
    constexpr bool is_pure(std::size_t function, expr_id variable) const {
        return everything_ || (bound_[function][index(variable)] & evaluation) != 0;
    }

private:
    // Two answers: whether computing the value is pure, and whether calling it is, if it is a function.
    using answer = std::uint8_t;
    static constexpr answer no_answer = 0;
    static constexpr answer evaluation = 1;
    static constexpr answer call = 2;
    static constexpr answer given = 4; // so that no answer is none
    static constexpr answer pure = evaluation | call | given;

    static constexpr std::uint32_t deepest_call = 25;

    struct frame {
        std::uint32_t function;
        expr_id e;
        std::uint32_t operand; // the next one
        std::uint32_t depth;   // of calls
    };

    // Most modules call operators without a state and nothing else, and need no search.
    static constexpr bool is_everything_pure(const ir_module& m) {
        std::vector<std::uint8_t> depth; // by expression: of calls, in the function that is looked at
        for (const auto& [name, f] : m) {
            if (f.graph.kind(f.root) != expr_kind::function || has_nonzero_attribute(f.graph, f.root, "Primitive"))
                return false;
            depth.assign(f.graph.size(), 0);
            for (std::uint32_t i = index(f.root) + 1; i-- > 0;) // users before operands
                if (!is_plain(f.graph, f.root, expr_id{i}) || !pass_on_depth(f.graph, expr_id{i}, depth)) return false;
        }
        return true;
    }

    // Whether an expression is pure if its operands are, whatever it is used for.
    static constexpr bool is_plain(const graph& g, expr_id root, expr_id e) {
        switch (g.kind(e)) {
        case expr_kind::op:
            return !g.op_definition(e).stateful;
        case expr_kind::variable:
        case expr_kind::projection:
            return is_first_order(g, e);
        case expr_kind::call:
            return g.kind(g.callee(e)) == expr_kind::op;
        case expr_kind::global:
            return false;
        case expr_kind::function:
            return e == root;
        default:
            return true;
        }
    }

    static constexpr bool pass_on_depth(const graph& g, expr_id e, std::vector<std::uint8_t>& depth) {
        const bool calls = g.kind(e) == expr_kind::call;
        const std::uint8_t here = depth[index(e)];
        if (calls && here >= deepest_call) return false;
        const auto within = static_cast<std::uint8_t>(here + (calls ? 1 : 0));
        if (within != 0)
            for (const expr_id o : g.operands(e)) depth[index(o)] = std::max(depth[index(o)], within);
        return true;
    }

    constexpr const function& definition(std::size_t place) const {
        return m_->begin()[static_cast<std::ptrdiff_t>(place)].function;
    }
    constexpr const graph& at(std::size_t function) const { return definition(function).graph; }
    constexpr expr_id root(std::size_t function) const { return definition(function).root; }
    static constexpr bool is_first_order(const graph& g, expr_id e) {
        return g.type(e) == type_id::none || g.types().kind(g.type(e)) != type_kind::function;
    }
    static constexpr answer make(bool pure_evaluation, bool pure_call) {
        return static_cast<answer>(given | (pure_evaluation ? evaluation : 0) | (pure_call ? call : 0));
    }

    constexpr void run(std::size_t function) {
        enter_function(static_cast<std::uint32_t>(function), 0);
        while (!path_.empty()) {
            const frame f = path_.back();
            const graph& g = at(f.function);
            if (f.operand == g.operand_count(f.e)) {
                answer& known = known_[f.function][index(f.e)];
                known = combine(f.function, f.e);
                if (f.e == root(f.function)) functions_[f.function] = known;
                path_.pop_back();
                continue;
            }
            ++path_.back().operand;
            if (g.kind(f.e) == expr_kind::let && f.operand == 2) // the value is known now
                bound_[f.function][index(g.operand(f.e, 0))] = known_[f.function][index(g.operand(f.e, 1))];
            const expr_id o = g.operand(f.e, f.operand);
            if (is_binder(g, f.e, f.operand)) {
                if (g.kind(f.e) == expr_kind::function)
                    bound_[f.function][index(o)] = make(true, is_first_order(g, o));
                else
                    bound_[f.function][index(o)] = pure; // for the value, if it is a recursive function
            } else if (known_[f.function][index(o)] == no_answer) {
                enter(f.function, o, f.depth + (g.kind(f.e) == expr_kind::call ? 1 : 0));
            }
        }
    }

    static constexpr bool is_binder(const graph& g, expr_id e, std::size_t place) {
        return g.kind(e) == expr_kind::let ? place == 0
                                           : g.kind(e) == expr_kind::function && place + 1 < g.operand_count(e);
    }

    constexpr void enter_function(std::uint32_t function, std::uint32_t depth) {
        functions_[function] = pure; // unless it turns out otherwise: it may call itself
        path_.push_back({function, root(function), 0, depth});
    }

    constexpr void enter(std::uint32_t function, expr_id e, std::uint32_t depth) {
        const graph& g = at(function);
        answer& known = known_[function][index(e)];
        switch (g.kind(e)) {
        case expr_kind::constant:
            known = pure;
            return;
        case expr_kind::op:
            known = make(true, !g.op_definition(e).stateful);
            return;
        case expr_kind::variable: {
            const answer bound = bound_[function][index(e)];
            known = make(true, bound == no_answer ? is_first_order(g, e) : (bound & call) != 0);
            return;
        }
        case expr_kind::global: {
            const auto place = static_cast<std::uint32_t>(m_->place_of(g.global_name(e)));
            if (place == m_->size())
                known = make(true, false);
            else if (functions_[place] != no_answer)
                known = functions_[place];
            else {
                --path_.back().operand; // to ask again, when it is known
                enter_function(place, depth);
            }
            return;
        }
        case expr_kind::call:
            if (depth < deepest_call) break;
            known = make(false, is_first_order(g, e));
            return;
        default:
            break;
        }
        path_.push_back({function, e, 0, depth});
    }

    constexpr answer combine(std::uint32_t function, expr_id e) const {
        const graph& g = at(function);
        const auto of = [&](std::size_t place) { return known_[function][index(g.operand(e, place))]; };
        bool all = true; // operands are pure to compute
        for (std::size_t i = 0; i < g.operand_count(e); ++i)
            if (!is_binder(g, e, i)) all = all && (of(i) & evaluation) != 0;
        switch (g.kind(e)) {
        case expr_kind::call:
            return make(all && (of(0) & call) != 0, is_first_order(g, e) || (of(0) & call) != 0);
        case expr_kind::function: {
            const answer body = of(g.operand_count(e) - 1);
            return make(true, (body & evaluation) != 0 && (body & call) != 0);
        }
        case expr_kind::let:
            return make(all, (of(2) & call) != 0);
        case expr_kind::conditional:
            return make(all, (of(1) & of(2) & call) != 0);
        case expr_kind::projection:
            return make(all, is_first_order(g, e));
        default:
            return make(all, true);
        }
    }

    const ir_module* m_;
    bool everything_;
    std::vector<std::vector<answer>> known_; // by function and expression
    std::vector<std::vector<answer>> bound_; // by function and variable
    std::vector<answer> functions_;
    std::vector<frame> path_;
};

} // namespace tutti::relay
