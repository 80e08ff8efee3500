#include <tutti/relay/onnx/ops/convolution.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("convolution: padding as it follows from SAME_UPPER", "[relay][onnx][convolution]") {
    made_model m;
    m.input("x", {1, 3, 7, 8})
        .initializer(float_tensor("w", {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}))
        .input("b", {2})
        .node("Conv", {"x", "w", "b"}, {"y"},
              {text_attribute("auto_pad", "SAME_UPPER"), integers_attribute("strides", {2, 2})})
        .output("y");
    CHECK(
        imported_body(m) ==
        R"(%0 = nn.conv2d(%x, meta[relay.Constant][0], strides=[2, 2], padding=[0, 0, 0, 0], channels=2, kernel_size=[1, 1]);
nn.bias_add(%0, %b))");
}

TEST_CASE("convolution: one spatial axis, groups", "[relay][onnx][convolution]") {
    made_model m;
    m.input("x", {1, 2, 7})
        .input("w", {4, 1, 3})
        .node("Conv", {"x", "w"}, {"y"}, {integers_attribute("pads", {1, 2}), integer_attribute("group", 2)})
        .output("y");
    CHECK(imported_body(m) == R"(nn.conv1d(%x, %w, padding=[1, 2], groups=2, channels=4, kernel_size=[3]))");
}

TEST_CASE("convolution: a result of the requested size", "[relay][onnx][convolution]") {
    made_model m;
    m.input("x", {1, 2, 3, 3})
        .input("w", {2, 4, 3, 3})
        .node("ConvTranspose", {"x", "w"}, {"y"},
              {integers_attribute("output_shape", {6, 7}), integers_attribute("strides", {2, 2})})
        .output("y");
    CHECK(
        imported_body(m) ==
        R"(nn.conv2d_transpose(%x, %w, channels=4, kernel_size=[3, 3], strides=[2, 2], padding=[1, 0, 0, 0], kernel_layout="IOHW"))");
}

TEST_CASE("convolution: lists of other lengths are refused", "[relay][onnx][convolution]") {
    made_model m;
    m.input("x", {1, 2, 7})
        .input("w", {4, 1, 3})
        .node("Conv", {"x", "w"}, {"y"}, {integers_attribute("pads", {1, 2, 3})})
        .output("y");
    CHECK(import_refused(m) == "m.onnx, node `y` (Conv): attribute `pads` of 3 numbers; expected 2");
}

TEST_CASE("convolution: of moved places, without a mask", "[relay][onnx][convolution]") {
    const auto deformed = [](bool masked) {
        made_model m;
        m.opset = 19;
        m.input("x", {1, 1, 3, 3}).input("w", {1, 1, 2, 2}).input("o", {1, 8, 2, 2}).input("k", {1, 4, 2, 2});
        if (masked) return m.node("DeformConv", {"x", "w", "o", "", "k"}, {"y"}, {}, "d").output("y");
        return m.node("DeformConv", {"x", "w", "o"}, {"y"}, {}, "d").output("y");
    };
    CHECK(import_refused(deformed(true)) == "m.onnx, node `d` (DeformConv): a mask; expected none");
    CHECK(imported_body(deformed(false)) ==
          R"(nn.deformable_conv2d(%x, %o, %w, padding=[0, 0, 0, 0], channels=1, kernel_size=[2, 2]))");
}
