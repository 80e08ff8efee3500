#include <tutti/report/layered_layout.hpp>

#include "support/catch.hpp"

#include <chrono>

using tutti::instrument::lay_out;
using tutti::instrument::layered_layout;
using tutti::instrument::layout_graph;

namespace {

layout_graph boxes(std::size_t n, std::vector<layout_graph::edge> edges = {}) {
    return {std::vector<std::int64_t>(n, 60), std::vector<std::int64_t>(n, 20), std::move(edges)};
}

// Checks that the nodes of a layout are within its bounds and do not overlap.
void check_apart(const layout_graph& g, const layered_layout& at) {
    REQUIRE(at.x.size() == g.widths.size());
    REQUIRE(at.first_bend.size() == g.edges.size() + 1);
    REQUIRE(at.bend_x.size() == at.first_bend.back());
    std::size_t outside = 0, overlapping = 0;
    for (std::size_t a = 0; a < at.x.size(); ++a) {
        outside += at.x[a] - g.widths[a] / 2 < 0 || at.x[a] + g.widths[a] / 2 > at.width ||
                   at.y[a] - g.heights[a] / 2 < 0 || at.y[a] + g.heights[a] / 2 > at.height;
        for (std::size_t b = 0; b < a; ++b)
            overlapping += 2 * std::abs(at.x[a] - at.x[b]) < g.widths[a] + g.widths[b] &&
                           2 * std::abs(at.y[a] - at.y[b]) < g.heights[a] + g.heights[b];
    }
    CHECK(outside == 0);
    CHECK(overlapping == 0);
}

// Generates a random graph without cycles.
layout_graph random_graph(std::size_t n, std::size_t m, std::uint32_t seed) {
    layout_graph g = boxes(n);
    const auto next = [&] { return (seed = seed * 1664525U + 1013904223U) >> 8U; };
    while (g.edges.size() < m) {
        const auto a = static_cast<std::uint32_t>(next() % n), b = static_cast<std::uint32_t>(next() % n);
        if (a < b) g.edges.push_back({a, b});
    }
    return g;
}

} // namespace

TEST_CASE("layered_layout: a chain is one column", "[instrument][layered_layout]") {
    const layout_graph g = boxes(3, {{0, 1}, {1, 2}});
    const layered_layout at = lay_out(g);
    check_apart(g, at);
    CHECK(at.layers == 3);
    CHECK(at.x[0] == at.x[1]);
    CHECK(at.x[1] == at.x[2]);
    CHECK(at.y[0] < at.y[1]);
    CHECK(at.y[1] < at.y[2]);
    CHECK(at.width == 60 + 24);
}

TEST_CASE("layered_layout: nothing, and nodes without edges", "[instrument][layered_layout]") {
    const layered_layout none = lay_out({});
    CHECK(none.width == 0);
    CHECK(none.layers == 0);
    const layout_graph g = boxes(4);
    const layered_layout at = lay_out(g);
    check_apart(g, at);
    CHECK(at.layers == 1);
}

TEST_CASE("layered_layout: a diamond is symmetrical, with its sides next to each other",
          "[instrument][layered_layout]") {
    const layout_graph g = boxes(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    const layered_layout at = lay_out(g);
    check_apart(g, at);
    CHECK(at.y[1] == at.y[2]);
    CHECK(std::abs(2 * at.x[0] - at.x[1] - at.x[2]) <= 2);
    CHECK(std::abs(at.x[0] - at.x[3]) <= 1);
}

TEST_CASE("layered_layout: a node without operands is above its user", "[instrument][layered_layout]") {
    const layered_layout at = lay_out(boxes(4, {{0, 1}, {1, 2}, {3, 2}})); // 3 is an operand of 2 only, like a weight
    CHECK(at.y[3] == at.y[1]);
}

TEST_CASE("layered_layout: edges that pass a layer are bent around it", "[instrument][layered_layout]") {
    const layout_graph g = boxes(3, {{0, 1}, {1, 2}, {0, 2}});
    const layered_layout at = lay_out(g);
    check_apart(g, at);
    REQUIRE(at.bend_x.size() == 1);
    CHECK(at.first_bend == std::vector<std::uint32_t>{0, 0, 0, 1});
    CHECK(at.bend_y[0] == at.y[1]);
    CHECK(std::abs(at.bend_x[0] - at.x[1]) >= 30);
}

TEST_CASE("layered_layout: cycles and edges to oneself", "[instrument][layered_layout]") {
    const layout_graph g = boxes(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {0, 1}});
    const layered_layout at = lay_out(g);
    check_apart(g, at);
    CHECK(at.y[0] < at.y[1]);
    CHECK(at.y[1] < at.y[2]);
    CHECK(at.first_bend[3] - at.first_bend[2] == 1); // the upward edge has a bend
}

TEST_CASE("layered_layout: crossings that can be avoided are", "[instrument][layered_layout]") {
    CHECK(lay_out(boxes(6, {{0, 5}, {1, 4}, {2, 3}})).crossings == 0);
    CHECK(lay_out(boxes(7, {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}, {4, 6}})).crossings == 0);
    CHECK(lay_out(boxes(6, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}})).crossings ==
          9); // a complete bipartite graph
}

TEST_CASE("layered_layout: random graphs do not overlap, and are laid out the same each time",
          "[instrument][layered_layout]") {
    for (std::uint32_t seed = 1; seed < 20; ++seed) {
        const layout_graph g = random_graph(40, 10 + 4 * seed, seed);
        const layered_layout at = lay_out(g), again = lay_out(g);
        check_apart(g, at);
        CHECK(at.x == again.x);
        CHECK(at.bend_x == again.bend_x);
    }
}

TEST_CASE("layered_layout: ten thousand nodes take no time", "[instrument][layered_layout]") {
    constexpr std::uint32_t n = 10'000;
    layout_graph chain = boxes(n), blocks = boxes(n), star = boxes(n);
    for (std::uint32_t i = 1; i < n; ++i) {
        chain.edges.push_back({i - 1, i});
        chain.edges.push_back({0, i}); // crosses up to n layers, too many to bend in each
        blocks.edges.push_back({i - 1, i});
        if (i > 4) blocks.edges.push_back({i - 4, i});
        star.edges.push_back({0, i});
    }
    for (const layout_graph& g : {chain, blocks, star, random_graph(n, 2 * n, 7)}) {
        const auto begin = std::chrono::steady_clock::now();
        const layered_layout at = lay_out(g);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        CHECK(at.bend_x.size() <= 4 * (g.widths.size() + g.edges.size()) + 1000);
        CHECK(took.count() < 20); // an optimised build takes 0.1 s
    }
}
