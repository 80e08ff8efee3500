#include <tutti/relay/transform/rewrite/integer_rules.hpp>

#include <tutti/relay/transform/passes/fake_quantization_to_integer.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

using namespace tutti;

namespace {

/// Converts a call on x (int8, scale 1/2, zero point 3) to integers. The result has the same scale and zero point.
/// Returns the printed program without its first line.
std::string of(std::string_view call, std::string_view shape = "(1, 2, 4, 4)", std::string_view out = "int8") {
    const std::string text = "def @main(%x: Tensor[" + std::string(shape) +
                             ", int8]) {\n  %0 = qnn.dequantize(%x, 0.5f, 3);\n  %1 = " + std::string(call) +
                             ";\n  qnn.quantize(%1, 0.5f, 3, out_dtype=\"" + std::string(out) + "\")\n}";
    const std::string all = test::bare_text(test::after(test::typed(text), relay::fake_quantization_to_integer{}));
    return all.substr(all.find('\n') + 1);
}

} // namespace

TEST_CASE("integer_rules: each operator appears once, by its definition", "[relay][transform]") {
    for (const relay::integer_rule& rule : relay::integer_rules) {
        CHECK(relay::integer_rule_of(rule.op) == &rule);
        CHECK(rule.make != nullptr);
    }
    CHECK(relay::integer_rule_of(&relay::definition<relay::op::sin>) == nullptr);
    CHECK(relay::integer_rule_of(nullptr) == nullptr);
}

TEST_CASE("integer_rules: functions and slopes use qnn operators", "[relay][transform]") {
    for (const std::string_view name : {"abs", "erf", "exp", "log", "rsqrt", "sigmoid", "sqrt", "tanh"})
        CHECK(of(std::string(name) + "(%0)") == "  qnn." + std::string(name) + "(%x, 0.5f, 3, 0.5f, 3)\n}\n");
    CHECK(of("nn.leaky_relu(%0, alpha=0.5f)") == "  qnn.leaky_relu(%x, 0.5f, 3, 0.5f, 3, alpha=0.5f)\n}\n");
    CHECK(of("tanh(%0)", "(2)", "uint8").find("  %1 = tanh(%0);\n") != std::string::npos); // result of another type
}

TEST_CASE("integer_rules: means are computed in int32", "[relay][transform]") {
    CHECK(of("nn.global_avg_pool2d(%0, layout=\"NHWC\")") ==
          "  %0 = cast(%x, dtype=\"int32\");\n  %1 = nn.global_avg_pool2d(%0, layout=\"NHWC\");\n"
          "  qnn.requantize(%1, 0.5f, 3, 0.5f, 3, out_dtype=\"int8\")\n}\n");
    CHECK(of("nn.avg_pool2d(%0, pool_size=[2, 2], padding=[0, 0, 0, 0])") ==
          "  %0 = cast(%x, dtype=\"int32\");\n"
          "  %1 = nn.avg_pool2d(%0, pool_size=[2, 2], padding=[0, 0, 0, 0]);\n"
          "  %2 = clip(%1, a_min=-128f, a_max=127f);\n  cast(%2, dtype=\"int8\")\n}\n");
    CHECK(of("mean(%0, axis=[1])").find("  %1 = mean(%0, axis=[1]);\n") != std::string::npos);
    CHECK(of("nn.adaptive_avg_pool1d(%0, output_size=[2])", "(1, 2, 4)")
              .find("nn.adaptive_avg_pool1d(%0, output_size=[2])") != std::string::npos);
}

TEST_CASE("integer_rules: keeps windows over an axis with several scales", "[relay][transform]") {
    const auto stays = [](std::int64_t axis, bool resizes, std::string_view layout = "NCHW") {
        relay::builder b;
        const auto x = b.variable("x", {2, 2, 2, 2}, relay::dtype::int8);
        const relay::qnn::scale q{b.constant(kernel::tensor({2}, {0.5F, 0.25F})),
                                  b.constant(kernel::tensor({2}, {std::int32_t{3}, std::int32_t{0}}))};
        const auto real = relay::qnn::dequantize(x, q, {.axis = axis});
        const auto made = resizes ? relay::image::resize2d(real, {.size = relay::dims{2, 2}, .layout = layout})
                                  : relay::nn::max_pool2d(real, {.pool_size = relay::dims{1, 1}, .layout = layout});
        relay::ir_module m(
            b.function({x}, relay::qnn::quantize(made, q, {.out_dtype = relay::dtype::int8, .axis = axis})));
        const std::string all = test::bare_text(test::after(std::move(m), relay::fake_quantization_to_integer{}));
        return all.find("qnn.dequantize") != std::string::npos;
    };
    for (const bool resizes : {false, true}) {
        for (const std::int64_t axis : {0, 1, -3}) CHECK_FALSE(stays(axis, resizes));
        for (const std::int64_t axis : {2, 3, -1}) CHECK(stays(axis, resizes));
        CHECK_FALSE(stays(3, resizes, "NHWC"));
        CHECK(stays(1, resizes, "NHWC"));
    }
}

TEST_CASE("integer_rules: two operands, one of which may be a constant", "[relay][transform]") {
    CHECK(of("add(%0, %0)") == "  qnn.add(%x, %x, 0.5f, 3, 0.5f, 3, 0.5f, 3)\n}\n");
    CHECK(of("multiply(2f, %0)") == "  %0 = qnn.quantize(2f, 0.5f, 3, out_dtype=\"int8\");\n"
                                    "  qnn.mul(%0, %x, 0.5f, 3, 0.5f, 3, 0.5f, 3)\n}\n");
    CHECK(of("subtract(%0, 1f)").find("qnn.subtract(%x, %0, ") != std::string::npos);
    CHECK(of("maximum(%0, 0f)") == "  %0 = qnn.quantize(0f, 0.5f, 3, out_dtype=\"int8\");\n  maximum(%x, %0)\n}\n");
}

TEST_CASE("integer_rules: handles tuples as arguments and results", "[relay][transform]") {
    const std::string text = "def @main(%x: Tensor[(2, 4), int8]) {\n  %0 = qnn.dequantize(%x, 0.5f, 3);\n"
                             "  %1 = split(%0, indices_or_sections=2, axis=1);\n  %2 = %1.1;\n  %3 = %1.0;\n"
                             "  %4 = (%2, %3);\n  %5 = concatenate(%4);\n"
                             "  qnn.quantize(%5, 1f, 0, out_dtype=\"int8\")\n}";
    const std::string all = test::bare_text(test::after(test::typed(text), relay::fake_quantization_to_integer{}));
    CHECK(all.find("  qnn.concatenate(%3, %4, %5, 1f, 0)\n") != std::string::npos);
    CHECK(all.find("dequantize") == std::string::npos);
}
