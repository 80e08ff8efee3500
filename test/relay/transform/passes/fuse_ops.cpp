#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "relay/constant_evaluation.hpp"
#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <utility>

using namespace tutti;
using namespace tutti::test;
using relay::fuse_ops;

namespace {

std::string fused(std::string_view text, const fuse_ops& pass = {}) {
    return bare_text(after(relay::parse(text), pass));
}

// Replaces calls of functions with lets, since FoldConstant evaluates lets but not calls of primitive functions.
relay::ir_module with_lets(const relay::ir_module& m) {
    const relay::function& f = *m.find("main");
    relay::rewriter r(f.graph, f.root);
    const relay::expr_id root = r.run([](relay::rewriter& into, relay::expr_id e) {
        const relay::graph& from = into.from();
        if (from.kind(e) != relay::expr_kind::call || from.kind(from.callee(e)) != relay::expr_kind::function)
            return into.rebuild(e);
        const relay::expr_id callee = from.callee(e);
        relay::expr_id result = into[from.body(callee)];
        for (std::size_t i = from.params(callee).size(); i-- > 0;)
            result = into.to().let(into[from.params(callee)[i]], into[from.arguments(e)[i]], result);
        return result;
    });
    return relay::ir_module(relay::function{std::move(r.to()), root});
}

std::size_t functions(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("Primitive=1"); at != text.npos; at = text.find("Primitive=1", at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("fuse_ops: elementwise operators become one function", "[relay][transform]") {
    CHECK(fused("def @main(%x: Tensor[(10, 20), float32]) { %0 = add(%x, 1f); %1 = exp(%0); squeeze(%1) }") ==
          "def @main(%x: Tensor[(10, 20), float32]) -> Tensor[(10, 20), float32] {\n"
          "  %2 = fn (%p0: Tensor[(10, 20), float32], Primitive=1) -> Tensor[(10, 20), float32] {\n"
          "    %0 = add(%p0, 1f);\n"
          "    %1 = exp(%0);\n"
          "    squeeze(%1)\n"
          "  };\n"
          "  %2(%x)\n"
          "}\n");
}

TEST_CASE("fuse_ops: an argument used twice becomes one parameter", "[relay][transform]") {
    CHECK(fused("def @main(%x: Tensor[(3), float32], %y: Tensor[(3), float32]) { %0 = add(%x, %y); "
                "multiply(%0, %x) }") ==
          "def @main(%x: Tensor[(3), float32], %y: Tensor[(3), float32]) -> Tensor[(3), float32] {\n"
          "  %1 = fn (%p0: Tensor[(3), float32], %p1: Tensor[(3), float32], Primitive=1) -> Tensor[(3), "
          "float32] {\n"
          "    %0 = add(%p0, %p1);\n"
          "    multiply(%0, %p0)\n"
          "  };\n"
          "  %1(%x, %y)\n"
          "}\n");
}

TEST_CASE("fuse_ops: marks a function that only reshapes", "[relay][transform]") {
    CHECK(fused("def @main(%x: Tensor[(3, 2), float32]) { %0 = expand_dims(%x, axis=0); squeeze(%0) }")
              .find("Primitive=1, relay.reshape_only=1)") != std::string::npos);
    CHECK(
        fused("def @main(%x: Tensor[(3, 1), float32], %axes: Tensor[(1), int64]) { dyn.squeeze(%x, %axes, axis=None) }")
            .find("Primitive=1, relay.reshape_only=1)") != std::string::npos);
    CHECK(fused("def @main(%x: Tensor[(3, 2), float32]) { transpose(%x, axes=[1, 0]) }").find("reshape_only") ==
          std::string::npos);
}

TEST_CASE("fuse_ops: numbers more than ten parameters", "[relay][transform]") {
    std::string text = "def @main(";
    for (int i = 0; i < 12; ++i) text += (i == 0 ? "%x" : ", %x") + std::to_string(i) + ": Tensor[(3), float32]";
    text += ") {\n  %0 = add(%x0, %x1);\n";
    for (int i = 2; i < 12; ++i)
        text +=
            "  %" + std::to_string(i - 1) + " = add(%" + std::to_string(i - 2) + ", %x" + std::to_string(i) + ");\n";
    CHECK(fused(text + "  exp(%10)\n}\n").find("%p11: Tensor[(3), float32], Primitive=1") != std::string::npos);
}

TEST_CASE("fuse_ops: a field of a fused tuple becomes the function's result", "[relay][transform]") {
    CHECK(fused("def @main(%x: Tensor[(4), float32]) { %0 = exp(%x); %1 = (%0, %x); %1.0 }") ==
          "def @main(%x: Tensor[(4), float32]) -> Tensor[(4), float32] {\n"
          "  %2 = fn (%p0: Tensor[(4), float32], Primitive=1) -> Tensor[(4), float32] {\n"
          "    %0 = exp(%p0);\n"
          "    %1 = (%0, %p0);\n"
          "    %1.0\n"
          "  };\n"
          "  %2(%x)\n"
          "}\n");
}

TEST_CASE("fuse_ops: stop_fusion ends a function and is removed", "[relay][transform]") {
    const std::string text =
        fused("def @main(%x: Tensor[(3), float32]) { %0 = exp(%x); %1 = annotation.stop_fusion(%0); tanh(%1) }");
    CHECK(functions(text) == 2);
    CHECK(text.find("stop_fusion") == std::string::npos);
}

TEST_CASE("fuse_ops: fuses neither through a let nor into a primitive function", "[relay][transform]") {
    CHECK(functions(fused("def @main(%x: Tensor[(3), float32]) { let %y = exp(%x); tanh(%y) }")) == 2);
    CHECK(functions(fused("def @main(%x: Tensor[(3), float32]) {\n"
                          "  %0 = fn (%p: Tensor[(3), float32], Primitive=1) { %1 = exp(%p); tanh(%1) };\n"
                          "  %0(%x)\n}\n")) == 1);
    const auto inside = [](std::string_view attribute) {
        return functions(fused("def @main(%x: Tensor[(3), float32]) {\n  %0 = fn (%p: Tensor[(3), float32], " +
                               std::string(attribute) + ") { %1 = exp(%p); tanh(%1) };\n  %0(%x)\n}\n"));
    };
    const std::size_t none = inside("Compiler=\"own\"");
    CHECK(inside("Primitive=0") == none + 1); // equivalent to no attribute
    CHECK(inside("Inline=1") == none + 1);
    const std::string once = fused(residual_block);
    CHECK(fused(once) == once);
}

TEST_CASE("fuse_ops: the level is the pass's own, or else the context's", "[relay][transform]") {
    const auto at = [](int opt_level, const fuse_ops& pass) {
        relay::ir_module m = typed(residual_block);
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = opt_level}};
        tutti::with(ctx, [&](auto& scope) { scope.run(pass, m); });
        return functions(bare_text(m));
    };
    CHECK(at(0, {}) == 6);
    CHECK(at(1, {}) == 1);
    CHECK(at(3, {.fuse_opt_level = 0}) == 6);
    CHECK(at(0, {.fuse_opt_level = 2}) == 1);
}

TEST_CASE("fuse_ops: the greatest number of nodes is the pass's own, or else the context's", "[relay][transform]") {
    const auto with_config = [](std::vector<runtime::config_entry> settings, const fuse_ops& pass) {
        relay::ir_module m = typed(chain(11));
        runtime::config_keys known;
        known.add(fuse_ops::config{});
        runtime::pass_context<relay::ir_module> ctx{{.config = runtime::pass_config(known, std::move(settings))}};
        tutti::with(ctx, [&](auto& scope) { scope.run(pass, m); });
        return functions(bare_text(m));
    };
    const runtime::config_entry four{"relay.FuseOps.max_depth", std::int64_t{4}};
    CHECK(with_config({}, {}) == 1);
    CHECK(with_config({four}, {}) == 3);
    CHECK(with_config({four}, {.max_depth = 6}) == 2);
    CHECK(functions(fused(chain(512))) == 3);
}

TEST_CASE("fuse_ops: constants become arguments, or stay if the context says so", "[relay][transform]") {
    const auto linked = [](bool link_params) {
        relay::builder b;
        const relay::expr x = b.variable("x", {3});
        const relay::expr weights = b.constant(kernel::tensor(kernel::dtype::float32, {3}));
        relay::ir_module m(b.function({x}, relay::add(relay::exp(x), weights)));
        runtime::config_keys known;
        known.add(fuse_ops::config{});
        const runtime::config_entry setting{"relay.FuseOps.link_params", link_params};
        runtime::pass_context<relay::ir_module> ctx{{.config = runtime::pass_config(known, {setting})}};
        tutti::with(ctx, [&](auto& scope) {
            scope.run(relay::infer_type{}, m);
            scope.run(fuse_ops{.fuse_opt_level = 2}, m);
        });
        return bare_text(m);
    };
    CHECK_THAT(linked(false),
               Catch::Matchers::Contains("add(%0, %p1)") && Catch::Matchers::Contains("(%x, meta[relay.Constant][0])"));
    CHECK_THAT(linked(true),
               Catch::Matchers::Contains("add(%0, meta[relay.Constant][0])") && Catch::Matchers::Contains("%1(%x)"));
}

TEST_CASE("fuse_ops: keeps results", "[relay][transform]") {
    const std::string_view programs[]{
        residual_block,
        "def @main(%x: Tensor[(4), float32]) { %0 = exp(%x); %1 = (%0, %x); %2 = %1.0; %3 = %1.1;\n"
        "  %4 = add(%2, 2f); %5 = tanh(%3); %6 = multiply(%4, %5); subtract(%6, %0) }",
        "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]) { %0 = nn.relu(%y); %1 = add(%x, "
        "%0);\n"
        "  %2 = exp(%1); %3 = sigmoid(%2); %4 = tanh(%2); multiply(%3, %4) }",
    };
    for (const std::string_view text : programs)
        for (const int level : {0, 1, 2}) {
            const relay::ir_module m = after(relay::parse(text), fuse_ops{.fuse_opt_level = level});
            CHECK_NOTHROW(relay::verify(m));
            CHECK(functions(bare_text(m)) > 0);
            CHECK(functions(bare_text(with_lets(m))) == 0);
            CHECK(relative_difference(evaluate(typed(text), 7), evaluate(with_lets(m), 7)) == 0);
        }
}

TEST_CASE("fuse_ops: keeps results if unknown sizes that look equal differ at run time", "[relay][transform]") {
    relay::ir_module m =
        typed("def @main(%x: Tensor[(?, 3), float32], %w: Tensor[(4, 3), float32], %y: Tensor[(?, 4), float32]) {\n"
              "  %0 = nn.dense(%x, %w, units=None); %1 = nn.relu(%0); %2 = add(%1, %y); exp(%2) }");
    const relay::ir_module all = after(m, fuse_ops{.fuse_opt_level = 2});
    CHECK(functions(bare_text(all)) == 1);
    relay::evaluator before(std::move(m)), fused_ones(all);
    std::mt19937 random(1);
    for (const std::int64_t rows : {1, 2, 5})
        for (const std::int64_t others : {std::int64_t{1}, rows}) {
            const kernel::tensor inputs[]{random_tensor({others, 3}, random), random_tensor({4, 3}, random),
                                          random_tensor({rows, 4}, random)};
            const kernel::tensor was = before.run(std::span(inputs))[0];
            const kernel::tensor is = fused_ones.run(std::span(inputs))[0];
            REQUIRE(std::ranges::equal(was.shape(), is.shape()));
            CHECK(was.shape()[0] == rows);
            CHECK(relative_difference(was, is) == 0);
        }
}

TEST_CASE("fuse_ops: handles long chains without recursion", "[relay][transform]") {
    CHECK(functions(fused(chain(20000), {.max_depth = 100000})) == 1);
    CHECK(functions(fused(chain(20000), {.fuse_opt_level = 0})) == 20001);
}

TEST_CASE("fuse_ops: refuses a module without types and leaves it unchanged", "[relay][transform]") {
    relay::ir_module m = relay::parse(residual_block);
    CHECK(refusal(m, [](relay::ir_module& it) {
              pass_context ctx{};
              with(ctx, [&](auto& scope) { scope.run(fuse_ops{}, it); });
          }).starts_with("FuseOps: "));
}

#if TUTTI_TEST_CONSTEXPR_STRING

namespace {

constexpr std::size_t nodes_after_fusion(int fuse_opt_level) {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    relay::ir_module m(b.function({x}, relay::exp(relay::add(x, b.constant(1.0F)))));
    pass_context ctx{};
    with(ctx, [&](auto& scope) {
        scope.run(sequential(relay::infer_type{}, fuse_ops{.fuse_opt_level = fuse_opt_level}), m);
    });
    const relay::function& f = *m.find("main");
    return relay::post_order(f.graph, f.root).size();
}

// The nodes are x, the two operators, the constant 1 and the function. One group adds a parameter, two calls, the
// primitive function and its call. Two groups add, for each, a parameter, a call, the primitive function and its call,
// and one more parameter for the constant 1.
static_assert(nodes_after_fusion(2) == 10);
static_assert(nodes_after_fusion(0) == 14);

} // namespace

#endif
