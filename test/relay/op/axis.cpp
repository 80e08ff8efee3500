#include <tutti/relay/op/axis.hpp>

#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;

TEST_CASE("axis: counts from either end", "[relay][axis]") {
    for (const std::int64_t axis : {-2, -1, 0, 1}) {
        relay::builder b;
        CHECK(inferred(b, relay::nn::softmax(b.variable("x", {2, 3}), {.axis = axis})) == "Tensor[(2, 3), float32]");
    }
}

TEST_CASE("axis: one that does not exist is refused with the range", "[relay][axis]") {
    for (const std::int64_t axis : {-3, 2}) {
        relay::builder b;
        CHECK(inference_refusal(b, relay::nn::softmax(b.variable("x", {2, 3}), {.axis = axis})) ==
              "@main: nn.softmax, attribute `axis`: " + std::to_string(axis) +
                  " is not an axis of Tensor[(2, 3), float32]; expected -2 to 1");
    }
}

TEST_CASE("axis: a scalar has none", "[relay][axis]") {
    relay::builder b;
    CHECK(inference_refusal(b, relay::nn::softmax(b.variable("x", {}))) ==
          "@main: nn.softmax, attribute `axis`: -1 is not an axis of float32; expected one dimension or more");
}
