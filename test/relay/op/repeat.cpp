#include <tutti/relay/op/repeat.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("repeat: each element, along an axis or all of them", "[relay][repeat]") {
    CHECK(type_of({2, 3}, [](expr x) { return relay::repeat(x, {.repeats = dim(4), .axis = dim(-1)}); }) ==
          "Tensor[(2, 12), float32]");
    CHECK(type_of({2, 3}, [](expr x) { return relay::repeat(x, {.repeats = dim(4)}); }) == "Tensor[(24), float32]");
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::repeat(x, {.repeats = dim(4), .axis = dim(1)}); }) ==
          "Tensor[(2, ?), float32]");
    CHECK_THAT(refusal_of({2}, [](expr x) { return relay::repeat(x, {.repeats = dim(0)}); }),
               Contains("attribute `repeats`"));
}

TEST_CASE("repeat: the whole tensor, aligned at the last axis", "[relay][repeat]") {
    CHECK(type_of({4, 7}, [](expr x) { return relay::tile(x, {.reps = {4, 2}}); }) == "Tensor[(16, 14), float32]");
    CHECK(type_of({3, 4}, [](expr x) { return relay::tile(x, {.reps = {2, 1, 5}}); }) == "Tensor[(2, 3, 20), float32]");
    CHECK(type_of({3, 4}, [](expr x) { return relay::tile(x, {.reps = {5}}); }) == "Tensor[(3, 20), float32]");
    CHECK_THAT(refusal_of({2}, [](expr x) { return relay::tile(x, {.reps = {-1}}); }), Contains("attribute `reps`"));
}
