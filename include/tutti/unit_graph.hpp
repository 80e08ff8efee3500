#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tutti {

/// A unit as nodes and edges, to be drawn; what `unit_traits<Unit>::graph` gives.
///
/// Example: `tutti::unit_graph g; g.nodes.push_back({.label = "scan"}); g.nodes.push_back({.label = "sort"}); g.edges.push_back({0, 1});`
struct unit_graph {
    struct node {
        std::string label;   ///< what stands in it: an operator, a name
        std::string type{};  ///< of its value; empty if that has none
        std::string text{};  ///< what it is in the unit's text: one or more lines of it
        std::string group{}; ///< a word; nodes of one group are drawn alike
    };
    /// From what is computed first to what uses it.
    struct edge {
        std::uint32_t from = 0, to = 0; ///< nodes, by their place
        std::string label{};            ///< empty where nothing need be said
    };

    std::vector<node> nodes{};
    std::vector<edge> edges{};

    std::uint32_t add(node n) {
        nodes.push_back(static_cast<node&&>(n));
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }
};

} // namespace tutti
