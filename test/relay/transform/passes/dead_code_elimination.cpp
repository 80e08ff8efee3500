#include <tutti/relay/transform/passes/dead_code_elimination.hpp>

#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/transform/passes/to_a_normal_form.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

relay::ir_module eliminated(relay::ir_module m, const relay::dead_code_elimination& pass = {}) {
    pass(m);
    relay::verify_structure(m);
    return m;
}

// Runs the pass. Returns the printed lines of `main`.
std::string lines(std::string_view text, const relay::dead_code_elimination& pass = {}) {
    const std::string result = test::bare_text(eliminated(test::typed(text), pass));
    const std::size_t begin = result.find('\n', result.find("@main")) + 1;
    return result.substr(begin, result.rfind('}') - begin);
}

constexpr std::string_view program = R"(
def @main(%x: float32) {
  let %a: float32 = exp(%x);
  let %b: float32 = log(%a);
  let %c: float32 = tanh(%a);
  let %d: float32 = sqrt(%c);
  let %e: float32 = add(%c, %c);
  negative(%e)
}
)";

} // namespace

TEST_CASE("dead_code_elimination: removes unused lets, and lets used only by these", "[relay][transform][dce]") {
    CHECK(lines(program) ==
          "  let %a: float32 = exp(%x);\n  let %c: float32 = tanh(%a);\n  let %e: float32 = add(%c, %c);\n"
          "  negative(%e)\n");
    CHECK(lines("def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  let %b: float32 = log(%a);\n  %x\n}") ==
          "  %x\n");
}

TEST_CASE("dead_code_elimination: with inline_once, moves values to their only use", "[relay][transform][dce]") {
    CHECK(lines(program, {.inline_once = true}) ==
          "  %0 = exp(%x);\n  let %c: float32 = tanh(%0);\n  %1 = add(%c, %c);\n"
          "  negative(%1)\n");
}

TEST_CASE("dead_code_elimination: replaces an alias by its value", "[relay][transform][dce]") {
    CHECK(
        lines(
            "def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  let %b: float32 = %a;\n  let %c: float32 = %b;\n  %c\n}",
            {.inline_once = true}) == "  exp(%x)\n");
}

TEST_CASE("dead_code_elimination: a use inside a function counts as many uses", "[relay][transform][dce]") {
    const char* const text =
        "def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  let %f: fn () -> float32 = fn () -> float32 {\n"
        "    let %b: float32 = tanh(%a);\n    negative(%b)\n  };\n  %f()\n}";
    CHECK(
        lines(text, {.inline_once = true}) ==
        "  let %a: float32 = exp(%x);\n  %1 = fn () -> float32 {\n    %0 = tanh(%a);\n    negative(%0)\n  };\n  %1()\n");
}

TEST_CASE("dead_code_elimination: operands of a shared expression count once per user", "[relay][transform][dce]") {
    CHECK(lines("def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  %0 = negative(%a);\n  (%0, %0)\n}",
                {.inline_once = true}) == "  let %a: float32 = exp(%x);\n  %0 = negative(%a);\n  (%0, %0)\n");
}

TEST_CASE("dead_code_elimination: keeps stateful values, unless state is ignored", "[relay][transform][dce]") {
    const char* const text =
        "def @f(%x: Tensor[(2), float32]) {\n  %0 = nn.dropout(%x);\n  %0.0\n}\n"
        "def @main(%x: Tensor[(2), float32]) {\n  let %a: Tensor[(2), float32] = @f(%x);\n"
        "  let %g: fn (Tensor[(2), float32]) -> Tensor[(2), float32] = fn (%y: Tensor[(2), float32]) -> "
        "Tensor[(2), float32] {\n    @f(%y)\n  };\n  let %b: Tensor[(2), float32] = %g(%x);\n  exp(%x)\n}";
    const std::string kept = lines(text);
    CHECK(kept.find("let %a") != std::string::npos);
    CHECK(kept.find("let %g") != std::string::npos); // needed by %b
    CHECK(kept.find("let %b") != std::string::npos);
    CHECK(lines(text, {.ignore_impurity = true}) == "  exp(%x1)\n");
}

TEST_CASE("dead_code_elimination: keeps a shared let", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto a = b.variable("a");
    const auto chain = b.let(a, relay::exp(x), relay::add(a, a));
    relay::ir_module m(b.function({x}, b.tuple({chain, chain})));
    relay::infer_types(m);
    const std::string before = test::bare_text(m);
    for (const bool inline_once : {false, true})
        CHECK(test::bare_text(eliminated(m, {.inline_once = inline_once})) == before);
}

TEST_CASE("dead_code_elimination: removes recursive functions without other callers", "[relay][transform][dce]") {
    const std::string f = "  let %f: fn (float32) -> float32 = fn (%y: float32) -> float32 {\n    %f(%y)\n  };\n";
    for (const bool inline_once : {false, true}) {
        CHECK(lines("def @main(%x: float32) {\n" + f + "  %x\n}", {.inline_once = inline_once}) == "  %x\n");
        CHECK(lines("def @main(%x: float32) {\n" + f + "  %f(%x)\n}", {.inline_once = inline_once}) ==
              f + "  %f(%x)\n");
    }
}

TEST_CASE("dead_code_elimination: keeps results and types", "[relay][transform][dce]") {
    relay::ir_module m = test::typed(test::residual_block);
    const kernel::tensor expected = test::evaluate(m, 7);
    relay::to_a_normal_form{}(m);
    relay::infer_types(m);
    for (const bool inline_once : {false, true}) {
        relay::ir_module after = eliminated(m, {.inline_once = inline_once});
        const std::string typed = test::bare_text(after, true);
        relay::infer_types(after);
        CHECK(test::bare_text(after, true) == typed);
        CHECK(test::relative_difference(expected, test::evaluate(after, 7)) == 0);
    }
}

TEST_CASE("dead_code_elimination: chains of 100,000 lets need no stack", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    relay::expr result = x;
    std::vector<relay::expr> variables(100'000, x);
    for (std::size_t i = 1; i < variables.size(); ++i) variables[i] = b.variable("v", {});
    result = variables.back();
    for (std::size_t i = variables.size(); i-- > 1;)
        result = b.let(variables[i], relay::add(variables[i - 1], x), result);
    relay::ir_module m(b.function({x}, result));
    relay::infer_types(m);
    CHECK(eliminated(m).find("main")->graph.size() == m.find("main")->graph.size());
    const relay::ir_module after = eliminated(m, {.inline_once = true});
    const relay::function& f = *after.find("main");
    CHECK(relay::post_order(f.graph, f.root).size() == 100'002); // parameter, operator, sums and function
}

TEST_CASE("dead_code_elimination: refuses a module without types", "[relay][transform][dce]") {
    relay::ir_module m = relay::parse("def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  %x\n}");
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::dead_code_elimination{}(it); }) ==
          "DeadCodeElimination: a function has no types; expected InferType to have run before");
}
