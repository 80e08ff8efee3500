#include <tutti/relay/transform/analysis/fusion_graph.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using relay::fusion_graph;
using relay::fusion_pattern;

namespace {

/// The facts about one operator call in a fusion graph.
struct seen {
    fusion_pattern pattern;
    bool outside;
    std::vector<fusion_pattern> uses;

    friend bool operator==(const seen&, const seen&) = default;
};

seen see(const fusion_graph& nodes, relay::expr_id e) {
    const auto node = nodes.node(e);
    seen s{nodes.pattern(node), nodes.used_outside(node), {}};
    for (const auto& use : nodes.uses(node)) s.uses.push_back(use.pattern);
    return s;
}

seen see(std::string_view text, std::string_view op) {
    const relay::ir_module m = typed(text);
    const relay::function& f = *m.find("main");
    return see(fusion_graph(f.graph, f.root), nth_call(f, op));
}

} // namespace

TEST_CASE("fusion_graph: numbers operands before users, and finds them again", "[relay][transform]") {
    const relay::ir_module m = typed(residual_block);
    const relay::function& f = *m.find("main");
    const fusion_graph nodes(f.graph, f.root);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        CHECK(nodes.node(nodes.expression(i)) == i);
        for (const auto& use : nodes.uses(i)) CHECK(use.user > i);
    }
    CHECK(nodes.expression(nodes.size() - 1) == f.root);
}

TEST_CASE("fusion_graph: a broadcast that keeps the shape is elementwise", "[relay][transform]") {
    CHECK(see(residual_block, "nn.conv2d") ==
          seen{fusion_pattern::out_elementwise_fusable, false, {fusion_pattern::elementwise}});
    CHECK(see(residual_block, "nn.relu") ==
          seen{fusion_pattern::elementwise, false, {fusion_pattern::elementwise, fusion_pattern::elementwise}});
    CHECK(see("def @main(%x: Tensor[(3), float32], %y: Tensor[(2, 3), float32]) { %0 = exp(%x); add(%0, %y) }",
              "exp") == seen{fusion_pattern::elementwise, false, {fusion_pattern::broadcast}});
}

TEST_CASE("fusion_graph: a user that takes a value twice counts once, with the greater pattern", "[relay][transform]") {
    CHECK(see("def @main(%x: Tensor[(3), float32]) { %0 = exp(%x); add(%0, %0) }", "exp").uses.size() == 1);
    CHECK(see("def @main(%x: Tensor[(3), float32]) { %0 = exp(%x); (%0, %0, %0) }", "exp").uses ==
          std::vector{fusion_pattern::injective});
}

TEST_CASE("fusion_graph: functions, ifs, lets and results are outside", "[relay][transform]") {
    CHECK(see("def @main(%x: Tensor[(3), float32]) { exp(%x) }", "exp").outside);
    CHECK(see("def @main(%x: Tensor[(3), float32]) { let %y = exp(%x); tanh(%y) }", "exp").outside);
    CHECK(see("def @main(%c: bool, %x: Tensor[(3), float32]) { %0 = exp(%x); if (%c) { %0 } else { %x } }", "exp")
              .outside);
    CHECK_FALSE(see("def @main(%x: Tensor[(3), float32]) { %0 = exp(%x); tanh(%0) }", "exp").outside);
}

TEST_CASE("fusion_graph: a call of a function is opaque", "[relay][transform]") {
    const auto s = see("def @main(%x: Tensor[(3), float32]) { %0 = exp(%x); @f(%0) }\n"
                       "def @f(%x: Tensor[(3), float32]) { tanh(%x) }",
                       "exp");
    CHECK(s.uses == std::vector{fusion_pattern::opaque});
}

TEST_CASE("fusion_graph: small constants of the usual types can be fused, others become arguments",
          "[relay][transform]") {
    const auto pattern = [](relay::tensor value) {
        relay::graph g;
        const relay::expr_id c = g.constant(std::move(value));
        const fusion_graph nodes(g, c);
        return nodes.pattern(nodes.node(c));
    };
    CHECK(pattern(relay::tensor(relay::dtype::float32, {})) == fusion_pattern::elementwise);
    CHECK(pattern(relay::tensor(relay::dtype::boolean, {})) == fusion_pattern::elementwise);
    CHECK(pattern(relay::tensor(relay::dtype::int8, {})) == fusion_pattern::opaque);
    CHECK(pattern(relay::tensor(relay::dtype::float32, {1})) == fusion_pattern::opaque);
}

TEST_CASE("fusion_graph: nothing is fused through a nested tuple", "[relay][transform]") {
    const relay::ir_module m = typed("def @main(%x: Tensor[(3), float32]) {\n"
                                     "  %0 = exp(%x);\n  %1 = (%0, %x);\n  %2 = (%1, %0);\n  %2.1\n}\n");
    const relay::function& f = *m.find("main");
    const fusion_graph nodes(f.graph, f.root);
    const relay::expr_id projection = f.graph.body(f.root);
    CHECK(nodes.pattern(nodes.node(projection)) == fusion_pattern::opaque);
    CHECK(nodes.used_outside(nodes.node(f.graph.operand(projection, 0))));
    CHECK(nodes.used_outside(nodes.node(f.graph.operand(f.graph.operand(projection, 0), 0))));
    CHECK(see(nodes, nth_call(f, "exp")).uses == std::vector{fusion_pattern::injective, fusion_pattern::injective});
}
