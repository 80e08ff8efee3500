#include <tutti/relay/onnx/write/quantized_rules.hpp>

#include <tutti/relay/transform/passes/bind_params.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::tensor;

namespace {

constexpr std::string_view x = "%x: Tensor[(2, 3, 4), T]", xy = "%x: Tensor[(2, 3), T], %y: Tensor[(2, 3), T]";
constexpr std::string_view bytes = "int8 uint8";

constexpr round_trip rows[]{
    {x, "qnn.abs(%x, 0.5f, 3, 0.25f, 1)", bytes, elements::any, 1},
    {xy, "qnn.add(%x, %y, 0.5f, 3, 0.25f, -1, 0.75f, 2)", "int8", elements::any, 1},
    {xy, "qnn.add(%x, %y, 0.5f, 3, 0.25f, 1, 0.75f, 0)", bytes, elements::any, 1},
    {"%x: Tensor[(2, 3), T], %y: Tensor[(2, 4), T]",
     "qnn.concatenate((%x, %y), (0.5f, 0.25f), (3, 1), 0.75f, 2, axis=1)", bytes, elements::any, 1},
    {"%x: Tensor[(2, 3), T]", "qnn.concatenate((%x,), (0.5f,), (0,), 0.5f, 0, axis=-1)", bytes, elements::any, 1},
    {"%x: Tensor[(1, 2, 5, 4), T], %w: Tensor[(3, 2, 3, 2), T]",
     "qnn.conv2d(%x, %w, 3, 1, 0.5f, 0.25f, padding=[1, 0], channels=3, kernel_size=[3, 2], out_dtype=\"int32\")",
     bytes, elements::any},
    {"%x: Tensor[(1, 5, 4, 2), T], %w: Tensor[(3, 2, 1, 4), int8]",
     "qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, groups=2, channels=4, kernel_size=[3, 2], data_layout=\"NHWC\", "
     "kernel_layout=\"HWIO\", out_dtype=\"int32\")",
     bytes, elements::any},
    {"%x: Tensor[(1, 2, 5, 4), T], %w: Tensor[(3, 2, 3, 2), int8], %z: int32",
     "qnn.conv2d(%x, %w, %z, 0, 0.5f, 0.25f, strides=[2, 1], channels=3, kernel_size=[3, 2], out_dtype=\"int32\")",
     bytes, elements::positive},
    {"%x: Tensor[(2, 2, 5, 4), T], %w: Tensor[(3, 2, 3, 2), T]",
     "qnn.conv2d_transpose(%x, %w, 3, 1, 0.5f, 0.25f, strides=[2, 1], padding=[1, 0, 0, 1], channels=3, "
     "kernel_size=[3, 2], out_dtype=\"int32\")",
     bytes, elements::any},
    {"%x: Tensor[(1, 5, 4, 2), T], %w: Tensor[(3, 2, 2, 3), int8]",
     "qnn.conv2d_transpose(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], data_layout=\"NHWC\", "
     "kernel_layout=\"HWIO\", out_dtype=\"int32\")",
     bytes, elements::any},
    {"%x: Tensor[(2, 3, 4), T], %y: Tensor[(2, 5, 4), int8]",
     "qnn.batch_matmul(%x, %y, 3, 1, 0.5f, 0.25f, out_dtype=\"int32\", transpose_b=True)", bytes, elements::any},
    {"%x: Tensor[(2, 4, 3), T], %y: Tensor[(2, 4, 5), T]",
     "qnn.batch_matmul(%x, %y, 0, 0, 0.5f, 0.25f, out_dtype=\"int32\", transpose_a=True)", bytes, elements::any},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), int8]",
     "qnn.dense(%x, %w, 3, 1, 0.5f, 0.25f, units=4, out_dtype=\"int32\")", bytes, elements::any},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), T]",
     "qnn.dense(%x, %w, 0, 0, 0.5f, 0.25f, units=4, out_dtype=\"int32\")", bytes, elements::any},
    {x, "qnn.dequantize(%x, 0.5f, 0)", "int8 uint8 int16 uint16 int32", elements::any},
    {x, "qnn.dequantize(%x, 0.5f, 3)", "int8 uint8 int16 int32", elements::small},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(3), float32], %z: Tensor[(3), int32]", "qnn.dequantize(%x, %s, %z, axis=1)",
     "int8 uint8 int32", elements::positive},
    {"%x: Tensor[(2, ?, 4), T], %s: Tensor[(4), float32]", "qnn.dequantize(%x, %s, 0, axis=-1)", "int8 int32",
     elements::positive},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(3), float32], %z: Tensor[(1), int32]", "qnn.dequantize(%x, %s, %z, axis=1)",
     "int8 int32", elements::positive},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(1), float32], %z: Tensor[(3), int32]", "qnn.dequantize(%x, %s, %z, axis=1)",
     "int8 int32", elements::positive},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(1), float32]", "qnn.dequantize(%x, %s, 3)", "uint8", elements::positive},
    {"%x: T", "qnn.dequantize(%x, 0.5f, 3)", "int8 uint8"},
    {"%x: T, %s: Tensor[(1), float32]", "qnn.requantize(%x, %s, 0, 0.25f, 1, out_dtype=\"int32\")", "int32",
     elements::any, 1},
    {x, "qnn.dequantize(%x, 0.3f, -100)", "int32", elements::any},
    {x, "qnn.erf(%x, 0.01f, 3, 0.0125f, 1)", "int8", elements::any, 1},
    {x, "qnn.exp(%x, 0.01f, 3, 0.05f, 1)", bytes, elements::any, 1},
    {x, "qnn.hardswish(%x, 0.05f, 3, 0.05f, 1)", bytes, elements::any, 1},
    {x, "qnn.leaky_relu(%x, 0.5f, 3, 0.75f, 1, alpha=0.25f64)", bytes, elements::any, 1},
    {x, "qnn.log(%x, 0.5f, 0, 0.05f, 1)", "uint8", elements::positive, 1},
    {xy, "qnn.mul(%x, %y, 0.05f, 3, 0.25f, 1, 0.75f, 2)", bytes, elements::any, 1},
    {"%x: Tensor[(2, 3, 4), T]", "qnn.quantize(%x, 0.125f, 0, out_dtype=\"int8\")", "float32"},
    {"%x: Tensor[(2, ?, 4), T]", "qnn.quantize(%x, 0.125f, 7, out_dtype=\"uint8\")", "float32"},
    {"%x: Tensor[(2, 3, 4), T]", "qnn.quantize(%x, 0.001f, 7, out_dtype=\"int16\")", "float32"},
    {"%x: Tensor[(2, 3, 4), T]", "qnn.quantize(%x, 0.001f, 0, out_dtype=\"uint16\")", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(3), float32], %z: Tensor[(3), int32]",
     "qnn.quantize(%x, %s, %z, out_dtype=\"int8\", axis=1)", "float32", elements::positive},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(4), float32], %z: Tensor[(4), int32]",
     "qnn.quantize(%x, %s, %z, out_dtype=\"uint8\", axis=-1)", "float32", elements::positive},
    {"%x: T", "qnn.quantize(%x, 0.125f, 0, out_dtype=\"uint8\")", "float32"},
    {"%x: Tensor[(2, 3, 4), T]", "qnn.quantize(%x, 0.0001f, 7, out_dtype=\"int32\")", "float32", elements::any, 1},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(3), float32]", "qnn.quantize(%x, %s, 7, out_dtype=\"int32\", axis=1)",
     "float32", elements::positive, 1},
    {x, "qnn.requantize(%x, 0.05f, 0, 0.5f, 3, out_dtype=\"int8\")", "int8 uint8 int32", elements::small, 1},
    {x, "qnn.requantize(%x, 0.5f, 2, 0.25f, 0, out_dtype=\"uint8\")", "int8 uint8 int32", elements::small, 1},
    {x, "qnn.requantize(%x, 0.5f, 2, 0.25f, 3, out_dtype=\"int32\")", "int8 uint8 int32", elements::any, 1},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(3), float32], %z: int32",
     "qnn.requantize(%x, %s, %z, 0.25f, 1, axis=1, out_dtype=\"int8\")", "int8 int32", elements::positive, 1},
    {"%x: Tensor[(2, 3, 4), T], %s: Tensor[(4), float32]",
     "qnn.requantize(%x, %s, 0, 0.25f, 1, axis=-1, out_dtype=\"uint8\")", "int32", elements::positive, 1},
    {x, "qnn.sigmoid(%x, 0.05f, 3, 0.004f, 1)", "uint8", elements::any, 1},
    {x, "qnn.sqrt(%x, 0.5f, 0, 0.05f, 1)", "uint8", elements::any, 1},
    {xy, "qnn.subtract(%x, %y, 0.5f, 3, 0.25f, 1, 0.75f, 2)", bytes, elements::any, 1},
    {x, "qnn.tanh(%x, 0.05f, 3, 0.01f, 1)", "int8", elements::any, 1},
};

constexpr std::string_view images = "%x: Tensor[(2, 2, 5, 4), T], %w: Tensor[(3, 2, 3, 2), int8]";

// Parameters with these names become constants.
const std::map<std::string, tensor, std::less<>> known{
    {"bias", tensor({3}, {100, -2000, 3})},
    {"four", tensor({4}, {1, 2, 300, 4})},
    {"channels", tensor({3, 1, 1}, {100, -2000, 3})},
    {"last", tensor({1, 4}, {1, 2, 300, 4})},
    {"one", tensor({1, 1, 1, 1}, {100})},
    {"scales", tensor({3}, {0.25F, 0.5F, 1.F})},
    {"products", tensor({3}, {0.125F, 0.25F, 0.5F})},
};
relay::ir_module with_constants(std::string_view parameters, std::string_view body, std::string_view type) {
    relay::ir_module m =
        program_of("def @main(" + with_type(parameters, type) +
                   ", %bias: Tensor[(3), int32], %four: Tensor[(4), int32], %channels: Tensor[(3, 1, 1), int32], "
                   "%last: Tensor[(1, 4), int32], %one: Tensor[(1, 1, 1, 1), int32], "
                   "%scales: Tensor[(3), float32], %products: Tensor[(3), float32]) {" +
                   with_type(body, type) + "}");
    *m.find("main") = relay::bind_params_by_name(*m.find("main"), known);
    return m;
}

// Requantised products that QLinearConv or QLinearMatMul expresses.
constexpr round_trip qlinear_rows[]{
    {images,
     "%0 = qnn.conv2d(%x, %w, 3, 1, 0.5f, 0.25f, padding=[1, 0], channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.125f, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, %scales, strides=[2, 1], channels=3, kernel_size=[3, 2], "
     "out_dtype=\"int32\");"
     "%1 = nn.bias_add(%0, %bias);"
     "qnn.requantize(%1, %products, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "%1 = maximum(nn.bias_add(%0, %bias), 0);"
     "qnn.requantize(%1, 0.125f, 0, 4f, 0, axis=1, out_dtype=\"uint8\")",
     "uint8", elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(nn.relu(%0), 0.125f, 0, 4f, -128, axis=1, out_dtype=\"int8\")",
     "int8", elements::any, 1},
    {"%x: Tensor[(1, 5, 4, 2), T], %w: Tensor[(3, 2, 1, 4), int8]",
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, groups=2, channels=4, kernel_size=[3, 2], data_layout=\"NHWC\", "
     "kernel_layout=\"HWIO\", out_dtype=\"int32\");"
     "%1 = nn.bias_add(%0, %four, axis=-1);"
     "qnn.requantize(%1, 0.125f, 0, 4f, 5, axis=3, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(add(%channels, %0), 0.125f, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {"%x: Tensor[(1, 5, 4, 2), T], %w: Tensor[(3, 2, 2, 4), int8]",
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, channels=4, kernel_size=[3, 2], data_layout=\"NHWC\", "
     "kernel_layout=\"HWIO\", out_dtype=\"int32\");"
     "qnn.requantize(add(%0, %last), 0.125f, 0, 4f, 5, axis=3, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), int8]",
     "%0 = qnn.dense(%x, %w, 3, 1, 0.5f, 0.25f, units=4, out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.125f, 0, 4f, 5, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {"%x: Tensor[(2, 3, 4), T], %y: Tensor[(2, 5, 4), int8]",
     "%0 = qnn.batch_matmul(%x, %y, 3, 1, 0.5f, 0.25f, out_dtype=\"int32\", transpose_b=True);"
     "qnn.requantize(maximum(%0, 0), 0.125f, 0, 4f, 0, out_dtype=\"uint8\")",
     "uint8", elements::any, 1},
};

// Requantised products that QLinearConv and QLinearMatMul do not express.
constexpr round_trip other_products[]{
    // a zero point above the least number: the maximum is not redundant
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(maximum(%0, 0), 0.125f, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    // a maximum with another number
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(maximum(%0, 1), 0.125f, 0, 4f, 0, axis=1, out_dtype=\"uint8\")",
     "uint8", elements::any, 1},
    // a scale that is not the product of the scales
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.25f, 0, 4f, 0, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    // a zero point of the sums
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.125f, 7, 4f, 0, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    // a result of another type
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.125f, 0, 4f, 0, axis=1, out_dtype=\"int8\")",
     "uint8", elements::any, 1},
    // signed data with unsigned weights, which engines do not have
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), uint8]",
     "%0 = qnn.dense(%x, %w, 3, 1, 0.5f, 0.25f, units=4, out_dtype=\"int32\");"
     "qnn.requantize(%0, 0.125f, 0, 40f, 5, axis=1, out_dtype=\"T\")",
     "int8", elements::any, 1},
    // several scales of a batch of matrices
    {"%x: Tensor[(2, 3, 3), T], %y: Tensor[(2, 3, 3), int8]",
     "%0 = qnn.batch_matmul(%x, %y, 3, 1, 0.5f, %scales, out_dtype=\"int32\", transpose_b=True);"
     "qnn.requantize(%0, %products, 0, 4f, 5, axis=2, out_dtype=\"T\")",
     bytes, elements::any, 1},
    // sums that another expression also uses
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "(qnn.requantize(%0, 0.125f, 0, 4f, 0, axis=1, out_dtype=\"T\"), %0)",
     bytes, elements::any, 1},
    // a bias that is not constant, or not along the channels
    {"%x: Tensor[(2, 2, 5, 4), T], %w: Tensor[(3, 2, 3, 2), int8], %b: Tensor[(3), int32]",
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(nn.bias_add(%0, %b), 0.125f, 0, 4f, 0, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 0, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(nn.bias_add(%0, %bias, axis=-1), 0.125f, 0, 4f, 0, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(add(%one, %0), 0.125f, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {images,
     "%0 = qnn.conv2d(%x, %w, 3, 0, 0.5f, 0.25f, padding=[1, 1, 1, 1], channels=3, kernel_size=[3, 2], out_dtype=\"int32\");"
     "qnn.requantize(add(%0, %0), 0.125f, 0, 4f, 5, axis=1, out_dtype=\"T\")",
     bytes, elements::any, 1},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), int8]",
     "%0 = qnn.dense(%x, %w, 3, 1, 0.5f, 0.25f, units=4, out_dtype=\"int32\");"
     "qnn.requantize(nn.bias_add(%0, %four), 0.125f, 0, 4f, 5, out_dtype=\"T\")",
     bytes, elements::any, 1},
};

std::string nodes(const std::string& parameters, const std::string& body) {
    return nodes_of(program_of("def @main(" + parameters + ") { " + body + " }"));
}
std::string refusal(const std::string& parameters, const std::string& body) {
    return refused([&] { nodes(parameters, body); });
}

} // namespace

TEST_CASE("quantized_rules: written operators compute the same", "[relay][onnx][quantized_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("quantized_rules: a requantised product is one node", "[relay][onnx][quantized_rules]") {
    for (const bool fused : {true, false})
        for (const round_trip& row : fused ? std::span<const round_trip>(qlinear_rows) : other_products)
            for (const std::string_view type : {"int8", "uint8"}) {
                if (row.types != bytes && row.types != type) continue;
                const relay::ir_module m = with_constants(row.parameters, row.body, type);
                CHECK(change_of(m, row.kind, row.units) == "");
                const std::string made = nodes_of(m);
                INFO(made);
                CHECK((made.find("QLinear") != std::string::npos) == fused);
                CHECK((made.find("Integer") != std::string::npos) != fused);
            }
    CHECK(nodes_of(with_constants("%x: Tensor[(1, 1, 2, 2), uint8], %w: Tensor[(3, 1, 2, 2), uint8]",
                                  "%0 = qnn.conv2d(%x, %w, 3, 1, 0.5f, 0.25f, channels=3, kernel_size=[2, 2], "
                                  "out_dtype=\"int32\");"
                                  "qnn.requantize(nn.bias_add(%0, %bias), 0.125f, 0, 4f, 5, out_dtype=\"uint8\")",
                                  "")) ==
          "QLinearConv(x, constant_2, constant_4, w, constant_3, constant_5, constant_10, constant_12, constant_6) -> "
          "out_0\n");
}

TEST_CASE("quantized_rules: every rule has a program", "[relay][onnx][quantized_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::quantized_rules, rows) == "");
}

TEST_CASE("quantized_rules: a zero point has the element type and the shape of the scale",
          "[relay][onnx][quantized_rules]") {
    const auto quantize = [](std::string_view how) {
        return nodes("%x: Tensor[(2), float32]", "qnn.quantize(%x, 0.5f, " + std::string(how) + ")");
    };
    CHECK(quantize("0, out_dtype=\"uint8\"") == "QuantizeLinear(x, constant, constant_2) -> out_0\n");
    CHECK(quantize("3, out_dtype=\"uint8\"") == "QuantizeLinear(x, constant, constant_2) -> out_0\n");
    CHECK(quantize("0, out_dtype=\"int8\"") == "QuantizeLinear(x, constant, constant_2) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2), float32], %z: int32", "qnn.quantize(%x, 0.5f, %z, out_dtype=\"int8\")") ==
          "Cast(z) -> Cast\nQuantizeLinear(x, constant, Cast) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2), int8]", "qnn.dequantize(%x, 0.5f, 0)") ==
          "DequantizeLinear(x, constant, constant_2) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2), int32]", "qnn.dequantize(%x, 0.5f, 0)") == "DequantizeLinear(x, constant) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2, 3), int8], %s: Tensor[(3), float32]", "qnn.dequantize(%x, %s, 0)") ==
          "DequantizeLinear(x, s, constant_1) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2, ?), int8], %s: Tensor[(?), float32]", "qnn.dequantize(%x, %s, 0)") ==
          "Cast(constant) -> Cast\nShape(s) -> Shape\nExpand(Cast, Shape) -> Expand\n"
          "DequantizeLinear(x, s, Expand) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2, 3), int8], %z: Tensor[(3), int32]", "qnn.dequantize(%x, 0.5f, %z)") ==
          "Cast(z) -> Cast\nDequantizeLinear(x, constant_1, Cast) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2), int32]", "qnn.dequantize(%x, 0.5f, 2)") ==
          "Cast(x) -> Cast\nCast(constant_1) -> Cast_1\nSub(Cast, Cast_1) -> Sub\nCast(constant) -> Cast_2\n"
          "Mul(Sub, Cast_2) -> Mul\nCast(Mul) -> out_0\n");
}

TEST_CASE("quantized_rules: 16 bits need version 21", "[relay][onnx][quantized_rules]") {
    const auto m = program_of("def @main(%x: Tensor[(2), float32]) { qnn.quantize(%x, 0.5f, 0, out_dtype=\"int16\") }");
    CHECK(model_of(model_bytes(m)).opset() == 21);
}

TEST_CASE("quantized_rules: forms that ONNX does not have", "[relay][onnx][quantized_rules]") {
    CHECK(refusal("%x: Tensor[(2), float32]", "qnn.quantize(%x, 0.5f, 0, out_dtype=\"int64\")") ==
          "cannot be written as ONNX: qnn.quantize: a result of int64; expected integers of 8, 16 or 32 bits");
    CHECK(refusal("%x: Tensor[(2, 3), int16], %w: Tensor[(4, 3), int16]",
                  "qnn.dense(%x, %w, 0, 0, 0.5f, 0.25f, units=4, out_dtype=\"int32\")") ==
          "cannot be written as ONNX: qnn.dense: a product of int16; expected 8-bit integers, summed in int32");
    CHECK(refusal("%x: Tensor[(2), float32]", "qnn.quantize(%x, 0.5f, 300, out_dtype=\"uint8\")") ==
          "cannot be written as ONNX: qnn.quantize: zero point 300 of uint8; expected a value of this type");
    CHECK(refusal("%x: Tensor[(2), int32]", "qnn.add(%x, %x, 1f, 0, 1f, 0, 1f, 0)") ==
          "cannot be written as ONNX: qnn.add: an operand of int32; expected integers of 8 or 16 bits");
    CHECK(refusal("%x: Tensor[(3, 3), int8], %w: Tensor[(4, 3), int8], %z: Tensor[(3), int32]",
                  "qnn.dense(%x, %w, %z, 0, 0.5f, 0.25f, units=4, out_dtype=\"int32\")") ==
          "cannot be written as ONNX: qnn.dense: several zero points of one operand; expected one");
    CHECK(refusal("%x: Tensor[(2, 3), int8], %s: Tensor[(3), float32]",
                  "qnn.concatenate((%x,), (%s,), (0,), 0.5f, 0, axis=0)") ==
          "cannot be written as ONNX: qnn.concatenate: a scale for each index; expected one for each tensor");
}
