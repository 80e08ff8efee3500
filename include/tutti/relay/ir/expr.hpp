#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// An expression and its graph. Builder functions such as `add(a, b)` take and return values of this type.
struct expr {
    relay::graph* graph = nullptr;
    expr_id id = expr_id::none;

    /// Returns a field of this tuple, as a new projection in the graph.
    constexpr expr operator[](std::uint32_t field) const;

    friend constexpr bool operator==(const expr&, const expr&) = default;
};

/// True if an expression belongs to a graph. A null graph has no expressions.
constexpr bool has_expression(const graph* g, const expr& e) {
    return g != nullptr && e.graph == g && index(e.id) < g->size();
}

/// Throws `tutti::error` for the first operand that is not in the graph. Does not read other graphs, which may no
/// longer exist.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_operands(const graph* g, std::string_view user,
                                                                   std::span<const expr> operands) {
    std::size_t wrong = 0;
    while (wrong + 1 < operands.size() && has_expression(g, operands[wrong])) ++wrong;
    const expr& e = operands[wrong];
    std::string where(user);
    if (operands.size() > 1) where += ", operand " + std::to_string(wrong);
    if (e.graph == nullptr || e.id == expr_id::none)
        throw error(where, "the handle is empty", "an expression that a builder made");
    if (e.graph != g) throw error(where, "the expression belongs to another builder", "expressions of one builder");
    throw error(where, "the expression is no longer in the builder, which has finished its function",
                "an expression made since then");
}

namespace detail {

constexpr void check_operands(const graph* g, std::string_view user, std::span<const expr> operands) {
    for (const expr& e : operands)
        if (!has_expression(g, e)) refuse_operands(g, user, operands);
}

} // namespace detail

constexpr expr expr::operator[](std::uint32_t field) const {
    if (!has_expression(graph, *this)) refuse_operands(graph, "field of a tuple", {this, 1});
    return {graph, graph->projection(id, field)};
}

} // namespace tutti::relay::inline TUTTI_FORM
