#include <tutti/relay/op/conv.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <optional>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

namespace {

std::string type(const dims& data, const dims& weight, const relay::conv2d_attributes& a = {}) {
    relay::builder b;
    return inferred(b, relay::nn::conv2d(b.variable("data", data), b.variable("weight", weight), a));
}

std::string refused(const dims& data, const dims& weight, const relay::conv2d_attributes& a = {}) {
    relay::builder b;
    return inference_refusal(b, relay::nn::conv2d(b.variable("data", data), b.variable("weight", weight), a));
}

} // namespace

TEST_CASE("conv2d: the result's size follows window, padding, stride and dilation", "[relay][conv]") {
    CHECK(type({1, 3, 224, 224}, {64, 3, 7, 7}, {.strides = {2, 2}, .padding = {3, 3}}) ==
          "Tensor[(1, 64, 112, 112), float32]");
    CHECK(type({2, 4, 5, 6}, {8, 4, 3, 2}) == "Tensor[(2, 8, 3, 5), float32]");
    CHECK(type({1, 1, 7, 7}, {1, 1, 3, 3}, {.dilation = {2, 3}}) == "Tensor[(1, 1, 3, 1), float32]");
    CHECK(type({1, 1, 5, 5}, {1, 1, 3, 3}, {.padding = {1, 0, 2, 1}}) == "Tensor[(1, 1, 6, 4), float32]");
    CHECK(type({1, 1, 5, 5}, {1, 1, 5, 5}) == "Tensor[(1, 1, 1, 1), float32]");
}

TEST_CASE("conv2d: padding is written out for four sides", "[relay][conv]") {
    const auto padding = [](const dims& given) {
        relay::builder b;
        const auto e = relay::nn::conv2d(b.variable("x"), b.variable("w"), {.padding = given});
        return relay::get_attributes<relay::conv2d_attributes>(b.graph(), b.graph().call_attributes(e.id)).padding;
    };
    CHECK(padding({1}) == dims{1, 1, 1, 1});
    CHECK(padding({1, 2}) == dims{1, 2, 1, 2});
    CHECK(padding({1, 2, 3, 4}) == dims{1, 2, 3, 4});
}

TEST_CASE("conv2d: groups divide the channels", "[relay][conv]") {
    CHECK(type({1, 4, 3, 3}, {6, 2, 1, 1}, {.groups = 2}) == "Tensor[(1, 6, 3, 3), float32]");
    CHECK(type({1, 4, 3, 3}, {4, 1, 3, 3}, {.groups = 4}) == "Tensor[(1, 4, 1, 1), float32]");
    CHECK(
        refused({1, 5, 3, 3}, {6, 2, 1, 1}, {.groups = 2}) ==
        "@main: nn.conv2d, argument `data`: Tensor[(1, 5, 3, 3), float32] does not fit `weight`, Tensor[(6, 2, 1, 1), float32]; "
        "expected a number of channels that the groups divide");
    CHECK_THAT(refused({1, 4, 3, 3}, {6, 2, 1, 1}, {.groups = 0}), Contains("nn.conv2d, attribute `groups`"));
}

TEST_CASE("conv2d: a channel by itself may become several", "[relay][conv]") {
    const auto of = [](dim channels) {
        return relay::conv2d_attributes{.groups = 4, .channels = channels, .kernel_size = dims{3, 3}};
    };
    CHECK(type({1, 4, 8, 8}, {4, 2, 3, 3}, of(8)) == "Tensor[(1, 8, 6, 6), float32]");
    CHECK(type({1, 4, 8, 8}, {8, 1, 3, 3}, of(8)) == "Tensor[(1, 8, 6, 6), float32]");
    CHECK(type({1, 4, 8, 8}, {4, 1, 3, 3}, of(4)) == "Tensor[(1, 4, 6, 6), float32]");
    relay::conv2d_attributes last = of(12);
    last.data_layout = "NHWC";
    last.kernel_layout = "HWOI";
    CHECK(type({1, 8, 8, 4}, {3, 3, 4, 3}, last) == "Tensor[(1, 6, 6, 12), float32]");
    CHECK_THAT(refused({1, 4, 8, 8}, {4, 2, 3, 3}, of(12)), Contains("expected Tensor[(4, 3, 3, 3), float32]"));
    CHECK_THAT(refused({1, 4, 8, 8}, {4, 2, 3, 3}, {.groups = 4}), Contains("expected Tensor[(4, 1, 3, 3), float32]"));
}

TEST_CASE("conv2d: open sizes fit a channel by itself that becomes several", "[relay][conv]") {
    const relay::conv2d_attributes eight{.groups = 4, .channels = dim(8), .kernel_size = dims{3, 3}};
    const dim any = dim::any();
    CHECK(type({any, any, any, any}, {4, 2, 3, 3}, eight) == "Tensor[(?, 8, ?, ?), float32]");
    CHECK(type({1, 4, 8, 8}, {any, 2, any, 3}, eight) == "Tensor[(1, 8, 6, 6), float32]");
    CHECK(type({1, any, 8, 8}, {8, 2, 3, 3}, eight) == "Tensor[(1, 8, 6, 6), float32]"); // 4 groups of two channels
    CHECK(type({1, 4, 8, 8}, {any, 1, 3, 3}, eight) == "Tensor[(1, 8, 6, 6), float32]");
    CHECK_THAT(refused({1, any, 8, 8}, {4, 3, 3, 3}, eight), Contains("expected Tensor[(4, 2, 3, 3), float32]"));
    CHECK_THAT(refused({1, 4, 8, 8}, {any, 3, 3, 3}, eight), Contains("expected Tensor[(4, 2, 3, 3), float32]"));
}

TEST_CASE("conv2d: layouts say where the axes are", "[relay][conv]") {
    CHECK(type({1, 5, 6, 3}, {3, 3, 3, 8}, {.data_layout = "NHWC", .kernel_layout = "HWIO"}) ==
          "Tensor[(1, 3, 4, 8), float32]");
    CHECK(type({1, 4, 56, 56, 16}, {64, 64, 3, 3}, {.data_layout = "NCHW16c"}) ==
          "Tensor[(1, 4, 54, 54, 16), float32]");
    CHECK(type({1, 3, 5, 5}, {8, 3, 1, 1}, {.out_layout = "NHWC"}) == "Tensor[(1, 5, 5, 8), float32]");
    CHECK(type({1, 3, 5, 5}, {8, 3, 1, 1}, {.out_dtype = relay::dtype::int32}) == "Tensor[(1, 8, 5, 5), int32]");
}

TEST_CASE("conv2d: layouts that do not fit are refused", "[relay][conv]") {
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.data_layout = "NCH"}),
               Contains("attribute `data_layout`: \"NCH\""));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.kernel_layout = "NCHW"}), Contains("attribute `kernel_layout`"));
    CHECK_THAT(refused({1, 3, 5}, {8, 3, 1, 1}), Contains("expected a tensor of layout NCHW"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1}), Contains("expected a tensor of layout OIHW"));
    CHECK_THAT(refused({1, 4, 5, 5, 8}, {64, 64, 1, 1}, {.data_layout = "NCHW16c"}),
               Contains("expected a tensor of layout NCHW16c"));
    CHECK(
        refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.out_layout = "NCHW16c"}) ==
        "@main: nn.conv2d, attribute `out_layout`: blocks of 16 along an axis of size 8; expected blocks that divide it");
}

TEST_CASE("conv2d: a wrong number of channels is refused with operator, argument and both shapes", "[relay][conv]") {
    CHECK(refused({1, 3, 8, 8}, {16, 4, 3, 3}) ==
          "@main: nn.conv2d, argument `weight`: Tensor[(16, 4, 3, 3), float32] does not fit `data`, "
          "Tensor[(1, 3, 8, 8), float32]; expected Tensor[(16, 3, 3, 3), float32]");
    CHECK_THAT(refused({1, 3, 8, 8}, {16, 3, 3, 3}, {.channels = dim(8)}),
               Contains("expected Tensor[(8, 3, 3, 3), float32]"));
    CHECK_THAT(refused({1, 3, 8, 8}, {16, 3, 3, 3}, {.kernel_size = dims{5, 3}}),
               Contains("expected Tensor[(16, 3, 5, 3), float32]"));
}

TEST_CASE("conv2d: windows that do not fit, and attributes without sense, are refused", "[relay][conv]") {
    CHECK_THAT(refused({1, 3, 2, 2}, {8, 3, 3, 3}),
               Contains("argument `data`") && Contains("at least the size of the window"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 0, 1}), Contains("argument `weight`"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.strides = {0, 1}}), Contains("attribute `strides`"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.strides = {1}}),
               Contains("attribute `strides`: 1 numbers; expected 2"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.dilation = {1, 0}}), Contains("attribute `dilation`"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.padding = {1, 1, 1}}), Contains("attribute `padding`: 3 numbers"));
    CHECK_THAT(refused({1, 3, 5, 5}, {8, 3, 1, 1}, {.kernel_size = dims{1}}), Contains("attribute `kernel_size`"));
}

TEST_CASE("conv2d: unknown dimensions stay unknown, and fit", "[relay][conv]") {
    const dim any = dim::any();
    CHECK(type({any, 3, any, 8}, {16, 3, 3, 3}) == "Tensor[(?, 16, ?, 6), float32]");
    CHECK(type({1, any, 8, 8}, {16, 3, 3, 3}) == "Tensor[(1, 16, 6, 6), float32]");
    CHECK(type({1, 3, 8, 8}, {any, 3, any, 3}) == "Tensor[(1, ?, ?, 6), float32]");
    CHECK(type({1, dim::wide(3), 8, 8}, {16, 3, 3, 3}) == "Tensor[(1, 16, 6, 6), float32]");
}

TEST_CASE("conv2d: gives an unannotated weight its type", "[relay][conv]") {
    relay::builder b;
    const auto x = b.variable("x", {1, 6, 8, 8});
    const auto w = b.variable("w");
    const auto conv = relay::nn::conv2d(x, w, {.groups = 2, .channels = dim(4), .kernel_size = dims{3, 5}});
    CHECK(inferred(b, b.tuple({w, conv})) == "(Tensor[(4, 3, 3, 5), float32], Tensor[(1, 4, 6, 4), float32])");
}

TEST_CASE("conv2d: an unannotated weight needs channels and kernel_size", "[relay][conv]") {
    relay::builder b;
    CHECK(inference_refusal(b, relay::nn::conv2d(b.variable("x", {1, 6, 8, 8}), b.variable("w"))) ==
          "@main: %w: has no type; expected an annotation or a use that determines it");
}
