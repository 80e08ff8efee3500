#include <tutti/relay/op/depth_to_space.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

#include <cstdint>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

TEST_CASE("depth_to_space: pixels of blocks go between channels and image", "[relay][depth_to_space]") {
    const auto deep = [](const dims& x, const relay::pixel_block_attributes& a) {
        return [=](relay::builder& b) { return relay::nn::space_to_depth(b.variable("x", x), a); };
    };
    const auto wide = [](const dims& x, const relay::pixel_block_attributes& a) {
        return [=](relay::builder& b) { return relay::nn::depth_to_space(b.variable("x", x), a); };
    };
    CHECK(type_of(deep({1, 2, 4, 6}, {.block_size = 2})) == "Tensor[(1, 8, 2, 3), float32]");
    CHECK(type_of(deep({1, 4, 7, dim::any()}, {.block_size = 2, .layout = "NHWC"})) == "Tensor[(1, 2, 3, ?), float32]");
    CHECK(type_of(wide({1, 9, 2, dim::any()}, {.block_size = 2, .mode = "CDR"})) == "Tensor[(1, 2, 4, ?), float32]");
    CHECK(type_of(wide({1, 3, 2, 8}, {.block_size = 2, .layout = "NHWC"})) == "Tensor[(1, 6, 4, 2), float32]");
    CHECK_THAT(refusal_of(wide({1, 4, 2, 2}, {.block_size = 0})),
               Contains("nn.depth_to_space, attribute `block_size`: not a block size; expected 1 or more"));
    CHECK_THAT(refusal_of(deep({1, 4, 2, 2}, {.block_size = std::int64_t{1} << 40})), Contains("`block_size`"));
    CHECK_THAT(refusal_of(deep({1, 4, 2}, {.block_size = 2})), Contains("a tensor of layout NCHW"));
    CHECK_THAT(refusal_of(deep({1, 4, 2}, {.block_size = 2, .layout = "NCW"})), Contains("attribute `layout`"));
}
