#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <span>

namespace tutti::relay {

/// The lets of a graph by the value that they bind: what a walker asks when it has a value, since it meets the variable before.
///
/// Cost: nothing in a graph without lets, else two ids a node.
class bindings {
public:
    constexpr bindings() = default; ///< none
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

    /// Whether there are no lets.
    constexpr bool empty() const { return first_.empty(); }

    /// Calls `f(variable)` for each variable that is bound to `value`.
    template <class F>
    constexpr void for_each_variable(expr_id value, F&& f) const {
        if (first_.empty()) return;
        for (expr_id let = first_[index(value)]; let != expr_id::none; let = next_[index(let)]) f(g_->operand(let, 0));
    }

private:
    const graph* g_ = nullptr;
    plain_vector<expr_id> first_; // by value: a let that binds it
    plain_vector<expr_id> next_;  // by let: another that binds the same value
};

} // namespace tutti::relay
