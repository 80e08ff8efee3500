#include <tutti/relay/op/search.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("search: searchsorted gives a place for each value", "[relay][search]") {
    const auto places = [](const dims& sorted, const dims& values, dtype element = dtype::float32,
                           const relay::searchsorted_attributes& a = {}) {
        return [=](relay::builder& b) {
            return relay::searchsorted(b.variable("s", sorted), b.variable("v", values, element), a);
        };
    };
    CHECK(type_of(places({8}, {2, 3})) == "Tensor[(2, 3), int32]");
    CHECK(type_of(places({2, 8}, {dim::any(), 3}, dtype::float32, {.right = true, .dtype = dtype::int64})) ==
          "Tensor[(?, 3), int64]");
    CHECK_THAT(refusal_of(places({3, 8}, {2, 3})), Contains("one row, or one for each row of the values"));
    CHECK_THAT(refusal_of(places({}, {2})), Contains("argument `sorted_sequence`"));
    CHECK_THAT(refusal_of(places({2}, {})), Contains("argument `values`"));
    CHECK_THAT(refusal_of(places({2}, {2}, dtype::int32)), Contains("elements of type float32"));
    CHECK_THAT(refusal_of(places({2}, {2}, dtype::float32, {.right = false, .dtype = dtype::none})),
               Contains("attribute `dtype`"));
}

TEST_CASE("search: invert_permutation and unravel_index keep the integers' type", "[relay][search]") {
    const auto inverted = [](expr x) { return relay::invert_permutation(x); };
    CHECK(type_of({4}, inverted, dtype::int64) == "Tensor[(4), int64]");
    CHECK_THAT(refusal_of({4}, inverted), Contains("a vector of integers"));
    CHECK_THAT(refusal_of({4, 1}, inverted, dtype::int32), Contains("a vector of integers"));
    const auto indices = [](const dims& places, const dims& shape, dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::unravel_index(b.variable("x", places, dtype::int64), b.variable("s", shape, element));
        };
    };
    CHECK(type_of(indices({}, {4})) == "Tensor[(4), int64]");
    CHECK(type_of(indices({dim::any()}, {4})) == "Tensor[(4, ?), int64]");
    CHECK_THAT(refusal_of(indices({2, 2}, {4})), Contains("argument `data`"));
    CHECK_THAT(refusal_of(indices({2}, {4}, dtype::float32)), Contains("argument `shape`"));
    CHECK_THAT(refusal_of(indices({2}, {})), Contains("argument `shape`"));
}

TEST_CASE("search: unique gives a tuple of four or five", "[relay][search]") {
    CHECK(type_of(
              {10}, [](expr x) { return relay::unique(x); }, dtype::int64) ==
          "(Tensor[(10), int64], Tensor[(10), int32], Tensor[(10), int32], Tensor[(1), int32])");
    CHECK(type_of({dim::any()}, [](expr x) { return relay::unique(x, {.return_counts = true}); }) ==
          "(Tensor[(?), float32], Tensor[(?), int32], Tensor[(?), int32], Tensor[(1), int32], Tensor[(?), int32])");
    CHECK_THAT(refusal_of({2, 2}, [](expr x) { return relay::unique(x); }), Contains("a vector"));
}
