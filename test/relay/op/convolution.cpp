#include <tutti/relay/op/convolution.hpp>

#include <tutti/relay/op/conv.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("convolution: the same along one, two and three axes", "[relay][convolution]") {
    const auto two = [](const dims& x, const dims& w, auto call) {
        return type_of([&](relay::builder& b) { return call(b.variable("x", x), b.variable("w", w)); });
    };
    CHECK(two({1, 4, 9}, {8, 4, 3}, [](expr x, expr w) {
              return relay::nn::conv1d(x, w, {.strides = {2}, .padding = {1}});
          }) == "Tensor[(1, 8, 5), float32]");
    CHECK(two({1, 9, 4}, {3, 4, 8}, [](expr x, expr w) {
              return relay::nn::conv1d(x, w, {.padding = {1, 2}, .data_layout = "NWC", .kernel_layout = "WIO"});
          }) == "Tensor[(1, 10, 8), float32]");
    CHECK(two({1, 4, 5, 6, 7}, {8, 2, 3, 3, 3}, [](expr x, expr w) {
              return relay::nn::conv3d(x, w, {.padding = {1, 1, 1}, .groups = 2});
          }) == "Tensor[(1, 8, 5, 6, 7), float32]");
    CHECK(two({1, 4, 56, 56, 8}, {2, 4, 3, 3, 8, 16}, [](expr x, expr w) {
              return relay::nn::contrib_conv2d_nchwc(
                  x, w,
                  {.padding = {1, 1}, .data_layout = "NCHW8c", .kernel_layout = "OIHW8i16o", .out_layout = "NCHW16c"});
          }) == "Tensor[(1, 2, 56, 56, 16), float32]");
    CHECK(two({1, 4, 56, 56, 8}, {4, 1, 3, 3, 1, 8}, [](expr x, expr w) {
              return relay::nn::contrib_depthwise_conv2d_nchwc(x, w,
                                                               {.padding = {1, 1},
                                                                .groups = 32,
                                                                .data_layout = "NCHW8c",
                                                                .kernel_layout = "OIHW1i8o",
                                                                .out_layout = "NCHW8c"});
          }) == "Tensor[(1, 4, 56, 56, 8), float32]");
}

TEST_CASE("convolution: padding is written out for every side", "[relay][convolution]") {
    relay::builder b;
    const auto x = b.variable("x", {1, 4, 9});
    const auto y = relay::nn::conv1d(x, b.variable("w", {8, 4, 3}), {.padding = {1}});
    relay::ir_module m(closed(b, y));
    CHECK_THAT(bare_text(m), Contains("padding=[1, 1]"));
    CHECK(relay::spatial::pad({1, 2, 3}, 3) == dims{1, 2, 3, 1, 2, 3});
    CHECK(relay::spatial::pad({4}, 3) == dims{4, 4, 4, 4, 4, 4});
}
