#include <tutti/relay/transform/passes/simplify_expr.hpp>

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/op/broadcast.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

constexpr std::string_view mixed = R"(
def @main(%x: Tensor[(2, 3, 4), float32], %y: Tensor[(2, 3, 4), float32]) {
  %0 = zeros_like(%y);
  %1 = add(%x, %0);
  %2 = add(%1, 3f);
  %3 = multiply(%2, 2f);
  %4 = multiply(0.5f, %3);
  %5 = transpose(%4, axes=[2, 0, 1]);
  %6 = transpose(%5, axes=[1, 2, 0]);
  %7 = reshape(%6, newshape=[-1]);
  %8 = reshape(%7, newshape=[4, 6]);
  %9 = multiply(%y, %y);
  %10 = reshape(%9, newshape=[4, 6]);
  %11 = sqrt(%10);
  %12 = add(%11, 1f);
  %13 = sqrt(%12);
  divide(%8, %13)
}
)";

TUTTI_CONSTEXPR std::size_t simplified_calls() {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    const auto sum = relay::subtract(x, b.constant(0.0F));
    relay::ir_module m(b.function({x}, relay::multiply(relay::add(sum, sum), b.constant(3.0F))));
    with(pass_context{}, [&](auto& scope) {
        scope.run(relay::infer_type{}, m);
        scope.run(relay::simplify_expr{}, m);
    });
    std::size_t n = 0;
    const relay::function& f = *m.find("main");
    for (const relay::expr_id e : relay::post_order(f.graph, f.root)) n += f.graph.called_op(e) != nullptr;
    return n;
}
#if TUTTI_TEST_CONSTEXPR_STRING
static_assert(simplified_calls() == 1); // multiply(x, 6)
#endif

} // namespace

TEST_CASE("simplify_expr: combines its rules", "[relay][transform][simplify_expr]") {
    CHECK(test::bare_text(test::after(test::typed(mixed), relay::simplify_expr{})) ==
          R"(def @main(%x: Tensor[(2, 3, 4), float32], %y: Tensor[(2, 3, 4), float32]) -> Tensor[(4, 6), float32] {
  %0 = add(%x, 3f);
  %1 = multiply(%y, %y);
  %2 = reshape(%1, newshape=[4, 6]);
  %3 = sqrt(%2);
  %4 = add(%3, 1f);
  %5 = reshape(%0, newshape=[4, 6]);
  %6 = rsqrt(%4);
  multiply(%5, %6)
}
)");
    CHECK(simplified_calls() == 1);
}

TEST_CASE("simplify_expr: as_reference enables the reference's rewrites", "[relay][transform][simplify_expr]") {
    const std::string zero = "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  add(%x, 0f)\n}\n";
    CHECK(test::bare_text(test::after(test::typed(zero), relay::simplify_expr{})) == zero);
    CHECK(test::bare_text(test::after(test::typed(zero), relay::simplify_expr{.as_reference = true})) ==
          "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  %x\n}\n");
}

TEST_CASE("simplify_expr: keeps results, and a second run changes nothing", "[relay][transform][simplify_expr]") {
    const relay::ir_module before = test::typed(mixed);
    const relay::ir_module after = test::after(before, relay::simplify_expr{});
    CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(after, 5)) < 1e-5);
    CHECK(test::bare_text(test::after(after, relay::simplify_expr{}), true) == test::bare_text(after, true));
}

TEST_CASE("simplify_expr: a factor after a sum that cancels costs half a unit of each product at most",
          "[relay][transform][simplify_expr]") {
    constexpr int count = 64;
    kernel::tensor x(kernel::dtype::float32, {count});
    for (int i = 0; i < count; ++i) x.mutable_data<float>()[i] = 1 + static_cast<float>(i - count / 2) * 0x1p-23F;
    const kernel::tensor inputs[]{x};
    const auto largest_error = [&](std::string_view factor) {
        const relay::ir_module before = test::typed(
            "def @main(%x: Tensor[(64), float32]) { %0 = add(%x, -1f); multiply(%0, " + std::string(factor) + ") }");
        const relay::ir_module after = test::after(before, relay::simplify_expr{});
        CHECK(test::bare_text(after) != test::bare_text(before));
        const kernel::tensor was = relay::evaluate(before, inputs)[0];
        const kernel::tensor is = relay::evaluate(after, inputs)[0];
        float largest = 0;
        for (int i = 0; i < count; ++i)
            largest = std::max(largest, std::abs(was.data<float>()[i] - is.data<float>()[i]));
        return largest;
    };
    const float of_three = largest_error("3f");
    CHECK(of_three != 0);
    CHECK(of_three <= 0x1p-22F); // two errors of half an ulp of 3
    CHECK(largest_error("4f") == 0);
}

TEST_CASE("simplify_expr: terminates on a long chain", "[relay][transform][simplify_expr]") {
    std::string text = "def @main(%x: Tensor[(2, 3), float32]) {\n  %0 = add(%x, 1f);\n";
    constexpr int length = 20'000;
    for (int i = 1; i < length; ++i)
        text += "  %" + std::to_string(i) + " = add(%" + std::to_string(i - 1) + ", 1f);\n";
    text += "  negative(%" + std::to_string(length - 1) + ")\n}\n";
    CHECK(test::bare_text(test::after(test::typed(text), relay::simplify_expr{})) ==
          "def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {\n  %0 = add(%x, 20000f);\n  "
          "negative(%0)\n}\n");
}

TEST_CASE("simplify_expr: refuses a module without types", "[relay][transform][simplify_expr]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    relay::ir_module m(b.function({x}, relay::add(x, x)));
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::simplify_expr{}, it); });
          }) == "SimplifyExpr: a function has no types; expected InferType to have run before");
}
