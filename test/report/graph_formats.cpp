#include <tutti/report/graph_formats.hpp>

#include "support/catch.hpp"

using tutti::unit_graph;
using tutti::instrument::shortened;
using tutti::instrument::style_of_group;
using tutti::instrument::to_dot;
using tutti::instrument::to_svg;

namespace {

unit_graph plan() {
    unit_graph g;
    g.add({.label = "rows", .type = "table", .text = "from \"rows\"", .group = "input"});
    g.add({.label = "sort<\"a\\b\">", .text = "line one\nline </title> & two", .group = "order"});
    g.add({.label = "result", .group = "output"});
    g.edges = {{0, 1, {}}, {1, 2, ".0"}, {1, 1, {}}};
    return g;
}

} // namespace

TEST_CASE("graph_formats: a long line is cut at a character", "[instrument][graph_formats]") {
    CHECK(shortened("abc", 3) == "abc");
    CHECK(shortened("abcd", 3) == "ab…");
    CHECK(shortened("äöüß", 3) == "äö…");
    CHECK(shortened("\x01\xff", 3) == " \xEF\xBF\xBD");
    CHECK(shortened("", 3).empty());
}

TEST_CASE("graph_formats: groups have styles", "[instrument][graph_formats]") {
    CHECK(style_of_group("") == 0);
    CHECK(style_of_group("input") == 1);
    CHECK(style_of_group("constant") == 2);
    CHECK(style_of_group("output") == 3);
    CHECK(style_of_group("anything") >= 4);
    CHECK(style_of_group("anything") == style_of_group("anything"));
}

TEST_CASE("graph_formats: dot", "[instrument][graph_formats]") {
    CHECK(to_dot(plan(), "a \"plan\"") == R"(digraph "a \"plan\"" {
  node [shape=box, fontname=monospace];
  n0 [label="rows\ntable", tooltip="from \"rows\"", shape=ellipse];
  n1 [label="sort<\"a\\b\">", tooltip="line one\nline </title> & two"];
  n2 [label="result", shape=ellipse];
  n0 -> n1;
  n1 -> n2 [label=".0"];
  n1 -> n1;
}
)");
    CHECK(to_dot({}) == "digraph \"graph\" {\n  node [shape=box, fontname=monospace];\n}\n");
}

TEST_CASE("graph_formats: SVG has each node with its type and text, and nothing that is taken for markup",
          "[instrument][graph_formats]") {
    const std::string svg = to_svg(plan(), "<plan>\x02");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
    CHECK(svg.find("<title>&lt;plan&gt; </title>") != std::string::npos);
    CHECK(svg.find("<title>rows\ntable\nfrom &quot;rows&quot;</title>") != std::string::npos);
    CHECK(svg.find("sort&lt;&quot;a\\b&quot;&gt;</text>") != std::string::npos);
    CHECK(svg.find("line &lt;/title&gt; &amp; two</title>") != std::string::npos);
    CHECK(svg.find(">.0</text>") != std::string::npos);
    CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
    CHECK(svg == to_svg(plan(), "<plan>\x02"));
    std::size_t paths = 0;
    for (std::size_t at = 0; (at = svg.find("<path d=\"M", at)) != std::string::npos; ++at) ++paths;
    CHECK(paths == 3 + 1); // three edges and the arrowhead
}

TEST_CASE("graph_formats: a graph that is too large is refused", "[instrument][graph_formats]") {
    unit_graph g;
    for (int i = 0; i < 11; ++i) g.add({.label = "n"});
    CHECK_THROWS_WITH(to_svg(g, "t", 10),
                      "a picture of a graph: more than 10 nodes; expected no more, or a larger limit, or a DOT file");
    CHECK_FALSE(to_dot(g).empty());
}
