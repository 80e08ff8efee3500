#include <tutti/relay/op/cast.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("cast: changes the element type and nothing else", "[relay][cast]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::cast(x, {.dtype = dtype::int8}); }) ==
          "Tensor[(2, ?), int8]");
    CHECK(type_of([](relay::builder& b) {
              return relay::cast_like(b.variable("x", {3}), b.variable("y", {}, dtype::int64));
          }) == "Tensor[(3), int64]");
    CHECK_THAT(refusal_of({2}, [](expr x) { return relay::cast(x, {}); }), Contains("cast, attribute `dtype`"));
}

TEST_CASE("cast: reinterpret wants elements of the same size", "[relay][cast]") {
    CHECK(type_of({5}, [](expr x) { return relay::reinterpret(x, {.dtype = dtype::int32}); }) == "Tensor[(5), int32]");
    CHECK_THAT(refusal_of({5}, [](expr x) { return relay::reinterpret(x, {.dtype = dtype::int64}); }),
               Contains("argument `data`: Tensor[(5), float32]") && Contains("elements of the size of int64"));
}
