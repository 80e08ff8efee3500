#include <tutti/relay/op/correlation.hpp>

#include "layout_question.hpp"
#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

TEST_CASE("correlation: the result has a channel for each displacement", "[relay][correlation]") {
    const auto of = [](const dims& x, const dims& y, const relay::correlation_attributes& a) {
        return [=](relay::builder& b) { return relay::nn::correlation(b.variable("x", x), b.variable("y", y), a); };
    };
    CHECK(type_of(of({1, 3, 10, 10}, {1, 3, 10, 10}, {.max_displacement = 4, .padding = {4, 4}})) ==
          "Tensor[(1, 81, 10, 10), float32]");
    CHECK(type_of(of({5, 1, 6, dim::any()}, {5, 1, 6, 4},
                     {.kernel_size = 3, .stride1 = 2, .stride2 = 2, .padding = {2, 2}})) ==
          "Tensor[(5, 1, 3, ?), float32]");
    CHECK_THAT(refusal_of(of({1, 3, 5, 5}, {1, 2, 5, 5}, {})), Contains("nn.correlation, argument `data2`"));
    CHECK_THAT(refusal_of(of({1, 3, 5, 5}, {1, 3, 5, 5}, {.kernel_size = 2})),
               Contains("an even size; expected an odd one"));
    CHECK_THAT(refusal_of(of({1, 3, 5, 5}, {1, 3, 5, 5}, {.stride2 = 0})), Contains("attribute `stride2`"));
    CHECK_THAT(refusal_of(of({1, 3, 5, 5}, {1, 3, 5, 5}, {.layout = "NHWC"})), Contains("attribute `layout`"));
}

TEST_CASE("dilation2d: a window of each channel's weights slides", "[relay][correlation]") {
    const auto of = [](const dims& x, const dims& w, const relay::dilation2d_attributes& a) {
        return [=](relay::builder& b) { return relay::image::dilation2d(b.variable("x", x), b.variable("w", w), a); };
    };
    CHECK(type_of(of({2, 3, 5, 6}, {3, 2, 3}, {.strides = {1, 2}, .padding = {0, 0, 1, 1}})) ==
          "Tensor[(2, 3, 5, 3), float32]");
    CHECK(type_of(of({2, 5, dim::any(), 3}, {2, 3, 3}, {.data_layout = "NHWC", .kernel_layout = "HWI"})) ==
          "Tensor[(2, 4, ?, 3), float32]");
    CHECK_THAT(refusal_of(of({2, 3, 5, 6}, {4, 2, 3}, {})),
               Contains("image.dilation2d, argument `weight`") && Contains("as many channels as the data"));
    CHECK_THAT(refusal_of(of({2, 3, 5, 6}, {3, 6, 3}, {})), Contains("at least the size of the window"));
}

TEST_CASE("correlation: attributes determine the layouts", "[relay][layout]") {
    layout_question q(
        "def @main(%x: Tensor[(1, 2, 3, 4), float32], %w: Tensor[(2, 1, 1), float32]) { image.dilation2d(%x, %w) }");
    CHECK(q("NHWC ?", "NHWC HWI") == "NCHW IHW -> NCHW");
}
