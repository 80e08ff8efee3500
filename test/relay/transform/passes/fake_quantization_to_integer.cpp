#include <tutti/relay/transform/passes/fake_quantization_to_integer.hpp>

#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using Catch::Matchers::Contains;

namespace {

relay::ir_module made(std::string_view text, const relay::fake_quantization_to_integer& pass = {}) {
    return test::after(test::typed(text), pass);
}

std::string in_integers(std::string_view text, const relay::fake_quantization_to_integer& pass = {}) {
    const std::string all = test::bare_text(made(text, pass));
    return all.substr(all.find('\n') + 1);
}

/// Returns the largest difference between an element of the result before and after the pass.
double steps_apart(std::string_view text, const relay::fake_quantization_to_integer& pass = {}) {
    const relay::ir_module before = test::typed(text);
    const relay::ir_module after = made(text, pass);
    const auto result = [](const relay::ir_module& m) {
        const relay::function& f = *m.find("main");
        std::vector<relay::tensor> inputs;
        for (const relay::expr_id p : f.graph.params(f.root))
            inputs.push_back(relay::synthetic_input(f.graph.variable_name(p), f.graph.types(), f.graph.type(p)));
        return relay::evaluate(m, std::span<const relay::tensor>(inputs)).front();
    };
    const relay::tensor a = result(before);
    const relay::tensor b = result(after);
    double most = 0;
    for (std::int64_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(relay::number_at(a, i) - relay::number_at(b, i)));
    return a.type() == b.type() ? most : 1e9;
}

bool stays(std::string_view text, const relay::fake_quantization_to_integer& pass = {}) {
    return test::bare_text(made(text, pass)) == test::bare_text(test::typed(text));
}

/// Returns a program that dequantises x (int8, scale 1/2, zero point 3), runs `body`, and quantises %1 to int8.
std::string around(std::string_view body, std::string_view scale = "0.5f, 3", std::string_view shape = "(2, 4)") {
    return "def @main(%x: Tensor[" + std::string(shape) + ", int8]) {\n  %0 = qnn.dequantize(%x, 0.5f, 3);\n" +
           std::string(body) + "  qnn.quantize(%1, " + std::string(scale) + ", out_dtype=\"int8\")\n}";
}

} // namespace

TEST_CASE("fake_quantization_to_integer: operators that move elements move the integers", "[relay][transform]") {
    CHECK(in_integers(around("  %1 = transpose(%0, axes=None);\n")) == "  transpose(%x, axes=None)\n}\n");
    CHECK(in_integers(around("  %1 = reshape(%0, newshape=[-1]);\n", "1f, 0")) ==
          "  %0 = reshape(%x, newshape=[-1]);\n"
          "  qnn.requantize(%0, 0.5f, 3, 1f, 0, out_dtype=\"int8\")\n}\n");
    CHECK(in_integers(around("  %1 = clip(%0, a_min=-1f, a_max=6f);\n")) == "  clip(%x, a_min=1f, a_max=15f)\n}\n");
}

TEST_CASE("fake_quantization_to_integer: products are in int32, with the scales' product", "[relay][transform]") {
    constexpr std::string_view text =
        "def @main(%x: Tensor[(2, 4), uint8], %w: Tensor[(3, 4), int8], %b: Tensor[(3), int32]) {\n"
        "  %0 = qnn.dequantize(%x, 0.5f, 128);\n"
        "  %1 = qnn.dequantize(%w, 0.25f, 0);\n"
        "  %2 = nn.dense(%0, %1, units=3);\n"
        "  %3 = qnn.dequantize(%b, 0.125f, 0);\n"
        "  %4 = nn.bias_add(%2, %3);\n"
        "  %5 = nn.relu(%4);\n"
        "  qnn.quantize(%5, 2f, 0, out_dtype=\"uint8\")\n}";
    CHECK(in_integers(text) == "  %0 = qnn.dense(%x, %w, 128, 0, 0.5f, 0.25f, units=3, out_dtype=\"int32\");\n"
                               "  %1 = nn.bias_add(%0, %b);\n"
                               "  %2 = maximum(%1, 0);\n"
                               "  qnn.requantize(%2, 0.125f, 0, 2f, 0, axis=1, out_dtype=\"uint8\")\n}\n");
    CHECK(steps_apart(text) <= 1);
}

TEST_CASE("fake_quantization_to_integer: converts convolutions on request", "[relay][transform]") {
    constexpr std::string_view text = "def @main(%x: Tensor[(1, 2, 4, 4), uint8], %w: Tensor[(3, 2, 3, 3), int8]) {\n"
                                      "  %0 = qnn.dequantize(%x, 0.5f, 7);\n"
                                      "  %1 = qnn.dequantize(%w, 0.25f, 1);\n"
                                      "  %2 = nn.conv2d(%0, %1, padding=[1, 1, 1, 1], kernel_size=[3, 3]);\n"
                                      "  qnn.quantize(%2, 4f, 20, out_dtype=\"uint8\")\n}";
    CHECK(stays(text));
    CHECK(
        in_integers(text, {.conv2d = true}) ==
        "  %0 = qnn.conv2d(%x, %w, 7, 1, 0.5f, 0.25f, padding=[1, 1, 1, 1], kernel_size=[3, 3], out_dtype=\"int32\");\n"
        "  qnn.requantize(%0, 0.125f, 0, 4f, 20, axis=1, out_dtype=\"uint8\")\n}\n");
    CHECK(steps_apart(text, {.conv2d = true}) <= 1);
}

TEST_CASE(
    "fake_quantization_to_integer: leaves everything if an operator has no integer form, or with control flow or an unknown value",
    "[relay][transform]") {
    CHECK(stays(around("  %1 = sin(%0);\n")));
    CHECK(stays("def @main(%x: Tensor[(2), float32]) { qnn.quantize(%x, 1f, 0, out_dtype=\"int8\") }"));
    CHECK(stays("def @main(%x: Tensor[(2), int8], %y: Tensor[(2), float32]) {\n  %0 = qnn.dequantize(%x, 1f, 0);\n"
                "  %1 = add(%0, %y);\n  qnn.quantize(%1, 1f, 0, out_dtype=\"int8\")\n}"));
    CHECK_THROWS_WITH(in_integers(around("  %1 = sin(%0);\n"), {.hard_fail = true}),
                      "FakeQuantizationToInteger, sin: there is no integer operator for it; expected what can be "
                      "computed in integers, or hard_fail=False");
}

TEST_CASE("fake_quantization_to_integer: keeps operators that would lose more than rounding, except with as_reference",
          "[relay][transform]") {
    const auto only_as_reference = [](const std::string& text) {
        return stays(text) && !stays(text, {.as_reference = true});
    };
    // The pass does not know a scale for the intermediate sum.
    CHECK(only_as_reference(around("  %2 = add(%0, 1f);\n  %1 = exp(%2);\n")));
    // int8 with this scale cannot represent the constant.
    CHECK(only_as_reference(around("  %1 = add(%0, 1000f);\n")));
    CHECK(only_as_reference(around("  %1 = nn.avg_pool2d(%0, pool_size=[2, 2], padding=[1, 1, 1, 1], "
                                   "count_include_pad=True);\n",
                                   "0.5f, 3", "(1, 1, 4, 4)")));
}

TEST_CASE("fake_quantization_to_integer: converts single operators", "[relay][transform]") {
    constexpr std::string_view text = "def @main(%x: Tensor[(2, 4), int8]) {\n  %0 = qnn.dequantize(%x, 0.5f, 3);\n"
                                      "  %1 = nn.relu(%0);\n  %2 = transpose(%1, axes=None);\n  sin(%2)\n}";
    CHECK(stays(text));
    CHECK(in_integers(text, {.use_qat = true}) == "  %0 = maximum(%x, meta[relay.Constant][0]);\n"
                                                  "  %1 = transpose(%0, axes=None);\n"
                                                  "  %2 = qnn.dequantize(%1, 0.5f, 3);\n"
                                                  "  sin(%2)\n}\n");
}

TEST_CASE("fake_quantization_to_integer: respects max_nodes", "[relay][transform]") {
    std::string text = "def @main(%x: Tensor[(2), int8]) {\n  %0 = qnn.dequantize(%x, 1f, 0);\n";
    std::string results;
    std::string last = "%0";
    int n = 0;
    for (int i = 0; i < 20; ++i) { // each result depends on all previous lines
        const std::string next = "%" + std::to_string(++n);
        text += "  " + next + " = nn.relu(" + last + ");\n";
        last = next;
        const std::string result = "%" + std::to_string(++n);
        text += "  " + result + " = qnn.quantize(" + last + ", 1f, 0, out_dtype=\"int8\");\n";
        results += (i == 0 ? "" : ", ") + result;
    }
    text += "  (" + results + ")\n}";
    CHECK_NOTHROW(made(text));
    CHECK_THROWS_WITH(made(text, {.max_nodes = 10}),
                      Contains("FakeQuantizationToInteger: more than 10 expressions made") && Contains("max_nodes"));
}
