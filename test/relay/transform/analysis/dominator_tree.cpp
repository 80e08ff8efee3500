#include <tutti/relay/transform/analysis/dominator_tree.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <random>

using namespace tutti;
using namespace tutti::test;
using relay::dominator_tree;
using relay::fusion_graph;
using relay::fusion_pattern;

namespace {

// Computes the immediate post-dominator by definition. This is the first later node on every path from `node` to the
// outside. Also returns the largest pattern on the paths to it.
std::pair<std::uint32_t, fusion_pattern> by_definition(const fusion_graph& g, std::uint32_t node) {
    for (std::uint32_t candidate = node + 1; candidate < g.size(); ++candidate) {
        std::vector<char> reached(g.size(), 0);
        reached[node] = 1;
        bool leaves = g.used_outside(node) || g.uses(node).empty();
        fusion_pattern greatest = fusion_pattern::elementwise;
        for (std::uint32_t i = node; i < g.size(); ++i) {
            if (reached[i] == 0 || i == candidate) continue;
            leaves = leaves || g.used_outside(i) || g.uses(i).empty();
            for (const auto& use : g.uses(i)) {
                reached[use.user] = 1;
                greatest = std::max(greatest, use.pattern);
            }
        }
        if (!leaves && reached[candidate] != 0) return {candidate, greatest};
    }
    return {dominator_tree::none, fusion_pattern::opaque};
}

// Generates a random program in which each expression uses previous expressions.
std::string random_program(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::string text = "def @main(%x: Tensor[(3), float32]) {\n";
    const auto operand = [&](int i) {
        const int back = 1 + static_cast<int>(random() % 5);
        return i - back < 0 ? std::string("%x") : "%" + std::to_string(i - back);
    };
    for (int i = 0; i < 60; ++i) {
        text += "  %" + std::to_string(i) + " = ";
        switch (random() % 4) {
        case 0:
            text += "exp(" + operand(i) + ");\n";
            break;
        case 1:
            text += "squeeze(" + operand(i) + ");\n";
            break;
        case 2:
            text += "nn.softmax(" + operand(i) + ");\n";
            break;
        default:
            text += "add(" + operand(i) + ", " + operand(i) + ");\n";
        }
    }
    return text + "  tanh(%59)\n}\n";
}

} // namespace

TEST_CASE("dominator_tree: finds the node where branches join, and the greatest pattern up to it",
          "[relay][transform]") {
    const relay::ir_module m = typed(residual_block);
    const relay::function& f = *m.find("main");
    const fusion_graph g(f.graph, f.root);
    const dominator_tree tree(g);
    const auto node = [&](std::string_view op, std::size_t n = 0) { return g.node(nth_call(f, op, n)); };
    CHECK(tree.parent(node("nn.conv2d")) == node("add"));
    CHECK(tree.pattern(node("nn.conv2d")) == fusion_pattern::elementwise);
    CHECK(tree.parent(node("nn.relu")) == node("add", 1));
    CHECK(tree.parent(node("sigmoid")) == node("add", 1));
    CHECK(tree.parent(node("add", 1)) == dominator_tree::none);
    CHECK(tree.pattern(node("add", 1)) == fusion_pattern::opaque);
    CHECK(tree.leads_through(node("nn.conv2d"), node("add")));
    CHECK(tree.leads_through(node("nn.conv2d"), node("add", 1)));
    CHECK(tree.leads_through(node("add"), node("add")));
    CHECK(!tree.leads_through(node("nn.conv2d"), node("sigmoid")));
    CHECK(!tree.leads_through(node("add", 1), node("add")));
}

TEST_CASE("dominator_tree: matches the definition, on random programs", "[relay][transform]") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        const relay::ir_module m = typed(random_program(seed));
        const relay::function& f = *m.find("main");
        const fusion_graph g(f.graph, f.root);
        const dominator_tree tree(g);
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            INFO("seed " << seed << ", node " << i);
            const auto [parent, pattern] = by_definition(g, i);
            REQUIRE(tree.parent(i) == parent);
            REQUIRE(tree.pattern(i) == pattern);
        }
    }
}
