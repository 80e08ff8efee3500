#include <tutti/relay/op/call_inference.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "catch.hpp"

#include <array>
#include <vector>

using namespace tutti;
using namespace tutti::test;

TEST_CASE("call_inference: a constant's type has its shape and element type", "[relay][call_inference]") {
    relay::graph g;
    CHECK(relay::to_text(g.types(), relay::type_of_constant(g, relay::tensor::scalar(true))) == "bool");
    CHECK(relay::to_text(g.types(), relay::type_of_constant(g, relay::tensor(relay::dtype::int8, {2, 0}))) ==
          "Tensor[(2, 0), int8]");
}

TEST_CASE("call_inference: a wrong number of arguments is refused with their names", "[relay][call_inference]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const std::array one{x.id};
    const relay::expr add{&b.graph(), relay::add_call<relay::op::add>(b.graph(), one)};
    CHECK(inference_refusal(b, add) == "@main: add: called with 1 argument; expected 2: lhs, rhs");
    const auto y = b.variable("y", {2});
    const std::array three{y.id, y.id, y.id};
    const relay::expr softmax{&b.graph(), relay::add_call<relay::op::nn::softmax>(b.graph(), three)};
    CHECK(inference_refusal(b, softmax) == "@main: nn.softmax: called with 3 arguments; expected 1: data");
    const relay::expr none{&b.graph(), relay::add_call<relay::op::nn::softmax>(b.graph(), {})};
    CHECK(inference_refusal(b, none) == "@main: nn.softmax: called with 0 arguments; expected 1: data");
}
