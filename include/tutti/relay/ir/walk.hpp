#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// An expression that a walk has entered but not left.
template <class Node>
struct walk_step {
    Node node;
    std::uint32_t met; // number of operands visited so far
};

template <class Node>
constexpr Node no_node() {
    if constexpr (std::is_enum_v<Node>)
        return Node::none;
    else
        return ~Node{};
}

} // namespace detail

/// A predicate that is true for the first call with an expression. It is for walks that enter each expression once.
class each_once {
public:
    constexpr explicit each_once(std::size_t size) : seen_(size, 0) {}

    template <class Id>
    constexpr bool operator()(Id e) {
        return std::exchange(seen_[index(e)], 1) == 0;
    }

private:
    plain_vector<char> seen_;
};

/// Walks depth-first below `root`.
///
/// `enter(e)` is called when the walk reaches `e`. It returns true to visit the operands of `e`; it must remember
/// visited expressions itself. `operand(e, i)` returns the `i`-th operand, or none after the last. By then, all
/// previous operands have been visited, and left if entered. `leave(e)` is called after the last operand.
///
/// A Node is an id or an unsigned number; all bits set means none.
///
/// Cost:     that of the entered expressions; no recursion.
template <class Node, class Operand, class Enter, class Leave>
constexpr void walk(Node root, Operand&& operand, Enter&& enter, Leave&& leave) {
    constexpr Node none = detail::no_node<Node>();
    plain_vector<detail::walk_step<Node>> path;
    if (enter(root)) path.push_back({root, 0});
    while (!path.empty()) {
        detail::walk_step<Node>& top = path.back();
        const Node next = operand(top.node, top.met);
        if (next == none) {
            const Node done = top.node;
            path.pop_back();
            leave(done);
        } else {
            ++top.met;
            if (enter(next)) path.push_back({next, 0});
        }
    }
}

/// Walks over a graph, and visits all operands in order.
template <class Enter, class Leave>
constexpr void walk(const graph& g, expr_id root, Enter&& enter, Leave&& leave) {
    const auto operand = [&](expr_id e, std::uint32_t i) {
        return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
    };
    walk(root, operand, enter, leave);
}

/// Returns the expressions below `root`, each once, operands before users. Operands are visited in order.
///
/// Nested functions are included. The order of a let is variable, value, body, so a variable precedes its value.
/// `before(e)` returns one more expression that must precede `e` and its operands, or `expr_id::none`.
///
/// Requires: the result of `before(e)` does not depend on `e`.
/// Cost:     linear in the graph; no recursion.
template <class Before>
constexpr plain_vector<expr_id> post_order(const graph& g, expr_id root, Before&& before) {
    plain_vector<expr_id> order;
    order.reserve(g.size()); // a growing vector would take twice the memory
    each_once first_time(g.size());
    const auto operand = [&](expr_id e, std::uint32_t i) {
        if (const expr_id first = before(e); first != expr_id::none && i-- == 0) return first;
        return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
    };
    const auto enter = [&](expr_id e) {
        if (!first_time(e)) return false;
        const bool leaf = g.operand_count(e) == 0 && before(e) == expr_id::none;
        if (leaf) order.push_back(e);
        return !leaf;
    };
    walk(root, operand, enter, [&](expr_id e) { order.push_back(e); });
    return order;
}
/// Returns the same order as the overload above, but without `before`. This overload is separate for speed, because
/// most passes use it.
constexpr plain_vector<expr_id> post_order(const graph& g, expr_id root) {
    using step = detail::walk_step<expr_id>;
    plain_vector<char> marks(g.size(), 0);
    // The path to the current expression. Only deep graphs touch the end of this memory.
    plain_vector<step> path;
    plain_vector<expr_id> order;
    char* const met = marks.data();
    step* const bottom = path.extend(g.size());
    step* top = bottom;
    expr_id* const first = order.extend(g.size());
    expr_id* last = first;
    step at{root, 0};
    std::span<const expr_id> operands = g.operands(root);
    met[index(root)] = 1;
    for (;;) {
        if (at.met == operands.size()) {
            *last++ = at.node;
            if (top == bottom) break;
            at = *--top;
            operands = g.operands(at.node);
            continue;
        }
        const expr_id next = operands[at.met++];
        if (met[index(next)] != 0) continue;
        met[index(next)] = 1;
        const std::span<const expr_id> below = g.operands(next);
        if (below.empty()) {
            *last++ = next;
            continue;
        }
        *top++ = at;
        at = {next, 0};
        operands = below;
    }
    order.shorten(static_cast<std::size_t>(last - first));
    return order;
}

/// Calls `f(e)` once for each expression below `root`, in descending order of ids. Users therefore precede operands.
/// This order is the fastest. Returns a nonzero value for each visited expression, indexed by expression up to `root`.
///
/// Cost: linear in the graph; no recursion.
template <class F>
constexpr plain_vector<char> for_each_from(const graph& g, expr_id root, F&& f) {
    plain_vector<char> marks(index(root) + 1, 0);
    char* const met = marks.data();
    met[index(root)] = 1;
    for (std::uint32_t i = index(root) + 1; i-- > 0;) {
        if (met[i] == 0) continue;
        f(expr_id{i});
        for (const expr_id o : g.operands(expr_id{i})) met[index(o)] = 1;
    }
    return marks;
}

/// Counts the uses of each expression as an operand of `expressions`. The result is indexed by expression.
constexpr plain_vector<std::uint32_t> count_uses(const graph& g, std::span<const expr_id> expressions) {
    plain_vector<std::uint32_t> uses(g.size(), 0);
    for (const expr_id e : expressions)
        for (const expr_id o : g.operands(e)) ++uses[index(o)];
    return uses;
}

/// Selected expressions below `root`, and all expressions inside them.
class enclosed_expressions {
public:
    /// Creates the set; `encloses(e)` is true for the selected expressions.
    ///
    /// Cost: linear in the graph; cheaper if no expression is selected.
    template <class Encloses>
    constexpr enclosed_expressions(const graph& g, expr_id root, Encloses&& encloses) {
        std::uint32_t first = index(root);
        while (first != none && !encloses(expr_id{first})) --first;
        if (first == none) return;
        marks_.assign(index(root) + 1, unused);
        marks_[index(root)] = outside;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) { // users have greater ids than their operands
            if (marks_[i] == unused) continue;
            if (i <= first && encloses(expr_id{i})) marks_[i] = inside;
            for (const expr_id o : g.operands(expr_id{i}))
                if (marks_[index(o)] < marks_[i]) marks_[index(o)] = marks_[i];
        }
    }

    constexpr bool contain(expr_id e) const { return index(e) < marks_.size() && marks_[index(e)] == inside; }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    enum mark : char { unused, outside, inside };

    plain_vector<mark> marks_; // indexed by expression; empty if no expression is selected
};

/// Returns the primitive functions below `root` and the expressions inside them.
constexpr enclosed_expressions in_primitive_functions(const graph& g, expr_id root) {
    return {g, root,
            [&](expr_id e) { return g.kind(e) == expr_kind::function && has_nonzero_attribute(g, e, "Primitive"); }};
}

/// Returns the free variables of `root` in the order of their first uses.
///
/// Cost: linear in the graph.
constexpr plain_vector<expr_id> free_variables(const graph& g, expr_id root) {
    const plain_vector<expr_id> order = post_order(g, root);
    plain_vector<char> bound(g.size(), 0);
    for (const expr_id e : order) {
        if (g.kind(e) == expr_kind::let) bound[index(g.operand(e, 0))] = 1;
        if (g.kind(e) == expr_kind::match)
            for_each_bound(g, e, [&](std::size_t i) { bound[index(g.operand(e, i))] = 1; });
        if (g.kind(e) != expr_kind::function) continue;
        for (const expr_id p : g.params(e)) bound[index(p)] = 1;
    }
    plain_vector<expr_id> free;
    for (const expr_id e : order)
        if (g.kind(e) == expr_kind::variable && bound[index(e)] == 0) free.push_back(e);
    return free;
}

} // namespace tutti::relay::inline TUTTI_FORM
