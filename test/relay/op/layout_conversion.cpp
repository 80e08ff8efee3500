#include <tutti/relay/op/layout_conversion.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

/// Converts a call to the desired layouts. Returns the new call or the error.
std::string converted(std::string_view call, std::vector<std::string> desired) {
    relay::ir_module m =
        tutti::test::typed("def @main(%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(8, 8, 1, 1), float32], %d: "
                           "Tensor[(8, 1, 3, 3), float32], %i: Tensor[(8, 8, 3, 3), float32]) { " +
                           std::string(call) + " }");
    const relay::function& f = *m.find("main");
    const relay::expr_id e = f.graph.body(f.root);
    relay::graph to = f.graph.emptied();
    relay::layout_change c{&to, &f.graph, e, f.graph.called_op(e), f.graph.call_attributes(e), {}};
    try {
        relay::layout_conversions::standard::find (*c.op)(c, desired);
    } catch (const error& said) {
        return said.what();
    }
    const auto edit = c.edit();
    if (edit.has("layout"))
        return std::string(edit.text("layout")) + " " +
               std::string(edit.has("out_layout") ? edit.text("out_layout") : "");
    return std::string(edit.text("data_layout")) + " " + std::string(edit.text("kernel_layout"));
}

constexpr std::string_view conv2d = "nn.conv2d(%x, %w, padding=[0, 0, 0, 0])";

} // namespace

static_assert(relay::layout_conversion_set<relay::layout_conversions::standard>);

TEST_CASE("layout conversions: the weight's default goes with the data's layout", "[relay][transform]") {
    CHECK(converted(conv2d, {"NHWC", "default"}) == "NHWC HWIO");
    CHECK(converted(conv2d, {"NCHW", "default"}) == "NCHW OIHW");
    CHECK(converted(conv2d, {"HWNC", "default"}) == "HWNC HWOI");
    CHECK(converted(conv2d, {"NHWC", "OHWI"}) == "NHWC OHWI");
    CHECK(converted("nn.conv2d(%x, %d, padding=[0, 0, 0, 0], groups=8)", {"NHWC", "default"}) == "NHWC HWOI");
    CHECK(converted("nn.conv2d_transpose(%x, %i, padding=[0, 0, 0, 0])", {"NHWC", "default"}) == "NHWC HWIO");
    CHECK(converted("nn.conv2d_transpose(%x, %i, padding=[0, 0, 0, 0])", {"NHWC", "HWOI"}) == "NHWC HWOI");
}

TEST_CASE("layout conversions: an operator with one layout has it for its result too", "[relay][transform]") {
    CHECK(converted("nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0])", {"NHWC"}) == "NHWC NHWC");
    CHECK(converted("image.resize2d(%x, size=[2, 2], roi=[0f, 0f, 0f, 0f])", {"NHWC"}) == "NHWC ");
}

TEST_CASE("layout conversions: calls that the blocks do not divide keep their layouts", "[relay][transform]") {
    CHECK(converted(conv2d, {"NCHW4c", "OIHW4o"}) == "NCHW4c OIHW4o");
    CHECK(converted(conv2d, {"NCHW3c", "OIHW"}) == "NCHW OIHW");
    CHECK(converted(conv2d, {"NHWC4c", "HWIO3o"}) == "NCHW OIHW");
    CHECK(converted("nn.conv2d(%x, %d, padding=[0, 0, 0, 0], groups=8)", {"NCHW4c", "OIHW4i"}) == "NCHW OIHW");
    CHECK(converted("nn.conv2d_transpose(%x, %i, padding=[0, 0, 0, 0])", {"NCHW3c", "IOHW"}) == "NCHW OIHW");
}

TEST_CASE("layout conversions: say which layouts they cannot make", "[relay][transform]") {
    CHECK(converted(conv2d, {"NHWC"}) ==
          "ConvertLayout, nn.conv2d: the desired layouts [NHWC]; expected one for the data and one for the weight");
    CHECK(converted(conv2d, {"CHWN", "default"}) ==
          "ConvertLayout, nn.conv2d: the desired layouts [CHWN,default]; expected NCHW, NHWC "
          "or HWNC for the data, or a layout for the weight");
    CHECK(converted(conv2d, {"default", "OIHW"}) ==
          "ConvertLayout, nn.conv2d: the desired layouts [default,OIHW]; expected layouts such as NCHW and OIHW");
    CHECK(converted("nn.global_avg_pool2d(%x)", {"NN"}) ==
          "ConvertLayout, nn.global_avg_pool2d: the desired layouts [NN]; expected one such as NCHW");
}

TEST_CASE("layout conversions: are the operators' own", "[relay][transform]") {
    using relay::layout_conversions::standard;
    CHECK(standard::find(relay::definition<relay::op::qnn::conv2d>) == &relay::layout_conversions::convolution);
    CHECK(standard::find(relay::definition<relay::op::nn::relu>) == nullptr);
}
