#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace tutti::relay {

/// The expressions that `root` is made of, each once, operands before users, in the order of the operands.
///
/// Nested functions are included. For a let this is variable, value, body, so a variable comes before the value it is bound to.
/// `before(e)` may name one more expression that must come before `e` and its operands, or `expr_id::none`.
///
/// Requires: what `before` names does not itself need `e`.
/// Cost:     linear in the graph; no recursion.
template <class Before>
constexpr std::vector<expr_id> post_order(const graph& g, expr_id root, Before&& before) {
    std::vector<expr_id> order;
    struct step {
        expr_id e;
        std::uint32_t entered; // of its operands
    };
    plain_vector<char> seen(g.size(), 0);
    plain_vector<step> path;
    const auto enter = [&](expr_id e) {
        if (std::exchange(seen[index(e)], 1) != 0) return;
        const expr_id first = before(e);
        if (first == expr_id::none && g.operand_count(e) == 0)
            order.push_back(e);
        else
            path.push_back({e, 0});
        if (first != expr_id::none && std::exchange(seen[index(first)], 1) == 0) path.push_back({first, 0});
    };
    enter(root);
    while (!path.empty()) {
        auto& [e, entered] = path.back();
        if (entered == g.operand_count(e)) {
            order.push_back(e);
            path.pop_back();
        } else {
            enter(g.operand(e, entered++));
        }
    }
    return order;
}
constexpr std::vector<expr_id> post_order(const graph& g, expr_id root) {
    return post_order(g, root, [](expr_id) { return expr_id::none; });
}

/// The variables that `root` uses but does not bind, in the order in which they are met.
///
/// Cost: linear in the graph.
constexpr std::vector<expr_id> free_variables(const graph& g, expr_id root) {
    const std::vector<expr_id> order = post_order(g, root);
    plain_vector<char> bound(g.size(), 0);
    for (const expr_id e : order) {
        if (g.kind(e) == expr_kind::let) bound[index(g.operand(e, 0))] = 1;
        if (g.kind(e) != expr_kind::function) continue;
        for (const expr_id p : g.params(e)) bound[index(p)] = 1;
    }
    std::vector<expr_id> free;
    for (const expr_id e : order)
        if (g.kind(e) == expr_kind::variable && bound[index(e)] == 0) free.push_back(e);
    return free;
}

} // namespace tutti::relay
