#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

constexpr std::string_view head = "def @main(%x: Tensor[(2, 4), float32], %y: Tensor[(2, 4), float32]) {\n";

// Runs the pass over a program with this body. Returns the printed body.
std::string eliminated(std::string_view body) {
    const relay::ir_module m =
        test::after(test::typed(std::string(head) + std::string(body) + "\n}"), relay::eliminate_common_subexpr{});
    const std::string text = test::bare_text(m);
    CHECK(test::bare_text(test::after(m, relay::eliminate_common_subexpr{})) == text); // the pass is idempotent
    const std::size_t begin = text.find('\n') + 1;
    return text.substr(begin, text.rfind('}') - begin);
}

} // namespace

TEST_CASE("eliminate_common_subexpr: calls of the same operator with the same arguments become one",
          "[relay][transform][cse]") {
    CHECK(eliminated("  %0 = exp(%x);\n  %1 = exp(%x);\n  %2 = add(%0, %y);\n  %3 = add(%1, %y);\n  %4 = add(%y, %1);\n"
                     "  %5 = (%2, %3, %4);\n  %5") ==
          "  %0 = exp(%x);\n  %1 = add(%0, %y);\n  %2 = add(%y, %0);\n  (%1, %1, %2)\n");
}

TEST_CASE("eliminate_common_subexpr: compares attributes by value", "[relay][transform][cse]") {
    CHECK(eliminated("  %0 = sum(%x, axis=[1]);\n  %1 = sum(%x, axis=[0]);\n  %2 = sum(%x, axis=[1], keepdims=False);\n"
                     "  (%0, %1, %2)") == "  %0 = sum(%x, axis=[1]);\n  %1 = sum(%x, axis=[0]);\n  (%0, %1, %0)\n");
}

TEST_CASE("eliminate_common_subexpr: scalars with the same value and type are the same argument",
          "[relay][transform][cse]") {
    CHECK(
        eliminated("  %0 = add(%x, 1f);\n  %1 = add(%x, 1f);\n  %2 = add(%x, 2f);\n  %3 = add(%x, -0f);\n"
                   "  %4 = add(%x, 0f);\n  (%0, %1, %2, %3, %4)") ==
        "  %0 = add(%x, 1f);\n  %1 = add(%x, 2f);\n  %2 = add(%x, -0f);\n  %3 = add(%x, 0f);\n  (%0, %0, %1, %2, %3)\n");
}

TEST_CASE("eliminate_common_subexpr: other constants are the same argument if they are the same expression",
          "[relay][transform][cse]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto c = b.constant(kernel::tensor({2}, {1.0F, 2.0F}));
    const auto d = b.constant(kernel::tensor({2}, {1.0F, 2.0F}));
    const auto sums = b.tuple({relay::add(x, c), relay::add(x, c), relay::add(x, d)});
    const relay::ir_module m = test::after(relay::ir_module(b.function({x}, sums)), relay::eliminate_common_subexpr{});
    CHECK(test::bare_text(m).find("(%0, %0, %1)") != std::string::npos);
}

TEST_CASE("eliminate_common_subexpr: fields of the same tuple are the same, tuples themselves are not",
          "[relay][transform][cse]") {
    CHECK(eliminated(
              "  %0 = split(%x, indices_or_sections=2);\n  %1 = %0.0;\n  %2 = %0.0;\n  %3 = %0.1;\n  %4 = (%1, %3);\n"
              "  %5 = (%2, %3);\n  %6 = concatenate(%4);\n  %7 = concatenate(%5);\n  (%6, %7)") ==
          "  %0 = split(%x, indices_or_sections=2);\n  %1 = %0.0;\n  %2 = %0.1;\n  %3 = (%1, %2);\n  %4 = (%1, %2);\n"
          "  %5 = concatenate(%3);\n  %6 = concatenate(%4);\n  (%5, %6)\n");
}

TEST_CASE("eliminate_common_subexpr: skips operators with state or without arguments, and calls of functions",
          "[relay][transform][cse]") {
    const char* const body =
        "  %0 = nn.dropout(%x);\n  %1 = nn.dropout(%x);\n  %2 = zeros(shape=[2], dtype=\"float32\");\n"
        "  %3 = zeros(shape=[2], dtype=\"float32\");\n"
        "  let %f: fn (float32) -> float32 = fn (%z: float32) -> float32 {\n    %z\n  };\n"
        "  %4 = %f(1f);\n  %5 = %f(1f);\n  (%0, %1, %2, %3, %4, %5)";
    const std::string text = eliminated(body);
    for (const char* const twice : {"nn.dropout(%x)", "zeros(", "%f(1f)"}) CHECK(text.find(twice) != text.rfind(twice));
}

TEST_CASE("eliminate_common_subexpr: branches and functions may share a call", "[relay][transform][cse]") {
    relay::ir_module m =
        test::typed("def @main(%c: bool, %x: float32) {\n  if (%c) {\n    %0 = exp(%x);\n    negative(%0)\n"
                    "  } else {\n    %1 = exp(%x);\n    tanh(%1)\n  }\n}");
    m = test::after(std::move(m), relay::eliminate_common_subexpr{});
    const std::string text = test::bare_text(m);
    CHECK(text.find("exp(") == text.rfind("exp("));
}

TEST_CASE("eliminate_common_subexpr: a balanced tree of the same sums collapses to its height",
          "[relay][transform][cse]") {
    relay::builder b;
    const auto x = b.variable("x", {3});
    std::vector<relay::expr> level(1 << 12, x);
    for (; level.size() > 1; level.resize(level.size() / 2))
        for (std::size_t i = 0; i < level.size() / 2; ++i) level[i] = relay::add(level[2 * i], level[2 * i + 1]);
    relay::ir_module m(b.function({x}, level[0]));
    relay::infer_types(m);
    const relay::ir_module after = test::after(m, relay::eliminate_common_subexpr{});
    const relay::function& f = *after.find("main");
    CHECK(relay::post_order(f.graph, f.root).size() == 15); // a parameter, an operator, 12 sums, a function
    CHECK(f.graph.size() == 15);                            // no unused nodes
    CHECK(test::relative_difference(test::evaluate(m, 1), test::evaluate(after, 1)) == 0);
}

TEST_CASE("eliminate_common_subexpr: finds the first equal call among many users of an operand",
          "[relay][transform][cse]") {
    relay::builder b;
    std::vector<relay::expr> params;
    for (int i = 0; i < 50; ++i) params.push_back(b.variable("x", {}));
    std::vector<relay::expr_id> sums;
    for (int round = 0; round < 2; ++round)
        for (const relay::expr& p : params) sums.push_back(relay::add(p, params.back()).id);
    const relay::expr tuple{&b.graph(), b.graph().tuple(sums)};
    const relay::ir_module after =
        test::after(relay::ir_module(b.function(params, tuple)), relay::eliminate_common_subexpr{});
    const relay::function& f = *after.find("main");
    CHECK(relay::post_order(f.graph, f.root).size() == 103); // parameters, sums, an operator, a tuple, a function
}

TEST_CASE("eliminate_common_subexpr: refuses a module without types", "[relay][transform][cse]") {
    relay::builder b;
    const auto x = b.variable("x", {3});
    relay::ir_module m(b.function({x}, relay::exp(x)));
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::eliminate_common_subexpr{}, it); });
          }) == "EliminateCommonSubexpr: a function has no types; expected InferType to have run before");
}

TEST_CASE("eliminate_common_subexpr: leaves a function without duplicates unchanged", "[relay][transform][cse]") {
    const auto m = test::typed(std::string(head) + "  %0 = exp(%x);\n  add(%0, %y)\n}");
    const auto same = test::after(m, relay::eliminate_common_subexpr{});
    CHECK(relay::to_text(same) == relay::to_text(m));
    relay::builder b;
    const auto x = b.variable("x", {3});
    relay::add(x, x); // unused
    relay::ir_module unused(b.function({x}, relay::exp(x)));
    relay::infer_types(unused);
    CHECK(relay::expression_count(test::after(unused, relay::eliminate_common_subexpr{})) ==
          relay::expression_count(unused));
}
