#include <tutti/relay/op/image.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("image: resize2d returns the requested size, in its layout", "[relay][image]") {
    const auto resized = [](const relay::resize2d_attributes& a) {
        return [=](expr x) { return relay::image::resize2d(x, a); };
    };
    CHECK(type_of({1, 2, 4, 4}, resized({.size = dims{8, 9}})) == "Tensor[(1, 2, 8, 9), float32]");
    CHECK(type_of({1, 4, 4, 2}, resized({.size = dims{8, 9}, .layout = "NHWC", .out_dtype = dtype::int8})) ==
          "Tensor[(1, 8, 9, 2), int8]");
    CHECK_THAT(refusal_of({1, 2, 4, 4}, resized({})), Contains("image.resize2d, attribute `size`"));
    CHECK_THAT(refusal_of({1, 2, 4, 4}, resized({.size = relay::dims{2, -3}})), Contains("a negative size"));
    CHECK_THAT(refusal_of({1, 2, 4, 4}, resized({.size = dims{8}})), Contains("1 numbers; expected 2"));
    CHECK_THAT(refusal_of({1, 2, 4}, resized({.size = dims{8, 8}})), Contains("a tensor of layout NCHW"));
}

TEST_CASE("image: upsampling multiplies sizes and rounds", "[relay][image]") {
    const auto larger = [](double h, double w) {
        return [=](expr x) { return relay::nn::upsampling(x, {.scale_h = h, .scale_w = w}); };
    };
    CHECK(type_of({1, 2, 5, dim::any()}, larger(2, 3)) == "Tensor[(1, 2, 10, ?), float32]");
    CHECK(type_of({1, 2, 5, 3}, larger(1.5, 0.5)) == "Tensor[(1, 2, 8, 2), float32]");
    CHECK_THAT(refusal_of({1, 2, 5, 3}, larger(-1, 1)), Contains("out of range"));
    CHECK(type_of({1, 2, 3, 4, 5}, [](expr x) {
              return relay::nn::upsampling3d(x, {.scale_d = 5.0, .scale_h = 4.0, .scale_w = 3.0});
          }) == "Tensor[(1, 2, 15, 16, 15), float32]");
}

TEST_CASE("image: lines and volumes are resized as images are", "[relay][image]") {
    const auto line = [](const relay::resize1d_attributes& a) {
        return [=](expr x) { return relay::image::resize1d(x, a); };
    };
    const auto volume = [](const relay::resize3d_attributes& a) {
        return [=](expr x) { return relay::image::resize3d(x, a); };
    };
    CHECK(type_of({1, 2, 4}, line({.size = dims{8}})) == "Tensor[(1, 2, 8), float32]");
    CHECK(type_of({1, 4, 2}, line({.size = dims{8}, .layout = "NWC", .out_dtype = dtype::int8})) ==
          "Tensor[(1, 8, 2), int8]");
    CHECK(type_of({1, 2, 4, 4, dim::any()}, volume({.size = dims{8, 9, 10}})) == "Tensor[(1, 2, 8, 9, 10), float32]");
    CHECK_THAT(refusal_of({1, 2, 4}, line({.size = dims{8, 9}})), Contains("2 numbers; expected 1"));
    CHECK_THAT(refusal_of({1, 2, 4, 4, 4}, volume({})), Contains("expected three sizes"));
    CHECK_THAT(refusal_of({1, 2, 4}, line({.size = dims{8}, .layout = "NCHW"})), Contains("letters of \"NCW\""));
}

TEST_CASE("image: layouts go through the operators that the reference lets them through", "[relay][image]") {
    for (const relay::op_def* op :
         {&relay::definition<relay::op::image::resize1d>, &relay::definition<relay::op::image::resize2d>}) {
        CHECK(op->layout != nullptr);
        CHECK(op->convert != nullptr);
    }
    CHECK(relay::definition<relay::op::image::resize3d>.layout == nullptr);
}
