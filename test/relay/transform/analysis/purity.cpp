#include <tutti/relay/transform/analysis/purity.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

// Returns the names of the variables in main that are bound to pure values, in the order of the text.
std::string pure(std::string_view text) {
    const relay::ir_module m = test::typed(text);
    const relay::purity values(m);
    std::size_t main = 0;
    while (m.begin()[static_cast<std::ptrdiff_t>(main)].name != "main") ++main;
    const relay::function& f = *m.find("main");
    std::string names;
    for (const relay::expr_id e : relay::post_order(f.graph, f.root))
        if (f.graph.kind(e) == relay::expr_kind::let && values.is_pure(main, f.graph.operand(e, 0)))
            names = std::string(f.graph.variable_name(f.graph.operand(e, 0))) + " " + names;
    return names;
}

std::string nested_calls(int count) {
    std::string text = "def @main(%x: float32) {\n";
    for (int i = 0; i < count; ++i)
        text += "  %" + std::to_string(i) + " = exp(" + (i == 0 ? "%x" : "%" + std::to_string(i - 1)) + ");\n";
    return text + "  let %a: float32 = %" + std::to_string(count - 1) + ";\n  %x\n}";
}

} // namespace

TEST_CASE("purity: stateless operators, functions and tuples of pure values are pure", "[relay][transform][purity]") {
    CHECK(
        pure(
            "def @main(%x: Tensor[(2), float32], %c: bool) {\n  let %a = exp(%x);\n  let %b = nn.dropout(%x);\n"
            "  let %c1 = (%a, 1f);\n  let %d = %c1.0;\n  let %e = if (%c) {\n    %a\n  } else {\n    %d\n  };\n"
            "  %0 = nn.dropout(%x);\n  let %f = (%0, %a);\n  let %g = fn (%y: float32) {\n    %0\n  };\n  let %h = %g(1f);\n  %e\n}") ==
        "a c1 d e g ");
}

TEST_CASE("purity: everything is pure if only stateless operators are called", "[relay][transform][purity]") {
    const std::string plain =
        "def @main(%x: Tensor[(2), float32], %c: bool) {\n  let %a = exp(%x);\n  let %b = (%a, 1f);\n"
        "  let %d = %b.0;\n  let %e = if (%c) {\n    let %f = log(%a);\n    %f\n  } else {\n"
        "    %d\n  };\n  %e\n}";
    CHECK(pure(plain) == "a b d e f ");
    CHECK(pure(plain + "\ndef @other(%x: Tensor[(2), float32]) {\n  @main(%x, True)\n}") == "a b d e f ");
    CHECK(pure("def @main(%x: float32, Primitive=1) {\n  let %a = exp(%x);\n  %a\n}") == "");
}

TEST_CASE("purity: a function that is a parameter or a field counts as impure", "[relay][transform][purity]") {
    CHECK(
        pure(
            "def @main(%f: fn () -> float32) {\n  let %a = %f();\n  let %b = fn () -> float32 {\n    1f\n  };\n  let %c = (%b, 1f);\n"
            "  %0 = %c.0;\n  let %d = %0();\n  let %e = %b();\n  %e\n}") == "b c e ");
}

TEST_CASE("purity: examines functions of the module, including recursive ones", "[relay][transform][purity]") {
    CHECK(
        pure("def @even(%x: float32) -> float32 {\n  @odd(%x)\n}\ndef @odd(%x: float32) -> float32 {\n  @even(%x)\n}\n"
             "def @state(%x: float32) -> float32 {\n  %0 = nn.dropout(%x);\n  %0.0\n}\n"
             "def @main(%x: float32) {\n  let %a = @even(%x);\n  let %b = @state(%x);\n  let %f = @state;\n  %x\n}") ==
        "a f ");
}

TEST_CASE("purity: a call inside more than 25 others counts as impure", "[relay][transform][purity]") {
    CHECK(pure(nested_calls(25)) == "a ");
    CHECK(pure(nested_calls(26)) == "");
}
