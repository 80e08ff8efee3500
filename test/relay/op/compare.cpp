#include <tutti/relay/op/compare.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("compare: the result is of type bool and of the shape that both have together", "[relay][compare]") {
    const auto both = [](const dims& x, const dims& y) {
        return type_of([&](relay::builder& b) { return relay::less(b.variable("x", x), b.variable("y", y)); });
    };
    CHECK(both({2, 1}, {3}) == "Tensor[(2, 3), bool]");
    CHECK(both({dim::any(), 4}, {4}) == "Tensor[(?, 4), bool]");
    CHECK(both({}, {}) == "bool");
    CHECK(refusal_of([](relay::builder& b) { return relay::equal(b.variable("x", {2}), b.variable("y", {3})); }) ==
          "@main: equal, argument `rhs`: Tensor[(3), float32] does not fit `lhs`, Tensor[(2), float32]; "
          "expected a shape that broadcasts with it");
    CHECK_THAT(refusal_of([](relay::builder& b) {
                   return relay::greater(b.variable("x", {2}), b.variable("y", {2}, dtype::int32));
               }),
               Contains("expected elements of type float32"));
}

TEST_CASE("compare: where takes the type of its values and the shape of all three", "[relay][compare]") {
    const auto chosen = [](const dims& condition, const dims& x, const dims& y) {
        return [=](relay::builder& b) {
            return relay::where(b.variable("c", condition, dtype::boolean), b.variable("x", x, dtype::int64),
                                b.variable("y", y, dtype::int64));
        };
    };
    CHECK(type_of(chosen({4}, {4}, {})) == "Tensor[(4), int64]");
    CHECK(type_of(chosen({2, 1}, {3}, {1})) == "Tensor[(2, 3), int64]");
    CHECK_THAT(refusal_of(chosen({4}, {3}, {3})), Contains("where, argument `condition`"));
    CHECK_THAT(refusal_of(chosen({4}, {3}, {4})), Contains("where, argument `y`"));
}
