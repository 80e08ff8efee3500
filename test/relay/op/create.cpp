#include <tutti/relay/op/create.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("create: a shape and an element type make a tensor", "[relay][create]") {
    CHECK(type_of([](relay::builder& b) { return relay::zeros(b, {.shape = {2, 3}, .dtype = dtype::int8}); }) ==
          "Tensor[(2, 3), int8]");
    CHECK(type_of([](relay::builder& b) { return relay::ones(b, {.shape = dims{}, .dtype = dtype::boolean}); }) ==
          "bool");
    CHECK(type_of({}, [](expr v) { return relay::full(v, {.shape = {4}}); }) == "Tensor[(4), float32]");
    CHECK(type_of({}, [](expr v) { return relay::full(v, {.shape = {4}, .dtype = dtype::int32}); }) ==
          "Tensor[(4), int32]");
    CHECK_THAT(refusal_of({1}, [](expr v) { return relay::full(v, {.shape = {4}}); }),
               Contains("full, argument `fill_value`: Tensor[(1), float32]") && Contains("a tensor of rank 0"));
    CHECK_THAT(refusal_of([](relay::builder& b) { return relay::zeros(b, {.shape = {2}}); }),
               Contains("attribute `dtype`"));
    CHECK_THAT(refusal_of([](relay::builder& b) { return relay::ones(b, {.shape = {-2}, .dtype = dtype::int8}); }),
               Contains("attribute `shape`"));
}

TEST_CASE("create: like another tensor", "[relay][create]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::zeros_like(x); }) == "Tensor[(2, ?), float32]");
    CHECK(type_of({2}, [](expr x) { return relay::ones_like(x); }, dtype::int8) == "Tensor[(2), int8]");
    CHECK(type_of([](relay::builder& b) {
              return relay::full_like(b.variable("x", {3}, dtype::int8), b.variable("v", {}));
          }) == "Tensor[(3), int8]");
}

TEST_CASE("create: the length of arange is known if constants determine it", "[relay][create]") {
    const auto numbers = [](auto... ends) {
        return [=](relay::builder& b) {
            return relay::arange(b.constant(tutti::kernel::tensor::scalar(ends))..., {.dtype = dtype::int32});
        };
    };
    CHECK(type_of(numbers(0, 10, 3)) == "Tensor[(4), int32]");
    CHECK(type_of(numbers(0, -1, 3)) == "Tensor[(0), int32]");
    CHECK(type_of([](relay::builder& b) {
              return relay::arange(b.variable("a", {}), b.variable("b", {}), b.variable("c", {}),
                                   {.dtype = dtype::float32});
          }) == "Tensor[(?), float32]");
    CHECK_THAT(refusal_of(numbers(0, 10, 0)), Contains("a step that is not 0"));
    CHECK_THAT(refusal_of(numbers(0, 10, 1.F)), Contains("arange, argument `step`"));
    CHECK_THAT(refusal_of([](relay::builder& b) {
                   const expr x = b.variable("a", {2});
                   return relay::arange(x, x, x, {.dtype = dtype::float32});
               }),
               Contains("arange, argument `start`"));
    CHECK_THAT(refusal_of([](relay::builder& b) {
                   const expr x = b.variable("a", {});
                   return relay::arange(x, x, x, {});
               }),
               Contains("attribute `dtype`"));
}
