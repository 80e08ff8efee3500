#include <tutti/relay/op/diagonal.hpp>

#include "catch.hpp"
#include "one_call.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dims;
using relay::dtype;

TEST_CASE("diagonal: trilu keeps the type", "[relay][diagonal]") {
    const auto part = [](const dims& shape, const dims& k, dtype element = dtype::int32) {
        return [=](relay::builder& b) { return relay::trilu(b.variable("x", shape), b.variable("k", k, element)); };
    };
    CHECK(type_of(part({2, 3, 4}, {})) == "Tensor[(2, 3, 4), float32]");
    CHECK_THAT(refusal_of(part({2}, {})), Contains("argument `data`"));
    CHECK_THAT(refusal_of(part({2, 3}, {1})), Contains("argument `k`"));
    CHECK_THAT(refusal_of(part({2, 3}, {}, dtype::float32)), Contains("an integer"));
}
