#include <tutti/relay/op/annotation.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("annotation: the argument's type goes through", "[relay][annotation]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::annotation::stop_fusion(x); }) ==
          "Tensor[(2, ?), float32]");
    CHECK(type_of({2}, [](expr x) { return relay::nn::dropout(x); }) == "(Tensor[(2), float32], Tensor[(2), float32])");
    CHECK(relay::definition<relay::op::nn::dropout>.stateful);
    CHECK_FALSE(relay::definition<relay::op::annotation::stop_fusion>.stateful);
}

TEST_CASE("annotation: a shape is a vector as long as the rank", "[relay][annotation]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::shape_of(x); }) == "Tensor[(2), int32]");
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::ndarray_size(x, {.dtype = dtype::int64}); }) == "int64");
    CHECK(type_of({}, [](expr x) { return relay::shape_of(x, {.dtype = dtype::int64}); }) == "int64");
}

TEST_CASE("annotation: hints leave the type", "[relay][annotation]") {
    CHECK(type_of([](relay::builder& b) {
              const auto s = b.constant(1.0F);
              return relay::annotation::simulated_quantize(
                  relay::annotation::cast_hint(b.variable("x", {2, 3}), {.dtype = relay::dtype::int8}), s, s, s,
                  {.kind = std::int64_t{1}});
          }) == "Tensor[(2, 3), float32]");
}
