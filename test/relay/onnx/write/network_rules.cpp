#include <tutti/relay/onnx/write/network_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::string_view line = "%x: Tensor[(2, 4, 9), T]", image = "%x: Tensor[(2, 4, 8, 6), T]",
                           image_last = "%x: Tensor[(2, 8, 6, 4), T]", open_image = "%x: Tensor[(?, 4, 8, 6), T]",
                           volume = "%x: Tensor[(1, 2, 4, 6, 4), T]", volume_last = "%x: Tensor[(1, 4, 6, 4, 2), T]";
constexpr std::string_view floating = "float16 float32 float64";

constexpr round_trip rows[]{
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T]",
     "add(nn.conv1d(%x, %w, kernel_size=[3]), full(0.5f, shape=[4, 1]))", "float32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(1, 3), T]", "%0 = (nn.dense(%x, %w, units=None), %x); (add(2f, %0.0), %0.0)",
     "float32"},
    {line, "nn.adaptive_avg_pool1d(%x, output_size=[3])", "float32"},
    {line, "nn.adaptive_avg_pool1d(%x, output_size=[1])", "float32"},
    {image, "nn.adaptive_avg_pool2d(%x, output_size=[4, 2])", "float32"},
    {image_last, "nn.adaptive_avg_pool2d(%x, output_size=[1, 1], layout=\"NHWC\")", "float32"},
    {image_last, "nn.adaptive_avg_pool2d(%x, output_size=[2, 3], layout=\"NHWC\")", "float32"},
    {volume, "nn.adaptive_avg_pool3d(%x, output_size=[2, 2, 2])", "float32"},
    {volume_last, "nn.adaptive_avg_pool3d(%x, output_size=[1, 1, 1], layout=\"NDHWC\")", "float32"},
    {line, "nn.adaptive_max_pool1d(%x, output_size=[3])", "float32"},
    {image, "nn.adaptive_max_pool2d(%x, output_size=[1, 1])", "float32"},
    {image, "nn.adaptive_max_pool2d(%x)", "float32"},
    {image_last, "nn.adaptive_max_pool2d(%x, output_size=[4, 3], layout=\"NHWC\")", "float32"},
    {volume, "nn.adaptive_max_pool3d(%x, output_size=[4, 3, 1])", "float32"},
    {line, "nn.avg_pool1d(%x, pool_size=[3], strides=[2], padding=[1, 1])", floating},
    {image, "nn.avg_pool2d(%x, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1], count_include_pad=True)",
     "float32"},
    {image, "nn.avg_pool2d(%x, pool_size=[3, 3], strides=[2, 2], ceil_mode=True)", "float32"},
    {image_last, "nn.avg_pool2d(%x, pool_size=[2, 2], strides=[1, 2], padding=[1], layout=\"NHWC\")", "float32"},
    {image, "nn.avg_pool2d(%x, pool_size=[2, 2], dilation=[2, 2])", "float32"},
    {volume, "nn.avg_pool3d(%x, pool_size=[2, 3, 2], strides=[1, 2, 1])", "float32"},
    {volume_last, "nn.avg_pool3d(%x, pool_size=[2, 2, 2], layout=\"NDHWC\", out_layout=\"NCDHW\")", "float32"},
    {"%x: Tensor[(3, 2, 4), T], %y: Tensor[(3, 5, 4), T]", "nn.batch_matmul(%x, %y, transpose_b=True)", floating},
    {"%x: Tensor[(3, 4, 2), T], %y: Tensor[(1, 4, 5), T]",
     "nn.batch_matmul(%x, %y, transpose_a=True, "
     "transpose_b=False)",
     "float32 int32"},
    {"%x: Tensor[(3, 2, 4), T], %y: Tensor[(3, 5, 4), T]",
     "nn.batch_matmul(%x, %y, out_dtype=\"int32\", transpose_b=True)", "int8 uint8 int16"},
    {"%x: Tensor[(2, 3, 4), T], %g: Tensor[(3), T], %b: Tensor[(3), T], %m: Tensor[(3), T], %v: Tensor[(3), T]",
     "nn.batch_norm(%x, %g, %b, %m, %v).0", floating, elements::positive},
    {"%x: Tensor[(2, 4, 3), T], %g: Tensor[(3), T], %b: Tensor[(3), T], %m: Tensor[(3), T], %v: Tensor[(3), T]",
     "nn.batch_norm(%x, %g, %b, %m, %v, axis=-1, epsilon=0.01f64, center=False)", "float32", elements::positive},
    {"%x: Tensor[(3, 2, ?), T], %g: Tensor[(3), T], %b: Tensor[(3), T], %m: Tensor[(3), T], %v: Tensor[(3), T]",
     "nn.batch_norm(%x, %g, %b, %m, %v, axis=0, scale=False).0", "float32", elements::positive},
    {"%x: Tensor[(2, 3, 4), T], %b: Tensor[(3), T]", "nn.bias_add(%x, %b)", "float32 int32"},
    {"%x: Tensor[(2, 3, 4), T], %b: Tensor[(4), T]", "nn.bias_add(%x, %b, axis=-1)", "float32"},
    {"%x: Tensor[(?, 3, 2), T], %b: Tensor[(?), T]", "nn.bias_add(%x, %b, axis=0)", "float32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), T], %b: Tensor[(4), T]",
     "nn.bias_add(nn.dense(%x, %w, units=None), %b)", "float32"},
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "nn.bias_add(nn.conv1d(%x, %w, kernel_size=[3]), %b)", "float32"},
    {"%x: Tensor[(1, 3, 6), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "nn.bias_add(nn.conv1d(%x, %w, kernel_size=[3]), %b, axis=2)", "float32"},
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "%0 = nn.conv1d(%x, %w, kernel_size=[3]); (nn.bias_add(%0, %b), %0)", "float32"},
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "%0 = (nn.conv1d(%x, %w, kernel_size=[3]), %x); (nn.bias_add(%0.0, %b), %0.0)", "float32"},
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "%0 = nn.conv1d(%x, %w, kernel_size=[3]); (nn.bias_add(copy(%0), %b), %0)", "float32"},
    {"%x: Tensor[(1, 3, 9), T], %w: Tensor[(4, 3, 3), T], %b: Tensor[(4), T]",
     "let %f = fn (%p: Tensor[(1, 4, 7), T]) { nn.bias_add(%p, %b) }; %0 = nn.conv1d(%x, %w, kernel_size=[3]); "
     "(%f(%0), %0)",
     "float32"},
    {"%x: Tensor[(2, 4, 9), T], %w: Tensor[(6, 4, 3), T]",
     "nn.conv1d(%x, %w, strides=[2], padding=[1, 2], kernel_size=[3])", floating},
    {"%x: Tensor[(2, 9, 4), T], %w: Tensor[(3, 4, 6), T]",
     "nn.conv1d(%x, %w, kernel_size=[3], data_layout=\"NWC\", kernel_layout=\"WIO\")", "float32"},
    {"%x: Tensor[(2, 4, 5), T], %w: Tensor[(4, 6, 3), T]",
     "nn.conv1d_transpose(%x, %w, channels=6, kernel_size=[3], strides=[2], output_padding=[1], padding=[1, 1])",
     floating},
    {"%x: Tensor[(2, 4, 8, 6), T], %w: Tensor[(6, 4, 3, 2), T]",
     "nn.conv2d(%x, %w, padding=[1, 0, 2, 1], dilation=[2, 1], kernel_size=[3, 2])", floating},
    {"%x: Tensor[(?, 4, ?, ?), T], %w: Tensor[(6, 4, 3, 3), T]",
     "nn.conv2d(%x, %w, padding=[1, 1], kernel_size=[3, 3])", "float32"},
    {"%x: Tensor[(2, 4, 8, 6), T], %w: Tensor[(6, 2, 3, 3), T]",
     "nn.conv2d(%x, %w, strides=[2, 1], groups=2, kernel_size=[3, 3])", "float32"},
    {"%x: Tensor[(2, 8, 6, 4), T], %w: Tensor[(3, 3, 4, 5), T]",
     "nn.conv2d(%x, %w, kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\")", "float32"},
    {"%x: Tensor[(2, 8, 6, 4), T], %w: Tensor[(3, 3, 4, 2), T]",
     "nn.conv2d(%x, %w, groups=4, channels=8, kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWOI\")",
     "float32"},
    {"%x: Tensor[(2, 8, 6, 4), T], %w: Tensor[(5, 3, 3, 4), T]",
     "nn.conv2d(%x, %w, kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"OHWI\", out_layout=\"NCHW\")",
     "float32"},
    {"%x: Tensor[(2, 4, 8, 6), T], %w: Tensor[(6, 4, 3, 3), T]",
     "nn.conv2d(%x, %w, kernel_size=[3, 3], out_dtype=\"int32\")", "int8 uint8 int16"},
    {"%x: Tensor[(2, 4, 5, 4), T], %w: Tensor[(4, 3, 3, 2), T]",
     "nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 2], strides=[2, 3], padding=[1, 0], kernel_layout=\"IOHW\")",
     floating},
    {"%x: Tensor[(2, 5, 4, 4), T], %w: Tensor[(3, 2, 4, 3), T]",
     "nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 2], data_layout=\"NHWC\", kernel_layout=\"HWIO\")",
     "float32"},
    {"%x: Tensor[(2, 4, 5, 4), T], %w: Tensor[(4, 3, 3, 2), T]",
     "nn.conv2d_transpose(%x, %w, channels=6, kernel_size=[3, 2], groups=2, dilation=[1, 2], kernel_layout=\"IOHW\")",
     "float32"},
    {"%x: Tensor[(2, 4, 5, 4), T], %w: Tensor[(3, 4, 3, 2), T]",
     "nn.conv2d_transpose(%x, %w, channels=3, kernel_size=[3, 2])", floating},
    {"%x: Tensor[(2, 4, 5, 4), T], %w: Tensor[(3, 4, 3, 2), T]",
     "nn.conv2d_transpose(%x, %w, channels=6, kernel_size=[3, 2], groups=2)", "float32"},
    {"%x: Tensor[(1, 2, 4, 5, 6), T], %w: Tensor[(3, 2, 2, 3, 2), T]",
     "nn.conv3d(%x, %w, strides=[1, 2, 1], padding=[1, 0, 1], kernel_size=[2, 3, 2])", "float32"},
    {"%x: Tensor[(1, 4, 5, 6, 2), T], %w: Tensor[(2, 3, 2, 2, 3), T]",
     "nn.conv3d(%x, %w, kernel_size=[2, 3, 2], data_layout=\"NDHWC\", kernel_layout=\"DHWIO\")", "float32"},
    {"%x: Tensor[(1, 2, 3, 4, 3), T], %w: Tensor[(2, 3, 2, 3, 2), T]",
     "nn.conv3d_transpose(%x, %w, channels=3, kernel_size=[2, 3, 2], strides=[2, 1, 2])", "float32"},
    {"%x: Tensor[(1, 4, 5, 5), T], %o: Tensor[(1, 18, 3, 3), T], %w: Tensor[(2, 4, 3, 3), T]",
     "nn.deformable_conv2d(%x, multiply(%o, 0f), %w, kernel_size=[3, 3])", "float32"},
    {"%x: Tensor[(1, 4, 5, 5), T], %o: Tensor[(1, 36, 5, 5), T], %w: Tensor[(2, 2, 3, 3), T]",
     "nn.deformable_conv2d(%x, multiply(%o, 0f), %w, padding=[1, 1], deformable_groups=2, groups=2, kernel_size=[3, 3])",
     "float32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), T]", "nn.dense(%x, %w, units=None)", "float16 float32 float64 int32"},
    {"%x: Tensor[(5, ?, 3), T], %w: Tensor[(4, 3), T]", "nn.dense(%x, %w, units=4)", "float32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(4, 3), T]", "nn.dense(%x, %w, units=None, out_dtype=\"int32\")",
     "int8 uint8 int16"},
    {"%x: Tensor[(2, 3), float16], %w: Tensor[(4, 3), float16]", "nn.dense(%x, %w, units=None, out_dtype=\"float32\")"},
    {image, "nn.dropout(%x).0", "float32"},
    {open_image, "nn.dropout(%x, rate=0.25f64)", "float32"},
    {image, "nn.fast_softmax(%x, axis=1)", "float32"},
    {image, "nn.global_avg_pool2d(%x)", "float32"},
    {image_last, "nn.global_avg_pool2d(%x, layout=\"NHWC\")", "float32"},
    {open_image, "nn.global_max_pool2d(%x)", "float32"},
    {image_last, "nn.global_max_pool2d(%x, layout=\"NHWC\", out_layout=\"NCHW\")", "float32"},
    {"%x: Tensor[(2, 6, 3, 2), T], %g: Tensor[(6), T], %b: Tensor[(6), T]", "nn.group_norm(%x, %g, %b, num_groups=2)",
     "float32"},
    {"%x: Tensor[(2, 6, 4), T], %g: Tensor[(6), T], %b: Tensor[(6), T]",
     "nn.group_norm(%x, %g, %b, num_groups=3, epsilon=0.01f64, center=False)", "float32"},
    {"%x: Tensor[(2, 6, 4), T], %g: Tensor[(6), T], %b: Tensor[(6), T]",
     "nn.group_norm(%x, %g, %b, num_groups=6, scale=False)", "float32"},
    {"%x: Tensor[(2, 3, 4, 2), T], %g: Tensor[(3), T], %b: Tensor[(3), T]", "nn.instance_norm(%x, %g, %b)", "float32"},
    {"%x: Tensor[(2, ?, 4, 3), T], %g: Tensor[(3), T], %b: Tensor[(3), T]",
     "nn.instance_norm(%x, %g, %b, axis=-1, epsilon=0.1f64, scale=False)", "float32"},
    {image, "nn.l2_normalize(%x, eps=0.0001f64, axis=[1])", "float32"},
    {open_image, "nn.l2_normalize(%x, eps=0.5f64, axis=[-1, 1])", "float32 float64"},
    {image, "nn.l2_normalize(%x, eps=0.5f64, axis=None)", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %g: Tensor[(4), T], %b: Tensor[(4), T]", "nn.layer_norm(%x, %g, %b)",
     "float16 float32"},
    {"%x: Tensor[(2, ?, 4), T], %g: Tensor[(4), T], %b: Tensor[(4), T]",
     "nn.layer_norm(%x, %g, %b, axis=2, epsilon=0.1f64, center=False)", "float32"},
    {"%x: Tensor[(2, 4), T], %g: Tensor[(4), T], %b: Tensor[(4), T]", "nn.layer_norm(%x, %g, %b, scale=False)",
     "float32"},
    {image, "nn.log_softmax(%x)", floating},
    {open_image, "nn.log_softmax(%x, axis=1)", "float32"},
    {image, "nn.lrn(%x, size=3, bias=2f64, alpha=0.5f64, beta=0.75f64)", "float32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(3, 4), T]", "nn.matmul(%x, %w, units=None)", floating},
    {"%x: Tensor[(3, 2), T], %w: Tensor[(4, 3), T]",
     "nn.matmul(%x, %w, units=None, transpose_a=True, transpose_b=True)", "float32 float64 int32"},
    {"%x: Tensor[(3, 2), T], %w: Tensor[(3, 4), T]",
     "nn.matmul(%x, %w, units=None, out_dtype=\"int32\", transpose_a=True)", "int8 uint8"},
    {"%x: Tensor[(5, 2, 3), T], %w: Tensor[(3, 4), T]", "nn.matmul(%x, %w, units=4)", "float32"},
    {line, "nn.max_pool1d(%x, pool_size=[3], strides=[2], padding=[1, 1])", floating},
    {image, "nn.max_pool2d(%x, pool_size=[3, 2], strides=[2, 2], padding=[1, 0, 1, 1])", "float32 int8 uint8 int32"},
    {image, "nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], dilation=[2, 1], ceil_mode=True)", "float32"},
    {image_last, "nn.max_pool2d(%x, pool_size=[2, 2], strides=[1, 2], padding=[1], layout=\"NHWC\")", "float32"},
    {volume, "nn.max_pool3d(%x, pool_size=[2, 3, 2], strides=[1, 2, 1])", "float32"},
    {volume_last, "nn.max_pool3d(%x, pool_size=[2, 2, 2], layout=\"NDHWC\")", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %a: Tensor[(3), T]", "nn.prelu(%x, %a)", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %a: Tensor[(4), T]", "nn.prelu(%x, %a, axis=-1)", "float32"},
    {image, "nn.softmax(%x)", floating},
    {open_image, "nn.softmax(%x, axis=-3)", "float32"},
};

std::string nodes(const std::string& parameters, const std::string& body) {
    return nodes_of(program_of("def @main(" + parameters + ") { " + body + " }"));
}
std::string refusal(const std::string& parameters, const std::string& body) {
    return refused([&] { nodes(parameters, body); });
}

} // namespace

TEST_CASE("network_rules: written operators compute the same", "[relay][onnx][network_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("network_rules: every rule has a program", "[relay][onnx][network_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::network_rules, rows) == "");
}

TEST_CASE("network_rules: a layer takes its bias", "[relay][onnx][network_rules]") {
    const std::string conv = "%x: Tensor[(1, 3, 9), float32], %w: Tensor[(4, 3, 3), float32], %b: Tensor[(4), float32]";
    CHECK(nodes(conv, "nn.bias_add(nn.conv1d(%x, %w, kernel_size=[3]), %b)") == "Conv(x, w, b) -> out_0\n");
    CHECK(nodes(conv, "nn.bias_add(nn.bias_add(nn.conv1d(%x, %w, kernel_size=[3]), %b), %b)") ==
          "Conv(x, w, b) -> Conv\nReshape(b, constant) -> Reshape\nAdd(Conv, Reshape) -> out_0\n");
    CHECK(nodes(conv, "%0 = nn.conv1d(%x, %w, kernel_size=[3]); (%0, nn.bias_add(%0, %b))") ==
          "Conv(x, w) -> out_0\nReshape(b, constant) -> Reshape\nAdd(out_0, Reshape) -> out_1\n");
    const std::string dense = "%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %b: Tensor[(4), float32]";
    CHECK(nodes(dense, "nn.bias_add(nn.dense(%x, %w, units=None), %b)") == "Gemm(x, w, b) -> out_0\n");
    CHECK(nodes(dense, "nn.dense(%x, %w, units=None)") == "Gemm(x, w) -> out_0\n");
}

TEST_CASE("network_rules: products without transposed arguments", "[relay][onnx][network_rules]") {
    CHECK(nodes("%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4), float32]", "nn.matmul(%x, %w, units=None)") ==
          "MatMul(x, w) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2, 3), int8], %w: Tensor[(4, 3), int8]",
                "nn.dense(%x, %w, units=None, out_dtype=\"int32\")") ==
          "Transpose(w) -> Transpose\nMatMulInteger(x, Transpose) -> out_0\n");
}

TEST_CASE("network_rules: other layouts are transposed", "[relay][onnx][network_rules]") {
    CHECK(nodes("%x: Tensor[(2, 8, 6, 4), float32]", "nn.max_pool2d(%x, pool_size=[2, 2], layout=\"NHWC\")") ==
          "Transpose(x) -> Transpose\nMaxPool(Transpose) -> MaxPool\nTranspose(MaxPool) -> out_0\n");
    CHECK(nodes("%x: Tensor[(2, 4, 8, 6), float32]", "nn.max_pool2d(%x, pool_size=[2, 2])") == "MaxPool(x) -> out_0\n");
}

TEST_CASE("network_rules: forms that ONNX does not have", "[relay][onnx][network_rules]") {
    CHECK(
        refusal("%x: Tensor[(1, 2, 7, 6), float32]", "nn.adaptive_avg_pool2d(%x, output_size=[3, 2])") ==
        "cannot be written as ONNX: nn.adaptive_avg_pool2d: windows of different or unknown sizes; expected known sizes that the "
        "result's divide");
    CHECK(refusal("%x: Tensor[(2, 3, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32]",
                  "nn.layer_norm(%x, %g, %b, axis=1)") ==
          "cannot be written as ONNX: nn.layer_norm: an axis before the last; expected the last");
    CHECK(refusal("%x: Tensor[(2, 3, 4), float32]", "nn.lrn(%x, axis=2)") ==
          "cannot be written as ONNX: nn.lrn: an axis other than the second; expected axis=1");
}
