#include <tutti/relay/onnx/ops/convolution.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

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

TEST_CASE("convolution: with a sum and an activation, as ONNX Runtime writes it", "[relay][onnx][convolution]") {
    const auto fused = [](std::initializer_list<wire> attributes, bool adds = false) {
        made_model m;
        m.input("x", {1, 2, 7}).input("w", {4, 2, 3}).input("z", {1, 4, 5});
        if (adds)
            m.node("FusedConv", {"x", "w", "", "z"}, {"y"}, attributes, "f", "com.microsoft");
        else
            m.node("FusedConv", {"x", "w"}, {"y"}, attributes, "f", "com.microsoft");
        return m.output("y");
    };
    const auto numbers = [](float a, float b) {
        return wire().text(1, "activation_params").real(7, a).real(7, b).number(20, 6);
    };
    const std::string conv = "%0 = nn.conv1d(%x, %w, channels=4, kernel_size=[3]);\n";
    CHECK(imported_body(fused({})) == conv.substr(5, conv.size() - 7));
    CHECK(imported_body(fused({text_attribute("activation", "Relu")}, true)) ==
          conv + "%1 = add(%0, %z);\nnn.relu(%1)");
    CHECK(imported_body(fused({text_attribute("activation", "LeakyRelu"), numbers(0.5F, 0)})) ==
          conv + "nn.leaky_relu(%0, alpha=0.5f)");
    CHECK(imported_body(fused({text_attribute("activation", "Clip"), numbers(0, 6)})) ==
          conv + "clip(%0, a_min=0f, a_max=6f)");
    CHECK(import_refused(fused({text_attribute("activation", "Clip")})) ==
          "m.onnx, node `f` (FusedConv): missing activation parameters; expected those of Clip");
    CHECK(
        import_refused(fused({text_attribute("activation", "Elu")})) ==
        "m.onnx, node `f` (FusedConv): activation `Elu`; expected Relu, Sigmoid, Tanh, LeakyRelu, Clip or HardSigmoid");
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

namespace {

// Returns a tensor of small multiples of 1/4. As coordinates, some of them are outside of an image.
tensor quarters(std::initializer_list<std::int64_t> shape, std::int64_t step) {
    tensor t(dtype::float32, shape);
    for (std::int64_t i = 0; i < t.size(); ++i)
        t.mutable_data<float>()[i] = static_cast<float>(i * step % 23 - 11) * 0.25F;
    return t;
}

// Returns the value of an image at a point, interpolated between pixels. The image is surrounded by zeros.
float between(const float* image, std::int64_t height, std::int64_t width, float y, float x) {
    float sum = 0;
    for (std::int64_t i = 0; i < height; ++i)
        for (std::int64_t j = 0; j < width; ++j)
            sum += image[i * width + j] * std::max(0.F, 1 - std::abs(y - static_cast<float>(i))) *
                   std::max(0.F, 1 - std::abs(x - static_cast<float>(j)));
    return sum;
}

made_model deformed(std::initializer_list<std::int64_t> data, std::initializer_list<std::int64_t> weight,
                    std::initializer_list<std::int64_t> offset, std::initializer_list<std::int64_t> mask,
                    std::initializer_list<wire> attributes = {}) {
    made_model m;
    m.opset = 19;
    m.input("x", data).input("w", weight).input("o", offset);
    if (mask.size() == 0) return m.node("DeformConv", {"x", "w", "o"}, {"y"}, attributes, "d").output("y");
    return m.input("b", {4})
        .input("m", mask)
        .node("DeformConv", {"x", "w", "o", "b", "m"}, {"y"}, attributes, "d")
        .output("y");
}

} // namespace

TEST_CASE("convolution: of places that are moved, and weighted by a mask", "[relay][onnx][convolution]") {
    // There are two groups of channels and three of offsets. Images have 5 x 4 pixels, windows 2 x 3, and results 3 x
    // 3.
    const tensor x = quarters({2, 6, 5, 4}, 5), w = quarters({4, 3, 2, 3}, 7), o = quarters({2, 36, 3, 3}, 3);
    const tensor b = quarters({4}, 1), m = quarters({2, 18, 3, 3}, 9);
    const tensor y = result_of(deformed({-1, 6, 5, 4}, {4, 3, 2, 3}, {-1, 36, 3, 3}, {-1, 18, 3, 3},
                                        {integer_attribute("group", 2), integer_attribute("offset_group", 3),
                                         integers_attribute("strides", {2, 1}), integers_attribute("dilations", {1, 2}),
                                         integers_attribute("pads", {1, 2, 0, 1})}),
                               {x, w, o, b, m});
    REQUIRE(shape_and_floats(y).shape == std::vector<std::int64_t>{2, 4, 3, 3});
    for (std::int64_t n = 0; n < 2; ++n)
        for (std::int64_t out = 0; out < 4; ++out)
            for (std::int64_t place = 0; place < 9; ++place) {
                float sum = b.data<float>()[out];
                for (std::int64_t c = 0; c < 3; ++c)
                    for (std::int64_t cell = 0; cell < 6; ++cell) {
                        const std::int64_t channel = out / 2 * 3 + c, moved = (n * 3 + channel / 2) * 6 + cell;
                        const float* const move = o.data<float>() + moved * 18 + place;
                        const auto row = static_cast<float>(place / 3 * 2 - 1 + cell / 3);
                        const auto column = static_cast<float>(place % 3 - 2 + cell % 3 * 2);
                        sum +=
                            between(x.data<float>() + (n * 6 + channel) * 20, 5, 4, row + move[0], column + move[9]) *
                            m.data<float>()[moved * 9 + place] * w.data<float>()[(out * 3 + c) * 6 + cell];
                    }
                CAPTURE(n, out, place);
                CHECK(std::abs(y.data<float>()[(n * 4 + out) * 9 + place] - sum) < 1e-3F);
            }
}

TEST_CASE("convolution: of places in a volume that are not moved", "[relay][onnx][convolution]") {
    const tensor x = quarters({1, 2, 3, 4, 5}, 5), w = quarters({3, 2, 2, 2, 2}, 7);
    made_model plain;
    plain.input("x", {1, 2, 3, 4, 5}).input("w", {3, 2, 2, 2, 2}).node("Conv", {"x", "w"}, {"y"}).output("y");
    const tensor still(dtype::float32, {1, 24, 2, 3, 4});
    const shape_and_floats moved(
        result_of(deformed({1, 2, 3, 4, 5}, {3, 2, 2, 2, 2}, {1, 24, 2, 3, 4}, {}), {x, w, still}));
    const shape_and_floats expected(result_of(plain, {x, w}));
    REQUIRE(moved.shape == expected.shape);
    for (std::size_t i = 0; i < moved.elements.size(); ++i)
        CHECK(std::abs(moved.elements[i] - expected.elements[i]) < 1e-3F);
}

TEST_CASE("convolution: of moved places, with operands that do not fit", "[relay][onnx][convolution]") {
    const auto groups = [](std::int64_t n) { return integer_attribute("offset_group", n); };
    CHECK(import_refused(deformed({1, 1, 3, 3}, {1, 1, 2, 2}, {1, 8, 3, 2}, {})) ==
          "m.onnx, node `d` (DeformConv): offsets of type Tensor[(1, 8, 3, 2), float32]; expected Tensor[(1, 8, 2, 2), "
          "float32]");
    CHECK(import_refused(deformed({1, 4, 3, 3}, {1, 4, 2, 2}, {1, 16, 2, 2}, {1, 4, 2, 2}, {groups(2)})) ==
          "m.onnx, node `d` (DeformConv): a mask of type Tensor[(1, 4, 2, 2), float32]; expected Tensor[(1, 8, 2, 2), "
          "float32]");
    CHECK(import_refused(deformed({1, 4, 3, 3}, {1, 4, 2, 2}, {1, 24, 2, 2}, {}, {groups(3)})) ==
          "m.onnx, node `d` (DeformConv): 3 groups of offsets for 4 channels; expected groups of the same size");
    CHECK(import_refused(deformed({1, 0, 3, 3}, {1, 0, 2, 2}, {1, 24, 2, 2}, {}, {groups(std::int64_t{1} << 60)})) ==
          "m.onnx, node `d` (DeformConv): 1152921504606846975 groups of offsets for 0 channels; expected groups of the "
          "same size");
    CHECK(import_refused(deformed({1, 1, 9}, {1, 1, 2}, {1, 2, 8}, {})) ==
          "m.onnx, node `d` (DeformConv): a deformable convolution over 1 axes; expected 2 or 3");
    CHECK(import_refused(deformed({1, 1, 3}, {1, 1, 2, 2}, {1, 8, 2, 2}, {})) ==
          "m.onnx, node `d` (DeformConv): data of rank 3 and offsets of rank 4; expected 4, as the weight has");
    CHECK(import_refused(deformed({1, 1, 3, 3}, {1, 1, 2, 4}, {1, 16, 2, 1}, {})) ==
          "m.onnx, node `d` (DeformConv): a window of 4 elements on an axis of 3; expected an axis that is as long");
    CHECK(import_refused(deformed({1, 1, -1, 3}, {1, 1, 2, 2}, {1, 8, 2, 2}, {})) ==
          "m.onnx, node `d` (DeformConv): the size of axis 2 is not known; expected a size for dimension `a` in "
          "import_options::dims");
    const std::int64_t many = 1 << 26;
    CHECK(import_refused(deformed({1, 1, many, 1}, {1, 1, 1, 1}, {1, 2, many, 1}, {})) ==
          "m.onnx, node `d` (DeformConv): an axis of 67108864 elements; expected 2^24 at most");
}
