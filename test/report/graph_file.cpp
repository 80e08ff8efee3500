#include <tutti/report/graph_file.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/sequential.hpp>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_layers.hpp"

#include <string>
#include <vector>

using tutti::instrument::graph_file;
using tutti::instrument::graph_form;

namespace {

struct chain {
    std::vector<std::string> links;
};

constexpr auto lengthen = tutti::make_pass<"Lengthen">([](chain& c) { c.links.push_back("link"); });
constexpr auto fail = tutti::make_pass<"Fail">([](chain& c) {
    if (!c.links.empty()) throw std::runtime_error{"it fails"};
});

} // namespace

template <>
struct tutti::unit_traits<chain> {
    static unit_graph graph(const chain& c) {
        unit_graph g;
        for (const std::string& each : c.links) {
            g.add({.label = each});
            const auto last = static_cast<std::uint32_t>(g.nodes.size() - 1);
            if (last > 0) g.edges.push_back({last - 1, last, {}});
        }
        return g;
    }
};

static_assert(tutti::internal::has_graph<chain> && !tutti::internal::has_graph<int>);

TEMPLATE_TEST_CASE("graph_file: draws the unit once, as the passes leave it", "[instrument][graph_file]", static_layer,
                   erased_layer) {
    const temporary_folder folder;
    graph_file picture{{.file = folder.path("c.svg")}}, text{{.file = folder.path("c.dot"), .form = graph_form::dot}};
    auto ctx = TestType::template context<chain>({}, picture, text);
    chain c{{"first"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(lengthen, lengthen), c); });
    CHECK(folder.read("c.dot") ==
          "digraph \"graph\" {\n  node [shape=box, fontname=monospace];\n  n0 [label=\"first\"];\n"
          "  n1 [label=\"link\"];\n  n2 [label=\"link\"];\n  n0 -> n1;\n  n1 -> n2;\n}\n");
    CHECK(folder.read("c.svg").starts_with("<svg "));
}

TEMPLATE_TEST_CASE("graph_file: draws the unit of a failing pass at the time of the failure",
                   "[instrument][graph_file]", static_layer, erased_layer) {
    const temporary_folder folder;
    graph_file text{{.file = folder.path("c.dot"), .form = graph_form::dot}};
    auto ctx = TestType::template context<chain>({}, text);
    chain c{{"first"}};
    CHECK_THROWS(TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(lengthen, fail), c); }));
    CHECK(folder.read("c.dot").find("n0 -> n1") != std::string::npos);
}

TEST_CASE("graph_file: a file that cannot be written is an error before any pass, too large a picture after",
          "[instrument][graph_file]") {
    CHECK_THROWS_WITH(graph_file({.file = "/dev/null/c.svg"}), Catch::Contains("/dev/null/c.svg: cannot be written"));
    const temporary_folder folder;
    graph_file picture{{.file = folder.path("c.svg"), .nodes = 1}};
    tutti::pass_context ctx{tutti::instruments(picture)};
    chain c{{"first"}};
    CHECK_THROWS_WITH(tutti::with(ctx, [&](auto& scope) { scope.run(lengthen, c); }),
                      Catch::Contains("more than 1 nodes"));
    CHECK(folder.files().empty());
}
