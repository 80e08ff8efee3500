#include <tutti/relay/op/pool.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

namespace {

std::string max_type(const dims& data, const relay::max_pool2d_attributes& a) {
    relay::builder b;
    return inferred(b, relay::nn::max_pool2d(b.variable("x", data), a));
}

std::string max_refusal(const dims& data, const relay::max_pool2d_attributes& a) {
    relay::builder b;
    return inference_refusal(b, relay::nn::max_pool2d(b.variable("x", data), a));
}

const dims three_by_three{3, 3};

} // namespace

TEST_CASE("pool: the result's size follows window, padding and stride, rounded down or up", "[relay][pool]") {
    CHECK(max_type({1, 64, 112, 112}, {.pool_size = three_by_three, .strides = {2, 2}, .padding = {1, 1}}) ==
          "Tensor[(1, 64, 56, 56), float32]");
    CHECK(max_type({1, 1, 6, 7}, {.pool_size = dims{2, 3}, .strides = {2, 3}}) == "Tensor[(1, 1, 3, 2), float32]");
    CHECK(max_type({1, 1, 6, 7}, {.pool_size = three_by_three, .strides = {2, 3}, .ceil_mode = true}) ==
          "Tensor[(1, 1, 3, 3), float32]");
    CHECK(max_type({1, 1, 6, 7}, {.pool_size = three_by_three, .dilation = {2, 3}}) == "Tensor[(1, 1, 2, 1), float32]");
    relay::builder b;
    CHECK(inferred(b, relay::nn::avg_pool2d(b.variable("x", {1, 2, 4, 4}),
                                            {.pool_size = dims{2, 2}, .padding = {1, 0, 0, 0}})) ==
          "Tensor[(1, 2, 4, 3), float32]");
}

TEST_CASE("pool: layouts say where the spatial axes are", "[relay][pool]") {
    CHECK(max_type({1, 6, 7, 5}, {.pool_size = three_by_three, .layout = "NHWC"}) == "Tensor[(1, 4, 5, 5), float32]");
    CHECK(max_type({1, 2, 6, 7, 16}, {.pool_size = three_by_three, .layout = "NCHW16c"}) ==
          "Tensor[(1, 2, 4, 5, 16), float32]");
    CHECK(max_type({1, 5, 6, 7}, {.pool_size = three_by_three, .out_layout = "NHWC"}) ==
          "Tensor[(1, 4, 5, 5), float32]");
    CHECK_THAT(max_refusal({1, 2, 6, 7, 8}, {.pool_size = three_by_three, .layout = "NCHW16c"}),
               Contains("a tensor of layout NCHW16c"));
    CHECK_THAT(max_refusal({1, 2, 6, 7}, {.pool_size = three_by_three, .layout = "NCDHW"}),
               Contains("attribute `layout`"));
}

TEST_CASE("pool: refuses mismatched operands", "[relay][pool]") {
    CHECK_THAT(max_refusal({1, 2, 6}, {.pool_size = three_by_three}), Contains("a tensor of layout NCHW"));
    CHECK_THAT(max_refusal({1, 2, 2, 6}, {.pool_size = three_by_three}), Contains("at least the size of the window"));
    CHECK_THAT(max_refusal({1, 2, 6, 6}, {.pool_size = dims{3}}),
               Contains("attribute `pool_size`: 1 numbers; expected 2"));
    CHECK_THAT(max_refusal({1, 2, 6, 6}, {.pool_size = dims{0, 1}}), Contains("attribute `pool_size`"));
    CHECK_THAT(max_refusal({1, 2, 6, 6}, {.pool_size = three_by_three, .strides = {-1, 1}}),
               Contains("attribute `strides`"));
}

TEST_CASE("pool: over the whole image leaves one place a channel", "[relay][pool]") {
    relay::builder b;
    CHECK(inferred(b, relay::nn::global_avg_pool2d(b.variable("x", {2, 512, 7, 7}))) ==
          "Tensor[(2, 512, 1, 1), float32]");
    CHECK(inferred(b, relay::nn::global_avg_pool2d(b.variable("x", {2, dim::any(), 7, 9}), {.layout = "NHWC"})) ==
          "Tensor[(2, 1, 1, 9), float32]");
}

TEST_CASE("pool: along one axis and three", "[relay][pool]") {
    relay::builder b;
    const auto line = b.variable("x", {1, 2, 9});
    CHECK(inferred(b, relay::nn::max_pool1d(line, {.pool_size = {2}, .strides = {2}, .padding = {1}})) ==
          "Tensor[(1, 2, 5), float32]");
    relay::builder c;
    CHECK(inferred(c, relay::nn::avg_pool1d(c.variable("x", {1, dim::any(), 2}),
                                            {.pool_size = {2}, .layout = "NWC"})) == "Tensor[(1, ?, 2), float32]");
    relay::builder d;
    CHECK(inferred(d, relay::nn::max_pool3d(d.variable("x", {1, 4, 5, 6, 2}),
                                            {.pool_size = {2, 2, 2}, .layout = "NDHWC"})) ==
          "Tensor[(1, 3, 4, 5, 2), float32]");
    relay::builder e;
    CHECK(inferred(e, relay::nn::global_max_pool2d(e.variable("x", {2, 8, 7, 7}))) == "Tensor[(2, 8, 1, 1), float32]");
}

TEST_CASE("pool: adaptive pooling has as many windows as are wanted", "[relay][pool]") {
    const auto type = [](const dims& x, const relay::adaptive_pool2d_attributes& a) {
        relay::builder b;
        return inferred(b, relay::nn::adaptive_avg_pool2d(b.variable("x", x), a));
    };
    CHECK(type({1, 3, 7, 8}, {.output_size = {2, 3}}) == "Tensor[(1, 3, 2, 3), float32]");
    CHECK(type({1, 3, 7, 8}, {.output_size = {2}}) == "Tensor[(1, 3, 2, 2), float32]");
    CHECK(type({1, 3, 7, dim::any()}, {}) == "Tensor[(1, 3, 7, ?), float32]");
    CHECK(type({1, 7, 8, 4}, {.output_size = {2, 1}, .layout = "NHWC", .out_layout = "NCHW2c"}) ==
          "Tensor[(1, 2, 2, 1, 2), float32]");
    relay::builder b;
    CHECK(inferred(b, relay::nn::adaptive_max_pool3d(b.variable("x", {1, 2, 4, 5, 6}), {.output_size = {1}})) ==
          "Tensor[(1, 2, 1, 1, 1), float32]");
    relay::builder c;
    CHECK_THAT(
        inference_refusal(c, relay::nn::adaptive_max_pool1d(c.variable("x", {1, 2, 4}), {.output_size = {1, 2}})),
        Contains("nn.adaptive_max_pool1d, attribute `output_size`: 2 numbers; expected 1"));
    relay::builder d;
    CHECK_THAT(inference_refusal(d, relay::nn::adaptive_avg_pool1d(d.variable("x", {1, 2, 4}), {.output_size = {-1}})),
               Contains("attribute `output_size`: a negative size"));
}
