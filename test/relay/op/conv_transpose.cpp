#include <tutti/relay/op/conv_transpose.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("conv_transpose: sizes are those whose convolution gives the data's", "[relay][conv_transpose]") {
    const auto spread = [](const dims& x, const dims& w, const relay::conv2d_transpose_attributes& a) {
        return
            [=](relay::builder& b) { return relay::nn::conv2d_transpose(b.variable("x", x), b.variable("w", w), a); };
    };
    CHECK(type_of(spread({1, 256, 16, 16}, {256, 128, 4, 4},
                         {.strides = {2, 2}, .padding = {1, 1}, .kernel_layout = "IOHW"})) ==
          "Tensor[(1, 128, 32, 32), float32]");
    CHECK(type_of(spread({1, 8, 5, dim::any()}, {8, 3, 3, 3},
                         {.strides = {2, 2}, .output_padding = {1, 0}, .groups = 2, .kernel_layout = "IOHW"})) ==
          "Tensor[(1, 6, 12, ?), float32]");
    CHECK_THAT(refusal_of(spread({1, 8, 5, 5}, {7, 3, 3, 3}, {.kernel_layout = "IOHW"})),
               Contains("nn.conv2d_transpose, argument `weight`: Tensor[(7, 3, 3, 3), float32]") &&
                   Contains("expected Tensor[(8, 3, 3, 3), float32]"));
    CHECK_THAT(refusal_of(spread({1, 8, 1, 1}, {8, 3, 3, 3}, {.padding = {2, 2}, .kernel_layout = "IOHW"})),
               Contains("attribute `padding`"));
}

TEST_CASE("conv_transpose: the weight's type follows from channels and window", "[relay][conv_transpose]") {
    CHECK(type_of([](relay::builder& b) {
              const auto w = b.variable("w");
              return b.tuple({relay::nn::conv2d_transpose(
                                  b.variable("x", {1, 8, 5, 5}), w,
                                  {.channels = dim(4), .kernel_size = dims{3, 3}, .kernel_layout = "IOHW"}),
                              w});
          }) == "(Tensor[(1, 4, 7, 7), float32], Tensor[(8, 4, 3, 3), float32])");
}

TEST_CASE("conv_transpose: a deformable convolution wants two offsets an element and place",
          "[relay][conv_transpose]") {
    const auto deformed = [](const dims& offset) {
        return [=](relay::builder& b) {
            return relay::nn::deformable_conv2d(b.variable("x", {1, 8, 6, 6}), b.variable("o", offset), b.variable("w"),
                                                {.channels = dim(4), .kernel_size = dims{3, 3}});
        };
    };
    CHECK(type_of(deformed({1, 18, 4, 4})) == "Tensor[(1, 4, 4, 4), float32]");
    CHECK_THAT(refusal_of(deformed({1, 9, 4, 4})), Contains("argument `offset`: Tensor[(1, 9, 4, 4), float32]") &&
                                                       Contains("expected Tensor[(1, 18, 4, 4), float32]"));
}

TEST_CASE("conv_transpose: along one axis and along three", "[relay][conv_transpose]") {
    CHECK(type_of([](relay::builder& b) {
              const auto w = b.variable("w");
              return b.tuple({relay::nn::conv1d_transpose(b.variable("x", {1, 3, 18}), w,
                                                          {.channels = dim(10),
                                                           .kernel_size = dims{3},
                                                           .strides = {2},
                                                           .output_padding = {1},
                                                           .padding = {1}}),
                              w});
          }) == "(Tensor[(1, 10, 36), float32], Tensor[(3, 10, 3), float32])");
    CHECK(type_of([](relay::builder& b) {
              return relay::nn::conv3d_transpose(b.variable("x", {1, 4, 5, 6, 3}), b.variable("w", {2, 2, 2, 5, 3}),
                                                 {.data_layout = "NDHWC", .kernel_layout = "DHWOI"});
          }) == "Tensor[(1, 5, 6, 7, 5), float32]");
}
