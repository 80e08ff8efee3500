#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tutti {

/// A unit as a graph to draw, as returned by `unit_traits<Unit>::graph`.
///
/// Example: `tutti::unit_graph g; g.nodes.push_back({.label = "scan"}); g.nodes.push_back({.label = "sort"});
///          g.edges.push_back({0, 1});`
struct unit_graph {
    struct node {
        std::string label;   ///< the caption, such as an operator or a name
        std::string type{};  ///< type of the node's value; empty if there is none
        std::string text{};  ///< the node's lines in the text of the unit
        std::string group{}; ///< name of the group; nodes of one group look alike
    };
    /// An edge from a computation to its user.
    struct edge {
        std::uint32_t from = 0, to = 0; ///< indices of nodes
        std::string label{};            ///< may be empty
    };

    std::vector<node> nodes{};
    std::vector<edge> edges{};

    std::uint32_t add(node n) {
        nodes.push_back(static_cast<node&&>(n));
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }
};

} // namespace tutti
