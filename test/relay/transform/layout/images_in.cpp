#include <tutti/relay/transform/layout/images_in.hpp>

#include <tutti/relay/transform/passes/alter_op_layout.hpp>

#include "catch.hpp"
#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

// A picture of three channels, two convolutions, the second of each channel by itself, one that blocks of 8 do not divide.
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

TEST_CASE("images_in: a network is brought into a layout once", "[relay][transform]") {
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

TEST_CASE("images_in: what would not be worth it stays", "[relay][transform]") {
    const relay::ir_module before = test::typed(network);
    const auto converted = [&](std::int64_t least) {
        const relay::images_in target{.layout = "NHWC", .least_products = least};
        return count(relay::to_text(test::after(before, relay::alter_op_layout_for(target))), "data_layout=\"NHWC\"");
    };
    CHECK(converted(0) == 4);
    CHECK(converted(6) == 3); // 9 products for each of as many elements as go in and come out are 4.5
    CHECK(converted(1000) == 0);
    CHECK(relay::to_text(test::after(before, relay::alter_op_layout_for(relay::images_in{}))) ==
          relay::to_text(before));
}
