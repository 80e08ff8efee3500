#include <tutti/relay/text/graph.hpp>

#include <tutti/relay/text/parser.hpp>
#include <tutti/report/graph_formats.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

std::string drawn(std::string_view text) {
    const unit_graph g = relay::to_graph(relay::parse("#[version = \"0.0.5\"]\n" + std::string{text}));
    std::string out;
    for (const unit_graph::node& each : g.nodes)
        out += each.label + " | " + each.type + " | " + each.text + " | " + each.group + "\n";
    for (const unit_graph::edge& each : g.edges)
        out += g.nodes[each.from].label + " -> " + g.nodes[each.to].label +
               (each.label.empty() ? "" : " (" + each.label + ")") + "\n";
    return out;
}

} // namespace

TEST_CASE("graph: calls, parameters, constants and the result, with their types and lines", "[relay][text][graph]") {
    CHECK(drawn(R"(def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  %0 = nn.dense(%x, %w, units=4) /* ty=Tensor[(2, 4), float32] */;
  %1 = add(%0, 2f) /* ty=Tensor[(2, 4), float32] */;
  nn.relu(%1)
})") == R"(%x | Tensor[(2, 3), float32] | %x: Tensor[(2, 3), float32] | input
%w | Tensor[(4, 3), float32] | %w: Tensor[(4, 3), float32] | input
nn.dense | Tensor[(2, 4), float32] | %0 = nn.dense(%x, %w, units=4) /* ty=Tensor[(2, 4), float32] */ | convolution
add | Tensor[(2, 4), float32] | %1 = add(%0, 2f) /* ty=Tensor[(2, 4), float32] */ | elementwise
nn.relu |  | nn.relu(%1) | elementwise
2f | float32 |  | constant
@main |  |  | output
%x -> nn.dense
%w -> nn.dense
nn.dense -> add
2f -> add
add -> nn.relu
nn.relu -> @main
)");
}

TEST_CASE("graph: fields of tuples are edges, tuples nodes", "[relay][text][graph]") {
    CHECK(drawn(R"(def @main(%x: Tensor[(4, 2), float32]) {
  %0 = split(%x, indices_or_sections=2);
  %1 = %0.0;
  %2 = %0.1;
  (%1, %2)
})") == R"(%x | Tensor[(4, 2), float32] | %x: Tensor[(4, 2), float32] | input
split |  | %0 = split(%x, indices_or_sections=2) | reshaping
tuple |  | (%1, %2) | reshaping
@main |  |  | output
%x -> split
split -> tuple (.0)
split -> tuple (.1)
tuple -> @main
)");
}

TEST_CASE("graph: a primitive function is one node where it is called", "[relay][text][graph]") {
    CHECK(drawn(R"(def @main(%x: float32) {
  %1 = fn (%p0: float32, Primitive=1) {
    %0 = exp(%p0);
    nn.relu(%0)
  };
  %2 = %1(%x);
  %1(%2)
})") == R"(%x | float32 | %x: float32 | input
exp + nn.relu |  | %1 = fn (%p0: float32, Primitive=1) {
    %0 = exp(%p0);
    nn.relu(%0)
  }
%2 = %1(%x) | function
exp + nn.relu |  | %1 = fn (%p0: float32, Primitive=1) {
    %0 = exp(%p0);
    nn.relu(%0)
  }
%1(%2) | function
@main |  |  | output
%x -> exp + nn.relu
exp + nn.relu -> exp + nn.relu
exp + nn.relu -> @main
)");
}

TEST_CASE("graph: lets, conditions, functions that call themselves, and other functions", "[relay][text][graph]") {
    CHECK(drawn(R"(def @main(%c: bool, %x: float32) {
  let %y = exp(%x);
  let %f = fn (%n: float32) {
    if (%c) {
      %n
    } else {
      %f(%n)
    }
  };
  %0 = @other(%y);
  %1 = %f(%0);
  %1
}

def @other(%x: float32) {
  %x
})") == R"(%c | bool | %c: bool | input
%x | float32 | %x: float32 | input
%n | float32 | %n: float32 | input
exp |  | let %y = exp(%x) | elementwise
call |  | %f(%n) | function
if |  | if (%c) {
      %n
    } else {
      %f(%n)
    } | function
fn |  | let %f = fn (%n: float32) {
    if (%c) {
      %n
    } else {
      %f(%n)
    }
  } | function
@other |  | %0 = @other(%y) | function
call |  | %f(%0) | function
@main |  |  | output
%x1 | float32 | %x1: float32 | input
@other | float32 |  | output
%x -> exp
fn -> call (callee)
%n -> call
%c -> if (condition)
%n -> if (then)
call -> if (else)
if -> fn (body)
exp -> @other
fn -> call (callee)
@other -> call
call -> @main
%x1 -> @other
)");
}

TEST_CASE("graph: a long chain is drawn without recursion", "[relay][text][graph]") {
    std::string text = "def @main(%x: float32) {\n";
    std::string last = "%x";
    for (int i = 0; i < 50'000; ++i) {
        const std::string now = "%" + std::to_string(i);
        text.append("  ").append(now).append(" = exp(").append(last).append(");\n");
        last = now;
    }
    const unit_graph g = relay::to_graph(relay::parse("#[version = \"0.0.5\"]\n" + text + "  " + last + "\n}"));
    CHECK(g.nodes.size() == 50'002);
    CHECK(g.edges.size() == 50'001);
}

TEST_CASE("graph: operators of one kind are drawn alike, others differently", "[relay][text][graph]") {
    std::uint32_t used = 0;
    for (const char* group : {"", "input", "constant", "output", "elementwise", "reshaping", "comm_reduce",
                              "convolution", "opaque", "function"})
        used |= 1U << instrument::style_of_group(group);
    CHECK(used == 0x3FF);
}

TEST_CASE("graph: source names of nodes are above their lines", "[relay][text][graph]") {
    relay::ir_module m = relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  nn.relu(%x)\n}\n");
    relay::function& f = *m.find("main");
    f.graph.set_source_name(f.graph.body(f.root), "relu*/1");
    bool found = false;
    for (const unit_graph::node& each : relay::to_graph(m).nodes)
        found = found || each.text == "/* relu/1 */\nnn.relu(%x)";
    CHECK(found);
}
