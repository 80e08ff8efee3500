#include <tutti/relay/transform/passes/to_graph_normal_form.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string body(const relay::ir_module& m) {
    const std::string text = test::bare_text(m);
    return text.substr(text.find('\n') + 1);
}

std::string without_lets(std::string_view text) {
    return body(test::after(relay::parse(text), relay::to_graph_normal_form{}));
}

} // namespace

TEST_CASE("to_graph_normal_form: replaces a variable by its value, shared if used twice", "[relay][transform]") {
    CHECK(
        without_lets(
            "def @main(%x: Tensor[(2), float32]) {\n  let %a = exp(%x);\n  let %b = add(%a, %a);\n  let %c = log(%x);\n"
            "  multiply(%b, %a)\n}") == "  %0 = exp(%x);\n  %1 = add(%0, %0);\n  multiply(%1, %0)\n}\n");
}

TEST_CASE("to_graph_normal_form: replaces a variable whose value is a variable", "[relay][transform]") {
    CHECK(
        without_lets(
            "def @main(%x: Tensor[(2), float32]) {\n  let %a = exp(%x);\n  let %b = %a;\n  let %c = %b;\n  let %d = %x;\n"
            "  add(%c, %d)\n}") == "  %0 = exp(%x);\n  add(%0, %x)\n}\n");
}

TEST_CASE("to_graph_normal_form: removes lets in branches and functions", "[relay][transform]") {
    CHECK(
        without_lets(
            "def @main(%x: Tensor[(2), float32], %c: bool) {\n"
            "  let %f = fn (%y: Tensor[(2), float32]) {\n    let %z = exp(%y);\n    add(%z, %z)\n  };\n"
            "  if (%c) {\n    let %a = log(%x);\n    %f(%a)\n  } else {\n    let %b = exp(%x);\n    add(%b, %b)\n  }\n}") ==
        "  if (%c) {\n    %1 = log(%x);\n"
        "    %2 = fn (%y: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
        "      %0 = exp(%y);\n      add(%0, %0)\n    };\n    %2(%1)\n"
        "  } else {\n    %3 = exp(%x);\n    add(%3, %3)\n  }\n}\n");
}

TEST_CASE("to_graph_normal_form: a recursive function keeps its let", "[relay][transform]") {
    const std::string text = without_lets("def @main(%n: int32) -> int32 {\n"
                                          "  let %f: fn (int32) -> int32 = fn (%i: int32) -> int32 {\n"
                                          "    %0 = equal(%i, 0);\n    if (%0) {\n      %i\n    } else {\n"
                                          "      %1 = subtract(%i, 1);\n      %f(%1)\n    }\n  };\n"
                                          "  let %g = %f;\n  let %m = add(%n, 1);\n  %g(%m)\n}");
    INFO(text);
    CHECK(text.find("let %f: fn (int32) -> int32 = fn (%i: int32)") != std::string::npos);
    CHECK(text.find("%g") == std::string::npos);
    CHECK(text.find("let %m") == std::string::npos);
    const auto again = relay::parse("def @main(%n: int32) -> int32 {\n" + text);
    CHECK(body(test::after(again, relay::to_graph_normal_form{})) == text);
}

TEST_CASE("to_graph_normal_form: removes a long chain of lets", "[relay][transform]") {
    std::string text = "def @main(%x: Tensor[(2), float32]) {\n  let %a0 = %x;\n";
    for (int i = 1; i < 2000; ++i) {
        text += "  let %a" + std::to_string(i) + " = " +
                (i % 2 == 0 ? "%a" + std::to_string(i - 1) : "exp(%a" + std::to_string(i - 1) + ")") + ";\n";
    }
    const auto m = test::after(relay::parse(text + "  %a1999\n}"), relay::to_graph_normal_form{});
    const relay::function& f = *m.find("main");
    std::size_t calls = 0;
    for (const relay::expr_id e : relay::post_order(f.graph, f.root)) {
        calls += relay::calls<relay::op::exp>(f.graph, e) ? 1 : 0;
        REQUIRE(f.graph.kind(e) != relay::expr_kind::let);
    }
    CHECK(calls == 1000);
}
