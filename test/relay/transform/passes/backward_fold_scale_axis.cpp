#include <tutti/relay/transform/passes/backward_fold_scale_axis.hpp>

#include <tutti/relay/text/printer.hpp>

#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "relay/transform/scale_programs.hpp"
#include "support/catch.hpp"

#include <limits>
#include <string>

using namespace tutti;

namespace {

std::string text(const relay::ir_module& m) {
    return relay::to_text(m, {.version_line = false, .type_comments = false, .metadata_note = false});
}

} // namespace

// The expected texts are from the reference's tests fold_bwd_simple, fold_bwd_bias_add and fold_bwd_dual_path.
TEST_CASE("backward_fold_scale_axis: moves a scale through relu and add into a convolution's weight",
          "[relay][transform]") {
    const relay::ir_module m = test::after(test::backward_program(), relay::backward_fold_scale_axis{});
    CHECK(text(m) == "def @main(%x: Tensor[(2, 4, 10, 10), float32], %weight: Tensor[(8, 4, 3, 3), float32], "
                     "%out_bias: Tensor[(8), float32]) -> Tensor[(2, 8, 10, 10), float32] {\n"
                     "  %0 = squeeze(meta[relay.Constant][0], axis=[1, 2]);\n"
                     "  %1 = expand_dims(%0, axis=1, num_newaxis=3);\n"
                     "  %2 = multiply(%weight, %1);\n"
                     "  %3 = expand_dims(%out_bias, axis=1, num_newaxis=2);\n"
                     "  %4 = expand_dims(%0, axis=1, num_newaxis=2);\n"
                     "  %5 = nn.conv2d(%x, %2, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);\n"
                     "  %6 = multiply(%3, %4);\n"
                     "  %7 = add(%5, %6);\n"
                     "  nn.relu(%7)\n"
                     "}\n");
}

TEST_CASE("backward_fold_scale_axis: scales the bias of a bias_add", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 10, 10});
    const auto weight = b.variable("weight", {4, 4, 3, 3});
    const auto bias = b.variable("out_bias", {4});
    auto y =
        relay::nn::conv2d(x, weight, {.padding = {1, 1}, .channels = relay::dim(4), .kernel_size = relay::dims{3, 3}});
    y = relay::nn::relu(relay::nn::bias_add(y, bias));
    y = relay::multiply(y, b.constant(test::scale({4, 1, 1})));
    const relay::ir_module m =
        test::after(relay::ir_module(b.function({x, weight, bias}, y)), relay::backward_fold_scale_axis{});
    CHECK(text(m) == "def @main(%x: Tensor[(2, 4, 10, 10), float32], %weight: Tensor[(4, 4, 3, 3), float32], "
                     "%out_bias: Tensor[(4), float32]) -> Tensor[(2, 4, 10, 10), float32] {\n"
                     "  %0 = squeeze(meta[relay.Constant][0], axis=[1, 2]);\n"
                     "  %1 = expand_dims(%0, axis=1, num_newaxis=3);\n"
                     "  %2 = multiply(%weight, %1);\n"
                     "  %3 = nn.conv2d(%x, %2, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);\n"
                     "  %4 = multiply(%out_bias, %0);\n"
                     "  %5 = nn.bias_add(%3, %4);\n"
                     "  nn.relu(%5)\n"
                     "}\n");
}

TEST_CASE("backward_fold_scale_axis: follows both operands of an addition", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 10, 10});
    const auto weight = b.variable("weight", {8, 4, 3, 3});
    const relay::conv2d_attributes conv{.padding = {1, 1}, .channels = relay::dim(8), .kernel_size = relay::dims{3, 3}};
    const auto left = relay::nn::relu(relay::nn::conv2d(x, weight, conv));
    const auto right = relay::nn::relu(relay::nn::conv2d(x, weight, conv));
    const auto y = relay::multiply(relay::add(left, right), b.constant(test::scale({8, 1, 1})));
    relay::ir_module before(b.function({x, weight}, y));
    relay::infer_types(before);
    const relay::ir_module m = test::after(before, relay::backward_fold_scale_axis{});
    CHECK(text(m) == "def @main(%x: Tensor[(2, 4, 10, 10), float32], %weight: Tensor[(8, 4, 3, 3), float32]) -> "
                     "Tensor[(2, 8, 10, 10), float32] {\n"
                     "  %0 = squeeze(meta[relay.Constant][0], axis=[1, 2]);\n"
                     "  %1 = expand_dims(%0, axis=1, num_newaxis=3);\n"
                     "  %2 = multiply(%weight, %1);\n"
                     "  %3 = nn.conv2d(%x, %2, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);\n"
                     "  %4 = expand_dims(%0, axis=1, num_newaxis=3);\n"
                     "  %5 = multiply(%weight, %4);\n"
                     "  %6 = nn.conv2d(%x, %5, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);\n"
                     "  %7 = nn.relu(%3);\n"
                     "  %8 = nn.relu(%6);\n"
                     "  add(%7, %8)\n"
                     "}\n");
    CHECK(test::relative_difference(test::evaluate(before, 11), test::evaluate(m, 11)) < 1e-5);
}

TEST_CASE("backward_fold_scale_axis: leaves a scale after a value that has another use", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {4, 4, 6, 6});
    const auto weight = b.variable("weight", {4, 4, 3, 3});
    const auto conv = relay::nn::conv2d(x, weight, {.padding = {1, 1}});
    const auto scaled = relay::multiply(conv, b.constant(test::scale({4, 1, 1})));
    relay::ir_module before(b.function({x, weight}, relay::add(scaled, relay::nn::relu(conv))));
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{})) == text(before));
}

TEST_CASE("backward_fold_scale_axis: leaves a scale that cannot pass through relu", "[relay][transform]") {
    relay::ir_module before = test::backward_program(false);
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{})) == text(before));
}

namespace {

// Runs the pass over a program with these statements. Checks that the result is preserved, and returns the printed
// body.
std::string body_after(std::string_view statements) {
    const relay::ir_module before = test::typed(
        "def @main(%x: Tensor[(1, 4, 6, 6), float32], %w: Tensor[(8, 4, 3, 3), float32], %u: Tensor[(1, 4, 3, 3), float32], "
        "%v: Tensor[(8, 4, 6, 6), float32], %b: Tensor[(8), float32], %k: Tensor[(8, 1, 1), float32], "
        "%s: Tensor[(), float32]) {\n"
        "  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);\n" +
        std::string(statements) + "}\n");
    const relay::ir_module after = test::after(before, relay::backward_fold_scale_axis{});
    CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(after, 5)) < 1e-5);
    const std::string all = text(after);
    return all.substr(all.find('\n') + 1);
}

} // namespace

TEST_CASE("backward_fold_scale_axis: folds nothing within a scale", "[relay][transform]") {
    CHECK(body_after("  %1 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0]);\n"
                     "  %2 = multiply(%1, %k);\n"
                     "  multiply(%0, %2)\n") == "  %0 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0]);\n"
                                                "  %1 = multiply(%0, %k);\n"
                                                "  %2 = squeeze(%1, axis=[0, 2, 3]);\n"
                                                "  %3 = expand_dims(%2, axis=1, num_newaxis=3);\n"
                                                "  %4 = multiply(%w, %3);\n"
                                                "  nn.conv2d(%x, %4, padding=[1, 1, 1, 1])\n"
                                                "}\n");
    // The other user of %2 also gets the folded value.
    CHECK(body_after("  %1 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0]);\n"
                     "  %2 = multiply(%1, %k);\n"
                     "  %3 = multiply(%0, %2);\n"
                     "  add(%3, %2)\n") == "  %0 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0]);\n"
                                           "  %1 = multiply(%0, %k);\n"
                                           "  %2 = squeeze(%1, axis=[0, 2, 3]);\n"
                                           "  %3 = expand_dims(%2, axis=1, num_newaxis=3);\n"
                                           "  %4 = multiply(%w, %3);\n"
                                           "  %5 = squeeze(%k, axis=[1, 2]);\n"
                                           "  %6 = expand_dims(%5, axis=1, num_newaxis=3);\n"
                                           "  %7 = multiply(%v, %6);\n"
                                           "  %8 = nn.conv2d(%x, %4, padding=[1, 1, 1, 1]);\n"
                                           "  %9 = nn.conv2d(%x, %7, padding=[0, 0, 0, 0]);\n"
                                           "  add(%8, %9)\n"
                                           "}\n");
}

TEST_CASE("backward_fold_scale_axis: a scale passes through a sum if one addend has all channels",
          "[relay][transform]") {
    const std::string other =
        "  %1 = nn.conv2d(%x, %u, padding=[1, 1, 1, 1]);\n  %2 = add(%0, %1);\n  multiply(%2, %k)\n";
    CHECK(body_after(other).ends_with("  multiply(%2, %k)\n}\n"));
    const std::string pixel =
        "  %1 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0]);\n  %2 = add(%0, %1);\n  multiply(%2, %k)\n";
    CHECK(body_after(pixel).ends_with("  add(%5, %6)\n}\n"));
}

TEST_CASE("backward_fold_scale_axis: no scale passes through a bias_add with an axis counted from the end",
          "[relay][transform]") {
    CHECK(
        body_after("  %1 = nn.bias_add(%0, %b, axis=-3);\n  multiply(%1, %k)\n").ends_with("  multiply(%1, %k)\n}\n"));
    CHECK(body_after("  %1 = nn.bias_add(%0, %b);\n  multiply(%1, %k)\n").ends_with("  nn.bias_add(%3, %4)\n}\n"));
}

TEST_CASE("backward_fold_scale_axis: a scalar is repeated along the channels", "[relay][transform]") {
    CHECK(body_after("  multiply(%0, %s)\n") == "  %0 = expand_dims(%s, axis=0);\n"
                                                "  %1 = repeat(%0, repeats=8, axis=0);\n"
                                                "  %2 = expand_dims(%1, axis=1, num_newaxis=3);\n"
                                                "  %3 = multiply(%w, %2);\n"
                                                "  nn.conv2d(%x, %3, padding=[1, 1, 1, 1])\n"
                                                "}\n");
}

TEST_CASE("backward_fold_scale_axis: skips convolutions along one axis", "[relay][transform]") {
    const relay::ir_module before = test::typed(
        "def @main(%x: Tensor[(1, 4, 6), float32], %w: Tensor[(8, 4, 3), float32], %k: Tensor[(8, 1), float32]) {\n"
        "  %0 = nn.conv1d(%x, %w, padding=[1, 1]);\n  multiply(%0, %k)\n}\n");
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{})) == text(before));
}

TEST_CASE("backward_fold_scale_axis: keeps results", "[relay][transform]") {
    const std::uint32_t seed = std::random_device{}();
    CAPTURE(seed);
    relay::ir_module before = test::backward_program();
    relay::infer_types(before);
    CHECK(test::relative_difference(test::evaluate(before, seed),
                                    test::evaluate(test::after(before, relay::backward_fold_scale_axis{}), seed)) <
          1e-5);
}

TEST_CASE("backward_fold_scale_axis: leaves a scale of integers, and one whose type differs from the weight's",
          "[relay][transform]") {
    for (const std::string weight : {"int32", "int8", "float16"}) {
        const std::string result = weight == "float16" ? "float32" : "int32";
        const relay::ir_module m = test::typed("def @main(%x: Tensor[(3, 5), " + weight + "], %w: Tensor[(4, 5), " +
                                               weight + "], %s: Tensor[(4), " + result +
                                               "]) {\n  %0 = nn.dense(%x, %w, units=None, "
                                               "out_dtype=\"" +
                                               result + "\");\n  multiply(%0, %s)\n}\n");
        CHECK(text(test::after(m, relay::backward_fold_scale_axis{})) == text(m));
    }
}

TEST_CASE("backward_fold_scale_axis: leaves integers and infinite constant scales, except with as_reference",
          "[relay][transform]") {
    const auto folds = [](const relay::ir_module& m, const relay::backward_fold_scale_axis& pass) {
        return relay::to_text(test::after(m, pass)) != relay::to_text(m);
    };
    const auto scaled = [](float x) {
        relay::builder b;
        const auto data = b.variable("x", {3, 2});
        const auto weight = b.variable("weight", {4, 2});
        const auto y = relay::nn::relu(relay::nn::dense(data, weight));
        relay::ir_module m(
            b.function({data, weight}, relay::multiply(y, b.constant(kernel::tensor({4}, {x, 2.0F, 1.0F, 0.0F})))));
        relay::infer_types(m);
        return m;
    };
    CHECK(folds(scaled(3), {}));
    for (const float x : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        CHECK_FALSE(folds(scaled(x), {}));
        CHECK(folds(scaled(x), {.as_reference = true}));
    }
    const relay::ir_module integers =
        test::typed("def @main(%x: Tensor[(3, 5), int32], %w: Tensor[(4, 5), int32], %s: Tensor[(4), int32]) {\n"
                    "  %0 = nn.dense(%x, %w, units=None, out_dtype=\"int32\");\n  multiply(%0, %s)\n}\n");
    CHECK_FALSE(folds(integers, {}));
    CHECK(folds(integers, {.as_reference = true}));
}

TEST_CASE("backward_fold_scale_axis: a convolution may have groups, except with as_reference", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 5, 5});
    const auto weight = b.variable("weight", {6, 2, 3, 3});
    const auto y = relay::nn::conv2d(
        x, weight, {.padding = {1, 1}, .groups = 2, .channels = relay::dim(6), .kernel_size = relay::dims{3, 3}});
    relay::ir_module before(
        b.function({x, weight}, relay::multiply(relay::nn::relu(y), b.constant(test::scale({6, 1, 1})))));
    relay::infer_types(before);
    const relay::ir_module m = test::after(before, relay::backward_fold_scale_axis{});
    CHECK(text(m).find("nn.relu(%3)\n}") != std::string::npos); // the scale moved into the weight
    CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(m, 5)) < 1e-5);
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{.as_reference = true})) == text(before));
}
