#include <tutti/relay/ir/copy.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <array>

using namespace tutti;

namespace {

relay::function main_of(std::string_view text) { return *relay::parse(text).find("main"); }

std::string text_of(relay::function f) {
    return relay::to_text(relay::ir_module(std::move(f)), {.version_line = false, .metadata_note = false});
}

constexpr std::string_view program =
    "def @main(%x: Tensor[(2), float32] /* ty=Tensor[(2), float32] */, %c: bool) -> Tensor[(2), float32] {\n"
    "  let %f: fn (Tensor[(2), float32]) -> Tensor[(2), float32] = fn (%y: Tensor[(2), float32], Primitive=1) {\n"
    "    %0 = mean(%y, axis=[0], keepdims=True) /* ty=Tensor[(1), float32] */;\n"
    "    %1 = cast(%0, dtype=\"float32\");\n"
    "    add(%y, %1)\n"
    "  };\n"
    "  %2 = (%x, 2f);\n"
    "  %3 = %2.0;\n"
    "  if (%c) {\n"
    "    %f(%3)\n"
    "  } else {\n"
    "    @main(%3, %c)\n"
    "  }\n"
    "}\n";

} // namespace

TEST_CASE("copier: a copy in another graph is the same program, with its types", "[relay][ir][copy]") {
    const relay::function f = main_of(program);
    relay::function copy;
    copy.graph.variable("something else", copy.graph.types().tensor({}, relay::dtype::int8));
    const std::array other{relay::attr_value::of(copy.graph.strings().add("other"))};
    copy.graph.attrs().add(other);
    copy.root = relay::copier(f.graph, copy.graph).copy(f.root);
    CHECK(relay::structural_equal(f, copy, {.names = true, .inferred_types = true}));
    CHECK(text_of(copy) == text_of(f));
    CHECK(copy.graph.location(copy.root) == f.graph.location(f.root));
    relay::verify_structure(copy.graph, copy.root);
}

TEST_CASE("copier: substitutes expressions", "[relay][ir][copy]") {
    const relay::function f = main_of("def @main(%x: float32, %y: float32) {\n  %0 = add(%x, %y);\n  add(%0, %0)\n}");
    relay::graph g;
    relay::copier copies(f.graph, g);
    const relay::expr_id z = g.variable("z");
    copies.replace(f.graph.params(f.root)[0], z);
    copies.replace(f.graph.params(f.root)[1], z);
    const relay::expr_id body = copies.copy(f.graph.body(f.root));
    CHECK(copies[f.graph.body(f.root)] == body);
    const relay::expr_id params[]{z};
    const relay::expr_id root = g.function(params, body);
    CHECK(text_of({std::move(g), root}) == "def @main(%z) {\n  %0 = add(%z, %z);\n  add(%0, %0)\n}\n");
}

TEST_CASE("copier: within a graph, outer bindings are shared and inner ones are copied", "[relay][ir][copy]") {
    relay::function f = main_of("def @main(%x: float32) {\n  let %y = add(%x, 1f);\n  multiply(%y, %x)\n}");
    const relay::expr_id let = f.graph.body(f.root);
    relay::copier copies(f.graph, f.graph);
    const relay::expr_id first = copies.copy(let);
    CHECK(copies.copy(let) == first);
    copies.forget();
    CHECK(copies[let] == relay::expr_id::none);
    const relay::expr_id second = copies.copy(let);
    CHECK(first != let);
    CHECK(second != first);
    CHECK(f.graph.operand(first, 0) != f.graph.operand(let, 0));
    CHECK(f.graph.operand(second, 0) != f.graph.operand(first, 0));
    const relay::expr_id fields[]{let, first, second};
    const relay::expr_id tuple = f.graph.tuple(fields);
    const relay::expr_id params[]{f.graph.params(f.root)[0]};
    const relay::expr_id root = f.graph.function(params, tuple);
    relay::verify_structure(f.graph, root); // checks that each variable is bound once, around its uses
}

TEST_CASE("copier: copies into one graph, then into another", "[relay][ir][copy]") {
    const relay::function f = main_of(program);
    relay::function copies[2];
    relay::copier c(f.graph, copies[0].graph);
    copies[0].root = c.copy(f.root);
    copies[1].graph.types().tensor({}, relay::dtype::int8);
    c.retarget(copies[1].graph);
    copies[1].root = c.copy(f.root);
    for (const relay::function& copy : copies)
        CHECK(relay::structural_equal(f, copy, {.names = true, .inferred_types = true}));
}

TEST_CASE("copier: copies a chain of a hundred thousand calls", "[relay][ir][copy]") {
    relay::builder b;
    relay::expr last = b.variable("x");
    const relay::expr x = last;
    for (int i = 0; i < 100'000; ++i) last = relay::add(last, x);
    const relay::function f = b.function({x}, last);
    relay::function copy;
    copy.root = relay::copier(f.graph, copy.graph).copy(f.root);
    CHECK(copy.graph.size() == f.graph.size());
    CHECK(relay::structural_equal(f, copy));
}

#ifndef TUTTI_COMPILED

namespace {

constexpr bool copies_at_compile_time() {
    relay::builder b;
    const relay::expr x = b.variable("x", {2});
    const relay::function f = b.function({x}, relay::add(x, x));
    relay::function copy;
    copy.root = relay::copier(f.graph, copy.graph).copy(f.root);
    return relay::structural_equal(f, copy);
}
static_assert(copies_at_compile_time());

} // namespace

#endif
