#include <tutti/relay/op/scan.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dtype;
using relay::expr;

TEST_CASE("scan: along an axis the shape stays, without one the data is flattened", "[relay][scan]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::cumsum(x, {.axis = dim(-2)}); }) ==
          "Tensor[(2, ?), float32]");
    CHECK(type_of({2, 3}, [](expr x) { return relay::cumprod(x); }) == "Tensor[(6), float32]");
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::cumsum(x); }) == "Tensor[(?), float32]");
    CHECK(type_of({}, [](expr x) { return relay::cumsum(x, {.dtype = dtype::int64}); }) == "Tensor[(1), int64]");
    CHECK_THAT(refusal_of({2, 3}, [](expr x) { return relay::cumsum(x, {.axis = dim(2)}); }),
               Contains("cumsum, attribute `axis`"));
}
