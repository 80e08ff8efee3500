#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Determines which lets of a module bind values without side effects, so that they can be removed or moved.
///
/// Operators declare whether they are stateful. A function is impure if its body is. Creating, reading or writing a
/// reference is impure. A function that is a parameter, a field of a tuple, or part of a data type's value counts as
/// impure. A call nested in more than 25 others also counts as impure, as in the reference.
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

    /// True if a let's variable is known to be bound to a pure value. `function` is the index of the function in the
    /// module.
    constexpr bool is_pure(std::size_t function, expr_id variable) const {
        return everything_ || (bound_[function][index(variable)] & evaluation) != 0;
    }

private:
    // Two bits: evaluating the expression is pure; calling the value, if it is a function, is pure.
    using answer = std::uint8_t;
    static constexpr answer no_answer = 0;
    static constexpr answer evaluation = 1;
    static constexpr answer call = 2;
    static constexpr answer given = 4; // set in every result, to distinguish it from `no_answer`
    static constexpr answer pure = evaluation | call | given;

    static constexpr std::uint32_t deepest_call = 25;

    // An expression and its function.
    using node = std::uint64_t;
    static constexpr node no_node = ~node{0};
    static constexpr node node_of(std::uint32_t function, expr_id e) { return node{function} << 32 | index(e); }
    constexpr node at_root(std::uint32_t function) const { return node_of(function, root(function)); }
    static constexpr std::uint32_t function_of(node n) { return static_cast<std::uint32_t>(n >> 32); }
    static constexpr expr_id expression_of(node n) { return expr_id{static_cast<std::uint32_t>(n)}; }

    // Most modules call only stateless operators, and need no search.
    static constexpr bool is_everything_pure(const ir_module& m) {
        plain_vector<std::uint8_t> depth; // indexed by expression: nesting depth of calls in the current function
        for (const auto& [name, f] : m) {
            if (f.graph.kind(f.root) != expr_kind::function || has_nonzero_attribute(f.graph, f.root, "Primitive"))
                return false;
            depth.assign(f.graph.size(), 0);
            for (std::uint32_t i = index(f.root) + 1; i-- > 0;) // users before operands
                if (!is_plain(f.graph, f.root, expr_id{i}) || !pass_on_depth(f.graph, expr_id{i}, depth)) return false;
        }
        return true;
    }

    // True if the expression is pure however it is used, provided its operands are pure.
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
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            return false;
        default:
            return true;
        }
    }

    static constexpr bool pass_on_depth(const graph& g, expr_id e, plain_vector<std::uint8_t>& depth) {
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
        if (g.type(e) == type_id::none) return true;
        const type_kind kind = g.types().kind(g.type(e)); // a type parameter may stand for a function
        return kind != type_kind::function && kind != type_kind::generic && kind != type_kind::variable;
    }
    static constexpr answer make(bool pure_evaluation, bool pure_call) {
        return static_cast<answer>(given | (pure_evaluation ? evaluation : 0) | (pure_call ? call : 0));
    }

    constexpr void run(std::size_t function) {
        walk(
            at_root(static_cast<std::uint32_t>(function)), [&](node n, std::uint32_t i) { return operand(n, i); },
            [&](node n) { return enter(n); }, [&](node n) { leave(n); });
    }

    // Returns the i-th operand to visit, or `no_node`. The operand of a global is the function that it names. Also
    // records the results for bound variables.
    constexpr node operand(node n, std::uint32_t i) {
        const std::uint32_t function = function_of(n);
        const graph& g = at(function);
        const expr_id e = expression_of(n);
        plain_vector<answer>& bound = bound_[function];
        switch (g.kind(e)) {
        case expr_kind::global:
            return i == 0 ? at_root(static_cast<std::uint32_t>(m_->place_of(g.global_name(e)))) : no_node;
        case expr_kind::function:
            if (i == 0)
                for (const expr_id p : g.params(e)) bound[index(p)] = make(true, is_first_order(g, p));
            return i == 0 ? node_of(function, g.body(e)) : no_node;
        case expr_kind::let:
            // The variable is assumed pure while its value is visited, in case the value is a recursive function.
            // Afterwards, the variable gets the result for the value.
            if (i < 2) bound[index(g.operand(e, 0))] = i == 0 ? pure : known_[function][index(g.operand(e, 1))];
            return i < 2 ? node_of(function, g.operand(e, i + 1)) : no_node;
        default:
            return i < g.operand_count(e) ? node_of(function, g.operand(e, i)) : no_node;
        }
    }

    constexpr void leave(node n) {
        const std::uint32_t function = function_of(n);
        const graph& g = at(function);
        const expr_id e = expression_of(n);
        answer& known = known_[function][index(e)];
        if (g.kind(e) == expr_kind::call) --depth_;
        known = g.kind(e) == expr_kind::global ? functions_[m_->place_of(g.global_name(e))] : combine(function, e);
        if (e == root(function)) functions_[function] = known;
    }

    static constexpr bool is_binder(const graph& g, expr_id e, std::size_t place) {
        return g.kind(e) == expr_kind::let ? place == 0
                                           : g.kind(e) == expr_kind::function && place + 1 < g.operand_count(e);
    }

    // Begins a visit. Returns true if the operands must be visited to determine the result.
    constexpr bool enter(node n) {
        const std::uint32_t function = function_of(n);
        const graph& g = at(function);
        const expr_id e = expression_of(n);
        if (e == root(function)) {
            functions_[function] = pure; // assumed, because the function may call itself
            return true;
        }
        answer& known = known_[function][index(e)];
        if (known != no_answer) return false;
        switch (g.kind(e)) {
        case expr_kind::constant:
        case expr_kind::constructor:
            known = pure;
            return false;
        case expr_kind::op:
            known = make(true, !g.op_definition(e).stateful);
            return false;
        case expr_kind::variable: {
            const answer bound = bound_[function][index(e)];
            known = make(true, bound == no_answer ? is_first_order(g, e) : (bound & call) != 0);
            return false;
        }
        case expr_kind::global: {
            const std::size_t place = m_->place_of(g.global_name(e));
            if (place == m_->size())
                known = make(true, false);
            else if (functions_[place] != no_answer)
                known = functions_[place];
            return known == no_answer;
        }
        case expr_kind::call:
            if (depth_ == deepest_call)
                known = make(false, is_first_order(g, e));
            else
                ++depth_;
            return known == no_answer;
        default:
            return true;
        }
    }

    constexpr answer combine(std::uint32_t function, expr_id e) const {
        const graph& g = at(function);
        const auto of = [&](std::size_t place) { return known_[function][index(g.operand(e, place))]; };
        bool all = true; // computing the operands is pure
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
        case expr_kind::match: {
            answer clauses = pure;
            for_each_clause(g, e, [&](const match_clause& c) { clauses = static_cast<answer>(clauses & of(c.body)); });
            return make(all, (clauses & call) != 0);
        }
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            return make(false, is_first_order(g, e));
        case expr_kind::projection:
            return make(all, is_first_order(g, e));
        default:
            return make(all, true);
        }
    }

    const ir_module* m_;
    bool everything_;
    vector<plain_vector<answer>> known_; // indexed by function and expression
    vector<plain_vector<answer>> bound_; // indexed by function and variable
    plain_vector<answer> functions_;
    std::uint32_t depth_ = 0; // number of open calls
};

} // namespace tutti::relay::inline TUTTI_FORM
