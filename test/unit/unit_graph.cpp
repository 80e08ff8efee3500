#include <tutti/unit/unit_graph.hpp>

#include "support/catch.hpp"

TEST_CASE("unit_graph: nodes are identified by position", "[unit_graph]") {
    tutti::unit_graph g;
    const std::uint32_t scan = g.add({.label = "scan"});
    const std::uint32_t sort = g.add({.label = "sort", .type = "rows"});
    g.edges.push_back({scan, sort});
    CHECK(scan == 0);
    CHECK(g.nodes[sort].type == "rows");
    CHECK(g.edges[0].label.empty());
}
