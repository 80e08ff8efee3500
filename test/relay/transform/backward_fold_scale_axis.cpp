#include <tutti/relay/transform/backward_fold_scale_axis.hpp>

#include "catch.hpp"

#include <tutti/relay/text/printer.hpp>

#include "evaluate.hpp"
#include "scale_programs.hpp"

using namespace tutti;

namespace {

std::string text(const relay::ir_module& m) {
    return relay::to_text(m, {.version_line = false, .type_comments = false, .metadata_note = false});
}

}  // namespace

// The reference's texts for these programs are those of its tests fold_bwd_simple, fold_bwd_bias_add, fold_bwd_dual_path.
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
    auto y = relay::nn::conv2d(x, weight, {.padding = {1, 1}, .channels = relay::dim(4), .kernel_size = relay::dims{3, 3}});
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

TEST_CASE("backward_fold_scale_axis: leaves a scale behind a value that has another use", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {4, 4, 6, 6});
    const auto weight = b.variable("weight", {4, 4, 3, 3});
    const auto conv = relay::nn::conv2d(x, weight, {.padding = {1, 1}});
    const auto scaled = relay::multiply(conv, b.constant(test::scale({4, 1, 1})));
    relay::ir_module before(b.function({x, weight}, relay::add(scaled, relay::nn::relu(conv))));
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{})) == text(before));
}

TEST_CASE("backward_fold_scale_axis: leaves a scale that relu would not let pass", "[relay][transform]") {
    relay::ir_module before = test::backward_program(false);
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::backward_fold_scale_axis{})) == text(before));
}

TEST_CASE("backward_fold_scale_axis: computes the same", "[relay][transform]") {
    const std::uint32_t seed = std::random_device{}();
    CAPTURE(seed);
    relay::ir_module before = test::backward_program();
    relay::infer_types(before);
    CHECK(test::relative_difference(test::evaluate(before, seed),
                                    test::evaluate(test::after(before, relay::backward_fold_scale_axis{}), seed)) < 1e-5);
}
