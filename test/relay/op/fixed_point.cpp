#include <tutti/relay/op/fixed_point.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;

TEST_CASE("fixed_point: the result is of the data's type", "[relay][fixed_point]") {
    CHECK(type_of([](relay::builder& b) {
              return relay::fixed_point_multiply(b.variable("x", {2, dim::any()}, dtype::int32),
                                                 {.multiplier = std::int64_t{1 << 30}, .shift = std::int64_t{-3}});
          }) == "Tensor[(2, ?), int32]");
    const auto per_axis = [](const dims& factors, const dims& axes) {
        return [=](relay::builder& b) {
            const auto f = b.variable("f", factors, dtype::int32);
            return relay::fixed_point_multiply_per_axis(b.variable("x", {2, 3}, dtype::int32), f, f, f, {.axes = axes});
        };
    };
    CHECK(type_of(per_axis({3}, {-1})) == "Tensor[(2, 3), int32]");
    CHECK(type_of(per_axis({2, 3}, {0, 1})) == "Tensor[(2, 3), int32]");
    CHECK_THAT(refusal_of(per_axis({3}, {0})), Contains("fixed_point_multiply_per_axis, argument `multiplier`") &&
                                                   Contains("an element for each place along the axes"));
    CHECK_THAT(refusal_of(per_axis({3}, {2})), Contains("attribute `axes`: 2 is not an axis"));
}
