#include <tutti/relay/transform/analysis/fusion_groups.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <set>

using namespace tutti;
using namespace tutti::test;

namespace {

/// Returns, for each call of a program, the operator at the root of its group.
std::vector<std::string> groups(std::string_view text, int opt_level = 2, std::size_t max_depth = 256) {
    const relay::ir_module m = typed(text);
    const relay::function& f = *m.find("main");
    const relay::fusion_graph g(f.graph, f.root);
    const relay::fusion_groups found(g, opt_level, max_depth);
    std::vector<std::string> roots;
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (f.graph.called_op(g.expression(i)) != nullptr) {
            const relay::op_def* root = f.graph.called_op(g.expression(found.root(i)));
            roots.emplace_back(root == nullptr ? "" : root->name);
        }
    return roots;
}

std::size_t group_count(std::string_view text, std::size_t max_depth) {
    const relay::ir_module m = typed(text);
    const relay::function& f = *m.find("main");
    const relay::fusion_graph g(f.graph, f.root);
    const relay::fusion_groups found(g, 2, max_depth);
    std::set<std::uint32_t> roots;
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (f.graph.called_op(g.expression(i)) != nullptr) roots.insert(found.root(i));
    return roots.size();
}

using names = std::vector<std::string>;

} // namespace

TEST_CASE("fusion_groups: a convolution fuses with elementwise operators, including branches", "[relay][transform]") {
    CHECK(groups(residual_block) == names(6, "add"));
}

TEST_CASE("fusion_groups: at level 0 nothing is fused", "[relay][transform]") {
    CHECK(groups(residual_block, 0) == names{"nn.conv2d", "add", "nn.relu", "sigmoid", "tanh", "add"});
}

TEST_CASE("fusion_groups: a reduction fuses with preceding operators, not with later ones", "[relay][transform]") {
    CHECK(groups("def @main(%x: Tensor[(2, 3), float32]) { %0 = exp(%x); %1 = sum(%0, axis=[1]); exp(%1) }") ==
          names{"sum", "sum", "exp"});
}

TEST_CASE("fusion_groups: two producers are not fused", "[relay][transform]") {
    CHECK(groups("def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32]) {\n"
                 "  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);\n  nn.conv2d(%0, %w, padding=[0, 0, 0, 0])\n}\n")
              .size() == 2);
    CHECK(group_count("def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32]) {\n"
                      "  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);\n  %1 = nn.relu(%0);\n"
                      "  nn.conv2d(%1, %w, padding=[0, 0, 0, 0])\n}\n",
                      256) == 2);
}

TEST_CASE("fusion_groups: a tuple in between is fused, a tuple at the end is not", "[relay][transform]") {
    CHECK(groups("def @main(%x: Tensor[(2, 3), float32]) {\n"
                 "  %0 = exp(%x);\n  %1 = tanh(%x);\n  %2 = (%0, %1);\n  concatenate(%2)\n}\n") ==
          names(3, "concatenate"));
    CHECK(groups("def @main(%x: Tensor[(2, 3), float32]) { %0 = exp(%x); %1 = tanh(%x); (%0, %1) }") ==
          names{"exp", "tanh"});
}

TEST_CASE("fusion_groups: no group has more nodes than allowed", "[relay][transform]") {
    CHECK(group_count(chain(11), 256) == 1);
    CHECK(group_count(chain(11), 4) == 3);
    CHECK(group_count(chain(11), 12) == 1);
    CHECK(group_count(chain(11), 11) == 2);
    CHECK(group_count(chain(11), 1) == 12);
    CHECK(group_count(chain(11), 0) == 12);
}
