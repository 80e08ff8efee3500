#include <tutti/relay/transform/layout/images_in.hpp>

#include <tutti/relay/transform/passes/alter_op_layout.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

// Four convolutions of an image with three channels. The second is depthwise, and the number of output channels of the
// last is not a multiple of 8.
constexpr std::string_view network = R"(
def @main(%x: Tensor[(1, 3, 12, 12), float32], %a: Tensor[(16, 3, 3, 3), float32], %b: Tensor[(16, 1, 3, 3), float32],
          %c: Tensor[(24, 16, 1, 1), float32], %d: Tensor[(10, 24, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %a, padding=[1, 1, 1, 1]);
  %1 = nn.relu(%0);
  %2 = nn.conv2d(%1, %b, padding=[1, 1, 1, 1], groups=16);
  %3 = nn.max_pool2d(%2, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0]);
  %4 = nn.conv2d(%3, %c, padding=[0, 0, 0, 0]);
  nn.conv2d(%4, %d, padding=[0, 0, 0, 0])
}
)";

std::size_t count(const std::string& text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
}

} // namespace

TEST_CASE("images_in: a network is converted to a layout once", "[relay][transform]") {
    const relay::ir_module before = test::typed(network);
    for (const std::string_view layout : {"NHWC", "NCHW8c"}) {
        const relay::ir_module after =
            test::after(before, relay::alter_op_layout_for(relay::images_in{.layout = layout}));
        const std::string text = relay::to_text(after);
        INFO(text);
        CHECK(count(text, "layout_transform(") == (layout == "NHWC" ? 2 : 1));
        CHECK(count(text, "nn.contrib_conv2d_NCHWc(") == (layout == "NHWC" ? 0 : 2));
        CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(after, 5)) < 1e-5);
    }
}

TEST_CASE("images_in: constants get the layout of the tensors that they are combined with", "[relay][transform]") {
    relay::ir_module before = test::typed(R"(
def @main(%x: Tensor[(1, 8, 6, 6), float32], %a: Tensor[(8, 8, 3, 3), float32], %b: Tensor[(8, 16, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %a, padding=[1, 1, 1, 1]);
  %1 = broadcast_to(2f, shape=[1, 8, 6, 6]);
  %2 = (%0, %1);
  %3 = concatenate(%2, axis=1);
  nn.conv2d(%3, %b, padding=[1, 1, 1, 1])
}
)");
    before = test::after(before, relay::fold_constant{});
    for (const std::string_view layout : {"NHWC", "NCHW8c"}) {
        const auto unfolded = test::after(before, relay::alter_op_layout_for(relay::images_in{.layout = layout}));
        const std::string text = relay::to_text(test::after(unfolded, relay::fold_constant{}));
        INFO(text);
        CHECK(count(text, "layout_transform(") == 2);
        CHECK(count(text, layout == "NHWC" ? "axis=3" : "axis=1") == 1);
        CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(unfolded, 5)) < 1e-5);
    }
}

TEST_CASE("images_in: leaves calls whose conversion does not pay", "[relay][transform]") {
    const relay::ir_module before = test::typed(network);
    const auto converted = [&](std::int64_t least) {
        const relay::images_in target{.layout = "NHWC", .least_products = least};
        return count(relay::to_text(test::after(before, relay::alter_op_layout_for(target))), "data_layout=\"NHWC\"");
    };
    CHECK(converted(0) == 4);
    // Per pixel, the first convolution has 27 * 16 products for 3 + 16 elements, or 22.7 products for each element. The
    // data of the other convolutions already has the layout.
    CHECK(converted(22) == 4);
    CHECK(converted(23) == 0);
    CHECK(relay::to_text(test::after(before, relay::alter_op_layout_for(relay::images_in{}))) ==
          relay::to_text(before));
}

TEST_CASE("images_in: grouped convolutions, and the operators between them, are unchanged", "[relay][transform]") {
    const relay::ir_module before = test::typed(R"(
def @main(%x: Tensor[(1, 32, 6, 6), float32], %a: Tensor[(32, 16, 1, 1), float32], %b: Tensor[(32, 1, 3, 3), float32],
          %c: Tensor[(32, 4, 3, 3), float32], %d: Tensor[(32, 16, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %a, padding=[0, 0, 0, 0], groups=2);
  %1 = nn.conv2d(%0, %b, padding=[1, 1, 1, 1], groups=32);
  %2 = nn.conv2d(%1, %c, padding=[1, 1, 1, 1], groups=8);
  nn.conv2d(%2, %d, padding=[1, 1, 1, 1], groups=2)
}
)");
    const auto converted = [&](std::string_view layout, std::int64_t least) {
        const relay::images_in target{.layout = layout, .least_products = least};
        const relay::ir_module after = test::after(before, relay::alter_op_layout_for(target));
        CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(after, 5)) < 1e-5);
        return count(relay::to_text(after), "data_layout=\"" + std::string(layout) + '"');
    };
    CHECK(converted("NCHW8c", 8) == 1); // a block would span two groups of the third convolution
    CHECK(converted("NCHW8c", 0) == 2);
    CHECK(converted("NHWC", 8) == 2); // the third has 18 products per element
    CHECK(converted("NHWC", 0) == 3);
}
