#include <tutti/relay/op/reduce.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("reduce: the axes go, or stay as 1", "[relay][reduce]") {
    const dims shape{2, 3, dim::any(), 5};
    CHECK(type_of(shape, [](expr x) { return relay::mean(x); }) == "float32");
    CHECK(type_of(shape, [](expr x) { return relay::max(x, {.axis = dims{1, -1}}); }) == "Tensor[(2, ?), float32]");
    CHECK(type_of(shape, [](expr x) { return relay::min(x, {.axis = dims{1, -1}, .keepdims = true}); }) ==
          "Tensor[(2, 1, ?, 1), float32]");
    CHECK(type_of(shape, [](expr x) { return relay::sum(x, {.axis = dims{1}, .exclude = true}); }) ==
          "Tensor[(3), float32]");
    CHECK(type_of(shape, [](expr x) { return relay::prod(x, {.axis = dims{0}}); }) == "Tensor[(3, ?, 5), float32]");
    CHECK(type_of(shape, [](expr x) { return relay::any(x, {.axis = dims{0}}); }) == "Tensor[(3, ?, 5), float32]");
    CHECK(type_of(shape, [](expr x) { return relay::all(x); }) == "float32");
    CHECK(type_of(shape, [](expr x) { return relay::sum(x, {.axis = dims{}}); }) == "float32");
    CHECK(type_of(shape, [](expr x) { return relay::sum(x, {.axis = dims{}, .exclude = true}); }) == "float32");
    CHECK(type_of(shape, [](expr x) { return relay::sum(x, {.keepdims = true}); }) == "Tensor[(1, 1, 1, 1), float32]");
}

TEST_CASE("reduce: argmax gives places, variance takes a mean", "[relay][reduce]") {
    CHECK(type_of({4, 5}, [](expr x) { return relay::argmax(x, {.axis = dims{1}}); }) == "Tensor[(4), int32]");
    CHECK(type_of({4, 5}, [](expr x) { return relay::argmin(x, {.axis = dims{0}, .keepdims = true}); }) ==
          "Tensor[(1, 5), int32]");
    CHECK(type_of([](relay::builder& b) {
              return relay::variance(b.variable("x", {4, 5}), b.variable("m", {4, 1}), {.axis = dims{1}});
          }) == "Tensor[(4), float32]");
    CHECK(refusal_of([](relay::builder& b) {
              return relay::variance(b.variable("x", {4, 5}), b.variable("m", {4}), {.axis = dims{1}});
          }) == "@main: variance, argument `mean`: Tensor[(4), float32] does not fit `data`, Tensor[(4, 5), float32]; "
                "expected the size of `data` or 1 along each axis");
}

TEST_CASE("reduce: collapse_sum goes back to a shape that broadcasts", "[relay][reduce]") {
    const auto like = [](const dims& data, const dims& to, dtype element = dtype::float32) {
        return [=](relay::builder& b) {
            return relay::collapse_sum_like(b.variable("x", data), b.variable("y", to, element));
        };
    };
    CHECK(type_of(like({3, 3, 3}, {3})) == "Tensor[(3), float32]");
    CHECK(type_of(like({3, dim::any()}, {3, 1})) == "Tensor[(3, 1), float32]");
    CHECK(type_of([](relay::builder& b) {
              return relay::collapse_sum_to(b.variable("x", {2, 3}), b.variable("s", {1}, dtype::int32),
                                            {.shape = dims{3}});
          }) == "Tensor[(3), float32]");
    CHECK_THAT(refusal_of(like({3, 3}, {2})), Contains("argument `data`"));
    CHECK_THAT(refusal_of(like({3}, {2, 3})), Contains("argument `data`"));
    CHECK_THAT(refusal_of(like({3}, {3}, dtype::int32)), Contains("argument `collapse_type`"));
}

TEST_CASE("reduce: an axis that is not there is refused", "[relay][reduce]") {
    CHECK_THAT(refusal_of({4, 5}, [](expr x) { return relay::sum(x, {.axis = dims{2}}); }),
               Contains("sum, attribute `axis`: 2 is not an axis of Tensor[(4, 5), float32]; expected -2 to 1"));
}
