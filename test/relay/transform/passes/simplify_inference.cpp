#include <tutti/relay/transform/passes/simplify_inference.hpp>

#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace tutti;

namespace {

relay::ir_module batch_norm(const relay::batch_norm_attributes& attributes, std::uint32_t field = 0) {
    relay::builder b;
    const auto x = b.variable("x", {2, 3, 4});
    // A variance must not be negative, but evaluate() generates values of both signs.
    const auto variance = relay::abs(b.variable("variance", {attributes.axis == 0 ? 2 : attributes.axis == 1 ? 3 : 4}));
    const auto y =
        relay::nn::batch_norm(x, b.variable("gamma"), b.variable("beta"), b.variable("mean"), variance, attributes);
    return relay::ir_module(test::closed(b, y[field]));
}

std::string simplified(std::string_view text) {
    return test::bare_text(test::after(test::typed(text), relay::simplify_inference{}));
}

} // namespace

TEST_CASE("simplify_inference: keeps the results of batch norms, for every axis and all options",
          "[relay][transform]") {
    for (const std::int64_t axis : {0, 1, 2, -1}) {
        for (const bool center : {false, true}) {
            for (const bool scale : {false, true}) {
                relay::ir_module before = batch_norm({.axis = axis, .epsilon = 0.5, .center = center, .scale = scale});
                relay::infer_types(before);
                const relay::ir_module after = test::after(before, relay::simplify_inference{});
                CHECK(test::bare_text(after).find("batch_norm") == std::string::npos);
                CHECK((test::bare_text(after).find("%beta)") != std::string::npos) == center);
                CHECK(test::relative_difference(test::evaluate(before, 3), test::evaluate(after, 3)) < 1e-5);
            }
        }
    }
}

TEST_CASE("simplify_inference: keeps a batch norm's statistics", "[relay][transform]") {
    const relay::ir_module after = test::after(batch_norm({}, 1), relay::simplify_inference{});
    CHECK(test::bare_text(after).find("nn.batch_norm(") != std::string::npos);
}

TEST_CASE("simplify_inference: constants have the data's element type", "[relay][transform]") {
    CHECK(simplified("def @main(%x: Tensor[(2, 3), float16], %g: Tensor[(3), float16]) {\n"
                     "  %0 = nn.batch_norm(%x, %g, %g, %g, %g, epsilon=0.5f);\n  %0.0\n}") ==
          "def @main(%x: Tensor[(2, 3), float16], %g: Tensor[(3), float16]) -> Tensor[(2, 3), float16] {\n"
          "  %0 = add(%g, 0.5f16);\n"
          "  %1 = sqrt(%0);\n"
          "  %2 = divide(1f16, %1);\n"
          "  %3 = multiply(%2, %g);\n"
          "  %4 = negative(%g);\n"
          "  %5 = multiply(%4, %3);\n"
          "  %6 = multiply(%x, %3);\n"
          "  %7 = add(%5, %g);\n"
          "  add(%6, %7)\n"
          "}\n");
    for (const std::string_view call :
         {"nn.instance_norm(%x, %g, %g, epsilon=0.5f)", "nn.l2_normalize(%x, eps=0.5f, axis=[1])"})
        CHECK(simplified("def @main(%x: Tensor[(2, 3, 2), float16], %g: Tensor[(3), float16]) {\n  " +
                         std::string(call) + "\n}")
                  .find("0.5f16") != std::string::npos);
}

TEST_CASE("simplify_inference: expands instance and L2 normalisations", "[relay][transform]") {
    CHECK(simplified("def @main(%x: Tensor[(2, 3, 4), float32], %g: Tensor[(3), float32]) {\n"
                     "  nn.instance_norm(%x, %g, %g, scale=False)\n}") ==
          "def @main(%x: Tensor[(2, 3, 4), float32], %g: Tensor[(3), float32]) -> Tensor[(2, 3, 4), float32] {\n"
          "  %0 = mean(%x, axis=[2], keepdims=True);\n"
          "  %1 = variance(%x, %0, axis=[2], keepdims=True);\n"
          "  %2 = add(%1, 1e-05f);\n"
          "  %3 = subtract(%x, %0);\n"
          "  %4 = sqrt(%2);\n"
          "  %5 = divide(%3, %4);\n"
          "  %6 = expand_dims(%g, axis=1);\n"
          "  add(%5, %6)\n"
          "}\n");
    CHECK(simplified("def @main(%x: Tensor[(2, 3), float32]) {\n  nn.l2_normalize(%x, eps=0.1f, axis=[1])\n}") ==
          "def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {\n"
          "  %0 = multiply(%x, %x);\n"
          "  %1 = sum(%0, axis=[1], keepdims=True);\n"
          "  %2 = maximum(%1, 0.1f);\n"
          "  %3 = sqrt(%2);\n"
          "  divide(%x, %3)\n"
          "}\n");
}

TEST_CASE("simplify_inference: expands layer and group normalisations", "[relay][transform]") {
    CHECK(simplified("def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32]) {\n"
                     "  nn.layer_norm(%x, %g, %g, center=False)\n}") ==
          "def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32]) -> Tensor[(2, 3), float32] {\n"
          "  %0 = mean(%x, axis=[-1], keepdims=True);\n"
          "  %1 = variance(%x, %0, axis=[-1], keepdims=True);\n"
          "  %2 = add(%1, 1e-05f);\n"
          "  %3 = subtract(%x, %0);\n"
          "  %4 = sqrt(%2);\n"
          "  %5 = divide(%3, %4);\n"
          "  multiply(%5, %g)\n"
          "}\n");
    CHECK(simplified("def @main(%x: Tensor[(2, 6, 5), float32], %g: Tensor[(6), float32]) {\n"
                     "  nn.group_norm(%x, %g, %g, num_groups=3, scale=False)\n}") ==
          "def @main(%x: Tensor[(2, 6, 5), float32], %g: Tensor[(6), float32]) -> Tensor[(2, 6, 5), float32] {\n"
          "  %0 = reshape(%x, newshape=[2, 3, 2, 5]);\n"
          "  %1 = mean(%0, axis=[2, 3], keepdims=True);\n"
          "  %2 = variance(%0, %1, axis=[2, 3], keepdims=True);\n"
          "  %3 = add(%2, 1e-05f);\n"
          "  %4 = subtract(%0, %1);\n"
          "  %5 = sqrt(%3);\n"
          "  %6 = divide(%4, %5);\n"
          "  %7 = reshape(%6, newshape=[2, 6, 5]);\n"
          "  %8 = expand_dims(%g, axis=1);\n"
          "  add(%7, %8)\n"
          "}\n");
    const std::string unknown =
        "def @main(%x: Tensor[(?, 6), float32], %g: Tensor[(6), float32]) -> Tensor[(?, 6), float32] {\n"
        "  nn.group_norm(%x, %g, %g, num_groups=3)\n}\n";
    CHECK(simplified(unknown) == unknown);
}

TEST_CASE("simplify_inference: keeps an instance norm without axes to sum over", "[relay][transform]") {
    const std::string text =
        "def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32]) -> Tensor[(2, 3), float32] {\n"
        "  nn.instance_norm(%x, %g, %g)\n}\n";
    CHECK(simplified(text) == text);
}

TEST_CASE("simplify_inference: float64 keeps the attribute's epsilon", "[relay][transform]") {
    const relay::ir_module after =
        test::after(relay::parse("def @main(%x: Tensor[(2, 3), float64], %g: Tensor[(3), float64]) {\n"
                                 "  %0 = nn.batch_norm(%x, %g, %g, %g, %g, epsilon=0.001f);\n  %0.0\n}"),
                    relay::simplify_inference{});
    const relay::graph& g = after.find("main")->graph;
    std::size_t found = 0;
    for (std::uint32_t e = 0; e < g.size(); ++e)
        if (g.kind(relay::expr_id{e}) == relay::expr_kind::constant)
            found += g.constant_value(relay::expr_id{e}).elements<double>()[0] == 0.001 ? 1 : 0;
    CHECK(found == 1);
}

TEST_CASE("simplify_inference: removes dropout, unless its mask is used", "[relay][transform]") {
    CHECK(simplified("def @main(%x: Tensor[(2), float32]) {\n  %0 = nn.dropout(%x);\n  %1 = nn.dropout(%x);\n"
                     "  add(%0.0, %1.1)\n}") == "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
                                                "  %0 = nn.dropout(%x);\n"
                                                "  %1 = %0.1;\n"
                                                "  add(%x, %1)\n"
                                                "}\n");
}

TEST_CASE("simplify_inference: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = batch_norm({});
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::simplify_inference{}, it); });
          }) == "SimplifyInference: a function has no types; expected InferType to have run before");
}
