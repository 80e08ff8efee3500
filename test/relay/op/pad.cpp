#include <tutti/relay/op/pad.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

namespace {

const auto padded = [](std::vector<dims> width) {
    return [=](relay::builder& b) {
        return relay::nn::pad(b.variable("x", {1, 5, dim::any()}), b.constant(0.0F), {.pad_width = width});
    };
};

} // namespace

TEST_CASE("pad: adds elements before and after along each axis", "[relay][pad]") {
    CHECK(type_of(padded({{0, 0}, {1, 2}, {3, 3}})) == "Tensor[(1, 8, ?), float32]");
    CHECK(type_of(padded({{0, 0}, {-1, 0}, {0, 0}})) == "Tensor[(1, 4, ?), float32]");
    CHECK_THAT(refusal_of(padded({{0, 0}, {1, 2}})), Contains("nn.pad, argument `data`: Tensor[(1, 5, ?), float32]"));
    CHECK_THAT(refusal_of(padded({{0, 0}, {1}, {1, 1}})), Contains("attribute `pad_width`: 1 numbers; expected 2"));
    CHECK_THAT(refusal_of(padded({{0, 0}, {-3, -3}, {0, 0}})), Contains("at least as many elements as are cropped"));
}

TEST_CASE("pad: blocks move to the batch and back", "[relay][pad]") {
    const auto to_batch = [](expr x) {
        return relay::nn::space_to_batch_nd(x, {.block_shape = {2, 2}, .paddings = std::vector<dims>{{2, 3}, {2, 3}}});
    };
    const auto to_space = [](expr x) {
        return relay::nn::batch_to_space_nd(x, {.block_shape = {2, 2}, .crops = std::vector<dims>{{0, 1}, {0, 1}}});
    };
    CHECK(type_of({1, 5, 5, 4}, to_batch) == "Tensor[(4, 5, 5, 4), float32]");
    CHECK(type_of({4, 3, 3, 4}, to_space) == "Tensor[(1, 5, 5, 4), float32]");
    CHECK(type_of({1, 5, 5, 4}, to_space) == "Tensor[(0, 9, 9, 4), float32]");
    CHECK(type_of({dim::any(), dim::any(), 5, 4}, to_batch) == "Tensor[(?, ?, 5, 4), float32]");
    CHECK_THAT(refusal_of({1, 6, 5, 4}, to_batch), Contains("padded sizes that the blocks divide"));
    CHECK_THAT(refusal_of({1, 6}, to_batch), Contains("more dimensions than a block has"));
    CHECK_THAT(refusal_of({4, 0, 3}, to_space), Contains("at least as many elements as are cropped"));
    CHECK_THAT(refusal_of({4, 3, 3},
                          [](expr x) {
                              return relay::nn::batch_to_space_nd(
                                  x, {.block_shape = {0}, .crops = std::vector<dims>{{0, 0}}});
                          }),
               Contains("attribute `block_shape`"));
    CHECK_THAT(refusal_of({4, 3, 3}, [](expr x) { return relay::nn::batch_to_space_nd(x, {}); }),
               Contains("attribute `crops`"));
}

TEST_CASE("mirror_pad: adds its widths, in one of two modes", "[relay][pad]") {
    const auto mirrored = [](const dims& x, const relay::mirror_pad_attributes& a) {
        return [=](relay::builder& b) { return relay::nn::mirror_pad(b.variable("x", x), a); };
    };
    CHECK(type_of(mirrored({2, dim::any()}, {.pad_width = std::vector<dims>{{1, 2}, {0, 3}}})) ==
          "Tensor[(5, ?), float32]");
    CHECK_THAT(refusal_of(mirrored({2}, {.mode = "edge", .pad_width = std::vector<dims>{{1, 1}}})),
               Contains("nn.mirror_pad, attribute `mode`: no such mode; expected \"SYMMETRIC\" or \"REFLECT\""));
    CHECK_THAT(refusal_of(mirrored({2, 2}, {.pad_width = std::vector<dims>{{1, 1}}})),
               Contains("as many dimensions as the attribute `pad_width` has pairs"));
}

TEST_CASE("pad: nn.dilate puts elements apart", "[relay][pad]") {
    const auto apart = [](const relay::dims& strides) {
        return [=](relay::expr x) { return relay::nn::dilate(x, {.strides = strides}); };
    };
    CHECK(tutti::test::type_of({2, 3, relay::dim::any()}, apart({1, 2, 3})) == "Tensor[(2, 5, ?), float32]");
    CHECK(tutti::test::type_of({0}, apart({3})) == "Tensor[(0), float32]");
    CHECK_THAT(tutti::test::refusal_of({2, 3}, apart({1})), Contains("attribute `strides`"));
    CHECK_THAT(tutti::test::refusal_of({2, 3}, apart({1, 0})), Contains("attribute `strides`"));
    CHECK_THAT(tutti::test::refusal_of({2, 3}, apart({1, relay::dim::any()})), Contains("attribute `strides`"));
}
