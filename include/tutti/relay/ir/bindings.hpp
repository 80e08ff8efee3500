#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Maps values to the lets that bind them, for walks that reach a let's variable before its value.
///
/// Cost: nothing in a graph without lets, otherwise two ids per node.
class bindings {
public:
    constexpr bindings() = default; ///< no bindings
    constexpr bindings(const graph& g, std::span<const expr_id> expressions) : g_(&g) {
        if (!kinds_of(g).has(expr_kind::let)) return;
        for (const expr_id e : expressions) {
            if (g.kind(e) != expr_kind::let) continue;
            if (first_.empty()) {
                first_.assign(g.size(), expr_id::none);
                next_.assign(g.size(), expr_id::none);
            }
            expr_id& first = first_[index(g.operand(e, 1))];
            next_[index(e)] = first;
            first = e;
        }
    }

    /// True if there are no lets.
    constexpr bool empty() const { return first_.empty(); }

    /// Calls `f(variable)` for each variable bound to `value`.
    template <class F>
    constexpr void for_each_variable(expr_id value, F&& f) const {
        if (first_.empty()) return;
        for (expr_id let = first_[index(value)]; let != expr_id::none; let = next_[index(let)]) f(g_->operand(let, 0));
    }

private:
    const graph* g_ = nullptr;
    plain_vector<expr_id> first_; // indexed by value: a let that binds it
    plain_vector<expr_id> next_;  // indexed by let: another let that binds the same value
};

/// Returns 1 for each expression on which the result of `root` depends and 0 for others, indexed by expression. The
/// value of a let is needed only if a needed expression uses the variable.
///
/// `expressions` lists the function's expressions in any order.
/// Cost: linear in the graph; no recursion.
constexpr plain_vector<char> needed_through_lets(const graph& g, expr_id root, std::span<const expr_id> expressions) {
    plain_vector<char> needed(g.size(), 0);
    plain_vector<expr_id> value(g.size(), expr_id::none); // the value of a let, indexed by its variable
    for (const expr_id e : expressions)
        if (g.kind(e) == expr_kind::let) value[index(g.operand(e, 0))] = g.operand(e, 1);
    plain_vector<expr_id> open;
    const auto meet = [&](expr_id e) {
        if (e != expr_id::none && std::exchange(needed[index(e)], 1) == 0) open.push_back(e);
    };
    meet(root);
    while (!open.empty()) {
        const expr_id e = open.back();
        open.pop_back();
        if (g.kind(e) == expr_kind::let) {
            meet(g.operand(e, 2));
        } else {
            meet(value[index(e)]);
            for (const expr_id o : g.operands(e)) meet(o);
        }
    }
    return needed;
}

} // namespace tutti::relay::inline TUTTI_FORM
