#include <tutti/relay/op/shape.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <optional>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

namespace {

const dim any = dim::any();

std::string expanded(const dims& data, const relay::expand_dims_attributes& a) {
    relay::builder b;
    return inferred(b, relay::expand_dims(b.variable("x", data), a));
}

relay::expr squeezed(relay::builder& b, const dims& data, std::optional<dims> axis) {
    return relay::call_op<relay::op::squeeze>({.axis = axis}, b.variable("x", data));
}

} // namespace

TEST_CASE("expand_dims: inserts axes, from either end", "[relay][shape]") {
    CHECK(expanded({2, 3}, {.axis = 0}) == "Tensor[(1, 2, 3), float32]");
    CHECK(expanded({2, 3}, {.axis = 2}) == "Tensor[(2, 3, 1), float32]");
    CHECK(expanded({2, 3}, {.axis = -1, .num_newaxis = 2}) == "Tensor[(2, 3, 1, 1), float32]");
    CHECK(expanded({2, 3}, {.axis = -3}) == "Tensor[(1, 2, 3), float32]");
    CHECK(expanded({2, any}, {.axis = 1, .num_newaxis = 0}) == "Tensor[(2, ?), float32]");
    CHECK(expanded({}, {.axis = 0}) == "Tensor[(1), float32]");
}

TEST_CASE("expand_dims: an axis out of range or fewer than no axes are refused", "[relay][shape]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    CHECK_THAT(inference_refusal(b, relay::expand_dims(x, {.axis = 3})),
               Contains("attribute `axis`: 3 is not an axis"));
    CHECK_THAT(inference_refusal(b, relay::expand_dims(b.variable("x", {2}), {.axis = 0, .num_newaxis = -1})),
               Contains("attribute `num_newaxis`"));
}

TEST_CASE("broadcast_to_like: has the other one's shape", "[relay][shape]") {
    relay::builder b;
    const auto like = [&](const dims& data, const dims& other, relay::dtype element = relay::dtype::float32) {
        return relay::broadcast_to_like(b.variable("x", data), b.variable("y", other, element));
    };
    CHECK(inferred(b, like({3}, {2, 3})) == "Tensor[(2, 3), float32]");
    CHECK(inferred(b, like({1, 3}, {any, 3})) == "Tensor[(?, 3), float32]");
    CHECK_THAT(inference_refusal(b, like({2, 3}, {3})), Contains("argument `data`"));
    CHECK_THAT(inference_refusal(b, like({3}, {3}, relay::dtype::int8)), Contains("argument `broadcast_type`"));
}

TEST_CASE("squeeze: removes the axes that are named, or all of size 1", "[relay][shape]") {
    relay::builder b;
    CHECK(inferred(b, squeezed(b, {1, 2, 1, 3}, dims{0})) == "Tensor[(2, 1, 3), float32]");
    CHECK(inferred(b, squeezed(b, {1, 2, 1, 3}, dims{-2, 0})) == "Tensor[(2, 3), float32]");
    CHECK(inferred(b, squeezed(b, {1, 2, 1, 3}, std::nullopt)) == "Tensor[(2, 3), float32]");
    CHECK(inferred(b, squeezed(b, {1, 1}, std::nullopt)) == "float32");
    CHECK(inferred(b, squeezed(b, {1, 2}, dims{})) == "Tensor[(1, 2), float32]");
}

TEST_CASE("squeeze: an axis of another size is refused", "[relay][shape]") {
    relay::builder b;
    CHECK(
        inference_refusal(b, squeezed(b, {1, 2}, dims{1})) ==
        "@main: squeeze, argument `data`: Tensor[(1, 2), float32] does not fit; expected 1 along the axes to be removed");
    CHECK_THAT(inference_refusal(b, squeezed(b, {1, 2}, dims{5})), Contains("attribute `axis`"));
}

TEST_CASE("broadcast_to: stretches to the shape, and refuses one that does not take the data", "[relay][shape]") {
    const auto stretched = [](relay::builder& b, const dims& data, const dims& shape) {
        return relay::call_op<relay::op::broadcast_to>({.shape = shape}, b.variable("x", data));
    };
    relay::builder b;
    CHECK(inferred(b, stretched(b, {2, 1}, {3, 2, 4})) == "Tensor[(3, 2, 4), float32]");
    CHECK(inferred(b, stretched(b, {}, {2})) == "Tensor[(2), float32]");
    CHECK(inferred(b, stretched(b, {2, 1}, {dim::wide(2), dim::wide(3)})) == "Tensor[(2i64, 3i64), float32]");
    CHECK(inferred(b, stretched(b, {dim::any()}, {1})) == "Tensor[(1), float32]");
    CHECK_THAT(inference_refusal(b, stretched(b, {3}, {-1, 3})), Contains("broadcast_to, argument `data`"));
    CHECK_THAT(inference_refusal(b, stretched(b, {2}, {3})), Contains("broadcast_to, argument `data`"));
    CHECK_THAT(inference_refusal(b, stretched(b, {3, 2}, {2})), Contains("broadcast_to, argument `data`"));
}

TEST_CASE("batch_flatten: keeps the first axis", "[relay][shape]") {
    relay::builder b;
    const auto flat = [&](const dims& data) { return relay::nn::batch_flatten(b.variable("x", data)); };
    CHECK(inferred(b, flat({2, 512, 1, 1})) == "Tensor[(2, 512), float32]");
    CHECK(inferred(b, flat({2})) == "Tensor[(2, 1), float32]");
    CHECK(inferred(b, flat({any, 3, 4})) == "Tensor[(?, 12), float32]");
    CHECK(inferred(b, flat({2, any, 4})) == "Tensor[(2, ?), float32]");
    CHECK_THAT(inference_refusal(b, flat({})), Contains("expected one dimension or more"));
}
