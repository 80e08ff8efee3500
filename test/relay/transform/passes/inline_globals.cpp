#include <tutti/relay/transform/passes/inline_globals.hpp>

#include <tutti/relay/op/verify.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string inlined(std::string_view text) {
    relay::ir_module m = test::typed(text);
    relay::inline_globals{}(m);
    const std::string result = test::bare_text(m);
    relay::infer_types(m);
    relay::verify(m);
    relay::inline_globals{}(m);
    if (test::bare_text(m) != result) return result + "(again: " + test::bare_text(m) + ")";
    return result;
}

} // namespace

TEST_CASE("inline_globals: replaces calls by bodies, through several levels", "[relay][transform]") {
    CHECK(inlined("def @g(%a: float32, %b: float32, Inline=1) -> float32 {\n  %0 = @h(%a);\n  add(%0, %b)\n}\n"
                  "def @h(%c: float32, Inline=1) -> float32 {\n  exp(%c)\n}\n"
                  "def @main(%x: float32) -> float32 {\n  %0 = @g(%x, 1f);\n  @g(%0, 2f)\n}\n") ==
          "def @main(%x: float32) -> float32 {\n"
          "  %0 = exp(%x);\n  %1 = add(%0, 1f);\n  %2 = exp(%1);\n  add(%2, 2f)\n}\n");
}

TEST_CASE("inline_globals: variables bound by a body are new at each call", "[relay][transform]") {
    CHECK(inlined("def @g(%a: float32, Inline=1) -> float32 {\n  let %t: float32 = exp(%a);\n  add(%t, %t)\n}\n"
                  "def @main(%x: float32) -> float32 {\n  %0 = @g(%x);\n  @g(%0)\n}\n") ==
          "def @main(%x: float32) -> float32 {\n"
          "  %0 = (\n    let %t1: float32 = exp(%x);\n    add(%t1, %t1)\n  );\n"
          "  let %t: float32 = exp(%0);\n  add(%t, %t)\n}\n");
}

TEST_CASE("inline_globals: constant expressions of a body are computed once, however often it is inlined",
          "[relay][transform]") {
    CHECK(
        inlined(
            "def @g(%a: float32, Inline=1) -> float32 {\n  %0 = exp(1f);\n  add(%a, %0)\n}\n"
            "def @h(Inline=1) -> float32 {\n  exp(2f)\n}\n"
            "def @main(%x: float32) -> float32 {\n  %0 = @h();\n  %1 = @g(%0);\n  %2 = @g(%1);\n  %3 = @h();\n  add(%2, %3)\n}\n") ==
        "def @main(%x: float32) -> float32 {\n"
        "  %0 = exp(2f);\n  %1 = exp(1f);\n  %2 = add(%0, %1);\n  %3 = add(%2, %1);\n  add(%3, %0)\n}\n");
}

TEST_CASE("inline_globals: keeps functions without the attribute, and functions that call kept ones",
          "[relay][transform]") {
    const std::string text = "def @g(%a: float32, Inline=1) -> float32 {\n  @h(%a)\n}\n\n"
                             "def @h(%b: float32) -> float32 {\n  exp(%b)\n}\n\n"
                             "def @i(%c: float32, Inline=0) -> float32 {\n  exp(%c)\n}\n\n"
                             "def @main(%x: float32) -> float32 {\n  %0 = @g(%x);\n  @i(%0)\n}\n";
    CHECK(inlined(text) == text);
}

TEST_CASE("inline_globals: keeps recursive functions", "[relay][transform]") {
    const std::string text = "def @even(%a: float32, Inline=1) -> float32 {\n  @odd(%a)\n}\n\n"
                             "def @loop(%b: float32, Inline=1) -> float32 {\n  @loop(%b)\n}\n\n"
                             "def @main(%x: float32) -> float32 {\n  %0 = @loop(%x);\n  @even(%0)\n}\n\n"
                             "def @odd(%c: float32, Inline=1) -> float32 {\n  @even(%c)\n}\n";
    CHECK(inlined(text) == text);
}

TEST_CASE("inline_globals: a function that is a value, or for another compiler, becomes a literal",
          "[relay][transform]") {
    CHECK(
        inlined(
            "def @g(%a: float32, Inline=1) -> float32 {\n  exp(%a)\n}\n"
            "def @h(%a: float32, Inline=1, Compiler=\"x\") -> float32 {\n  log(%a)\n}\n"
            "def @main(%x: float32) -> float32 {\n  let %f: fn (float32) -> float32 = @g;\n  %0 = @h(%x);\n  %f(%0)\n}\n") ==
        "def @main(%x: float32) -> float32 {\n"
        "  let %f: fn (float32) -> float32 = fn (%a: float32, Inline=1) -> float32 {\n    exp(%a)\n  };\n"
        "  %0 = fn (%a1: float32, Inline=1, Compiler=\"x\") -> float32 {\n    log(%a1)\n  };\n"
        "  %1 = %0(%x);\n  %f(%1)\n}\n");
}

TEST_CASE("inline_globals: refuses invalid calls", "[relay][transform]") {
    relay::ir_module m =
        relay::parse("def @g(%a: float32, Inline=1) {\n  %a\n}\ndef @main(%x: float32) {\n  @g(%x, %x)\n}\n");
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::inline_globals{}(it); }) ==
          "Inline: call of @g: the number of arguments is wrong; expected as many as there are parameters");
    m.remove_if([](const auto& d) { return d.name == "g"; });
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::inline_globals{}(it); }) ==
          "Inline: @g: is not in the module; expected a function of the module");
}

TEST_CASE("inline_globals: respects the limit on copies, and leaves the module unchanged",
          "[relay][transform][limits]") {
    std::string text = "def @f40(%x: float32, Inline=1) -> float32 {\n  exp(%x)\n}\n";
    for (int i = 0; i < 40; ++i) {
        const std::string next = i == 39 ? "@f40" : "@f" + std::to_string(i + 1);
        text += "def @f" + std::to_string(i) + "(%x: float32, Inline=1) -> float32 {\n  %0 = " + next + "(%x);\n  " +
                next + "(%0)\n}\n";
    }
    relay::ir_module m = test::typed(text + "def @main(%x: float32) -> float32 {\n  @f0(%x)\n}\n");
    const std::string before = relay::to_text(m);
    const auto refused = [&](const relay::inline_globals& pass) { return test::refusal(m, pass); };
    CHECK(refused({}) ==
          "Inline: more than 2,097,152 expressions copied beyond the size of the program; expected no more, or a "
          "larger max_nodes");
    CHECK(refused({.max_nodes = 1000}) ==
          "Inline: more than 1,000 expressions copied beyond the size of the program; expected no more, or a larger "
          "max_nodes");
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("inline_globals: makes as many copies as the limit allows", "[relay][transform][limits]") {
    const auto program = [](int calls) {
        std::string text = "def @f(%x: float32, Inline=1) -> float32 {\n  %0 = exp(%x);\n";
        for (int i = 1; i < 30; ++i) text += "  %" + std::to_string(i) + " = exp(%" + std::to_string(i - 1) + ");\n";
        text += "  log(%29)\n}\ndef @main(%x: float32) -> float32 {\n  %0 = @f(%x);\n";
        for (int i = 1; i < calls; ++i) text += "  %" + std::to_string(i) + " = @f(%" + std::to_string(i - 1) + ");\n";
        return test::typed(text + "  exp(%" + std::to_string(calls - 1) + ")\n}\n");
    };
    relay::ir_module once = program(1);
    relay::inline_globals{.max_nodes = 0}(once); // nodes that exist already do not count
    CHECK(once.size() == 1);
    relay::ir_module often = program(10);
    CHECK(test::refusal(often, relay::inline_globals{.max_nodes = 200}) != "");
    relay::inline_globals{.max_nodes = 400}(often);
    CHECK(often.size() == 1);
}
