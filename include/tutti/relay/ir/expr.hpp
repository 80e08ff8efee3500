#pragma once

#include <tutti/relay/ir/graph.hpp>

#include <cstdint>

namespace tutti::relay {

/// An expression and the graph it lives in: what builder functions such as `add(a, b)` take and give.
struct expr {
    relay::graph* graph = nullptr;
    expr_id id = expr_id::none;

    /// The tuple's field of that number.
    constexpr expr operator[](std::uint32_t field) const { return {graph, graph->projection(id, field)}; }

    friend constexpr bool operator==(const expr&, const expr&) = default;
};

} // namespace tutti::relay
