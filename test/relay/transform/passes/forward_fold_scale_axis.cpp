#include <tutti/relay/transform/passes/forward_fold_scale_axis.hpp>

#include <tutti/relay/text/printer.hpp>

#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "relay/transform/scale_programs.hpp"
#include "support/catch.hpp"

#include <limits>

using namespace tutti;

namespace {

std::string text(const relay::ir_module& m) {
    return relay::to_text(m, {.version_line = false, .type_comments = false, .metadata_note = false});
}

// Custom operators: one that commutes with scales, and one without a rule.
struct absolute : relay::op::elementwise, relay::named<"my.absolute"> {
    static constexpr bool scales = true;
};
struct squared : relay::op::elementwise, relay::named<"my.squared"> {};

} // namespace

// The expected texts are from the reference's tests fold_fwd_simple and, for the next program, fold_fwd_dense.
TEST_CASE("forward_fold_scale_axis: moves a scale through relu and add into a convolution's weight",
          "[relay][transform]") {
    const relay::ir_module m = test::after(test::forward_program(), relay::forward_fold_scale_axis{});
    CHECK(text(m) == "def @main(%x: Tensor[(2, 4, 10, 10), float32], %weight: Tensor[(8, 4, 3, 3), float32], "
                     "%in_bias: Tensor[(4), float32]) -> Tensor[(2, 8, 10, 10), float32] {\n"
                     "  %0 = squeeze(meta[relay.Constant][0], axis=[1, 2]);\n"
                     "  %1 = expand_dims(%in_bias, axis=1, num_newaxis=2);\n"
                     "  %2 = expand_dims(%0, axis=1, num_newaxis=2);\n"
                     "  %3 = nn.relu(%x);\n"
                     "  %4 = divide(%1, %2);\n"
                     "  %5 = expand_dims(%0, axis=1, num_newaxis=2);\n"
                     "  %6 = add(%3, %4);\n"
                     "  %7 = multiply(%weight, %5);\n"
                     "  nn.conv2d(%6, %7, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3])\n"
                     "}\n");
}

TEST_CASE("forward_fold_scale_axis: moves a scale into a dense layer's weight", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {3, 5});
    const auto weight = b.variable("weight", {4, 5});
    const auto bias = b.variable("in_bias", {5});
    auto y = relay::nn::relu(relay::multiply(x, b.constant(test::scale({5}))));
    y = relay::nn::dense(relay::add(y, bias), weight);
    const relay::ir_module m =
        test::after(relay::ir_module(b.function({x, weight, bias}, y)), relay::forward_fold_scale_axis{});
    CHECK(text(m) == "def @main(%x: Tensor[(3, 5), float32], %weight: Tensor[(4, 5), float32], "
                     "%in_bias: Tensor[(5), float32]) -> Tensor[(3, 4), float32] {\n"
                     "  %0 = nn.relu(%x);\n"
                     "  %1 = divide(%in_bias, meta[relay.Constant][0]);\n"
                     "  %2 = add(%0, %1);\n"
                     "  %3 = multiply(%weight, meta[relay.Constant][0]);\n"
                     "  nn.dense(%2, %3, units=None)\n"
                     "}\n");
}

TEST_CASE("forward_fold_scale_axis: custom operators declare whether a scale passes through", "[relay][transform]") {
    const auto folded = []<class Op>(Op) {
        relay::builder b;
        const auto x = b.variable("x", {3, 5});
        const auto weight = b.variable("weight", {4, 5});
        const auto y = relay::call_op<Op>({}, relay::multiply(x, b.constant(test::scale({5}))));
        const relay::ir_module m(b.function({x, weight}, relay::nn::dense(y, weight)));
        const std::string all = text(test::after(m, relay::forward_fold_scale_axis{}));
        return all.substr(all.find('\n') + 1);
    };
    CHECK(folded(absolute{}) == "  %0 = my.absolute(%x);\n"
                                "  %1 = multiply(%weight, meta[relay.Constant][0]);\n"
                                "  nn.dense(%0, %1, units=None)\n}\n");
    CHECK(folded(squared{}) == "  %0 = multiply(%x, meta[relay.Constant][0]);\n"
                               "  %1 = my.squared(%0);\n"
                               "  nn.dense(%1, %weight, units=None)\n}\n");
}

TEST_CASE("forward_fold_scale_axis: leaves a scale that cannot pass through relu", "[relay][transform]") {
    relay::ir_module before = test::forward_program(false);
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::forward_fold_scale_axis{})) == text(before));
}

TEST_CASE("forward_fold_scale_axis: leaves a scale that one of several users cannot take", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {1, 4, 6, 6});
    const auto weight = b.variable("weight", {4, 4, 3, 3});
    const auto y = relay::multiply(x, b.constant(test::scale({4, 1, 1})));
    const auto conv = relay::nn::conv2d(y, weight, {.padding = {1, 1}});
    relay::ir_module before(b.function({x, weight}, relay::add(conv, y)));
    relay::infer_types(before);
    CHECK(text(test::after(before, relay::forward_fold_scale_axis{})) == text(before));
}

TEST_CASE("forward_fold_scale_axis: a depthwise convolution and channels last", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 6, 6, 3});
    const auto weight = b.variable("weight", {3, 3, 1, 3});
    const auto y = relay::multiply(b.constant(test::scale({3})), x);
    const auto conv =
        relay::nn::conv2d(y, weight, {.padding = {1, 1}, .groups = 3, .data_layout = "NHWC", .kernel_layout = "HWIO"});
    relay::ir_module before(b.function({x, weight}, conv));
    relay::infer_types(before);
    const relay::ir_module m = test::after(before, relay::forward_fold_scale_axis{});
    const std::string after = text(m);
    CHECK(after.find("multiply(%weight, ") != std::string::npos);
    CHECK(after.find("nn.conv2d(%x, ") != std::string::npos);
    CHECK(test::relative_difference(test::evaluate(before, 7), test::evaluate(m, 7)) < 1e-5);
}

// Like the reference's rewriter, the pass replaces a field of a tuple expression wherever an operator can take a scale.
TEST_CASE("forward_fold_scale_axis: takes a field of a tuple made here without the tuple", "[relay][transform]") {
    const auto body = [](std::string_view statements) {
        const std::string all = text(test::after(
            test::typed("def @main(%x: Tensor[(1, 4, 6, 6), float32], %w: Tensor[(8, 4, 3, 3), float32]) {\n" +
                        std::string(statements) + "}\n"),
            relay::forward_fold_scale_axis{}));
        return all.substr(all.find('\n') + 1);
    };
    CHECK(body("  %0 = exp(%x);\n  %1 = (%0, %x);\n  %2 = %1.0;\n  nn.conv2d(%2, %w, padding=[1, 1, 1, 1])\n") ==
          "  %0 = exp(%x);\n  nn.conv2d(%0, %w, padding=[1, 1, 1, 1])\n}\n");
    CHECK(body("  %0 = exp(%x);\n  %1 = (%0, %x);\n  %2 = %1.0;\n  nn.relu(%2)\n") ==
          "  %0 = exp(%x);\n  %1 = (%0, %x);\n  %2 = %1.0;\n  nn.relu(%2)\n}\n");
}

TEST_CASE("forward_fold_scale_axis: keeps results", "[relay][transform]") {
    const std::uint32_t seed = std::random_device{}();
    CAPTURE(seed);
    relay::ir_module before = test::forward_program();
    relay::infer_types(before);
    CHECK(test::relative_difference(test::evaluate(before, seed),
                                    test::evaluate(test::after(before, relay::forward_fold_scale_axis{}), seed)) <
          1e-5);
}

TEST_CASE("forward_fold_scale_axis: refuses a module without types and leaves it unchanged", "[relay][transform]") {
    relay::ir_module m = test::forward_program();
    const std::string before = text(m);
    pass_context ctx{};
    CHECK_THROWS_AS(with(ctx, [&](auto& scope) { scope.run(relay::forward_fold_scale_axis{}, m); }), error);
    CHECK(text(m) == before);
}

TEST_CASE("relative_difference: tells two tensors apart", "[relay][transform]") {
    const kernel::tensor a({2}, {1.0F, 2.0F});
    const kernel::tensor b({2}, {1.0F, 2.5F});
    CHECK(test::relative_difference(a, a) == 0);
    CHECK(test::relative_difference(a, b) == Approx(0.2));
}

TEST_CASE("forward_fold_scale_axis: leaves a scale with a zero that would divide an addend", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {3, 2});
    const auto y = b.variable("y", {2});
    const auto weight = b.variable("weight", {4, 2});
    const auto scaled = relay::multiply(x, b.constant(kernel::tensor({2}, {0.0F, 2.0F})));
    relay::ir_module before(b.function({x, y, weight}, relay::nn::dense(relay::add(scaled, y), weight)));
    relay::infer_types(before);
    const relay::ir_module m = test::after(before, relay::forward_fold_scale_axis{});
    CHECK(text(m).find("divide") == std::string::npos);
    CHECK(test::relative_difference(test::evaluate(before, 7), test::evaluate(m, 7)) == 0);
    CHECK(text(test::after(before, relay::forward_fold_scale_axis{.as_reference = true})).find("divide") !=
          std::string::npos);
}

TEST_CASE("forward_fold_scale_axis: divides no addend by a scale that is not constant, since it may have a zero",
          "[relay][transform]") {
    const relay::ir_module m =
        test::typed("def @main(%x: Tensor[(3, 5), float32], %s: Tensor[(5), float32], %b: Tensor[(5), float32], "
                    "%w: Tensor[(4, 5), float32]) {\n  %0 = multiply(%x, %s);\n  %1 = add(%0, %b);\n  "
                    "nn.dense(%1, %w, units=None)\n}\n");
    CHECK(text(test::after(m, relay::forward_fold_scale_axis{})) == text(m));
    CHECK(text(test::after(m, relay::forward_fold_scale_axis{.as_reference = true})).find("divide") !=
          std::string::npos);
}

TEST_CASE("forward_fold_scale_axis: leaves an infinite constant scale", "[relay][transform]") {
    for (const float x : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        relay::builder b;
        const auto data = b.variable("x", {3, 2});
        const auto weight = b.variable("weight", {4, 2});
        const auto scaled = relay::nn::relu(relay::multiply(data, b.constant(kernel::tensor({2}, {x, 2.0F}))));
        relay::ir_module m(b.function({data, weight}, relay::nn::dense(scaled, weight)));
        relay::infer_types(m);
        CHECK(text(test::after(m, relay::forward_fold_scale_axis{})) == text(m));
        CHECK(text(test::after(m, relay::forward_fold_scale_axis{.as_reference = true})) != text(m));
    }
}

TEST_CASE("forward_fold_scale_axis: leaves a scale of integers, and one whose type differs from the weight's",
          "[relay][transform]") {
    for (const std::string data : {"int32", "int8", "float16"}) {
        const std::string weight = data == "float16" ? "float32" : data;
        const relay::ir_module m = test::typed("def @main(%x: Tensor[(3, 5), " + data + "], %s: Tensor[(5), " + data +
                                               "], %w: Tensor[(4, 5), " + weight +
                                               "]) {\n  %0 = multiply(%x, %s);\n  "
                                               "nn.dense(%0, %w, units=None, out_dtype=\"" +
                                               weight + "\")\n}\n");
        CHECK(text(test::after(m, relay::forward_fold_scale_axis{})) == text(m));
    }
}
