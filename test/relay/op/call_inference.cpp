#include <tutti/relay/op/call_inference.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;

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

namespace user {

// An operator whose relation counts its calls. The result has the argument's type. With `Constant`, it is a vector
// whose size is the argument's value.
template <bool Constant>
struct told_of {
    static inline int asked = 0;
    static constexpr std::string_view name = Constant ? "user.of_value" : "user.of_type";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = relay::no_attributes;
    static constexpr relay::fusion_pattern pattern = relay::fusion_pattern::opaque;
    static relay::type_id infer(relay::relation& r, const attributes&) {
        ++asked;
        if (!r.knows(0)) return relay::type_id::none;
        if (!Constant) return r.argument(0);
        const relay::tensor* const value = r.constant(0);
        return r.tensor(relay::dims{value == nullptr ? -1 : value->data<std::int64_t>()[0]}, r.element(0));
    }
};

} // namespace user

TEST_CASE("call_inference: the relation is called once for calls with equal types", "[relay][call_inference]") {
    using like = user::told_of<false>;
    like::asked = 0;
    relay::builder b;
    auto x = b.variable("x", {2, 3});
    auto y = b.variable("y", {7});
    for (int i = 0; i < 5; ++i) x = relay::call_op<like>({}, x);
    for (int i = 0; i < 5; ++i) y = relay::call_op<like>({}, y);
    CHECK(inferred(b, b.tuple({x, y})) == "(Tensor[(2, 3), float32], Tensor[(7), float32])");
    CHECK(like::asked == 2);
}

TEST_CASE("call_inference: a relation that reads a value is called for each call", "[relay][call_inference]") {
    using of_value = user::told_of<true>;
    of_value::asked = 0;
    relay::builder b;
    const auto made = [&](std::int64_t i) { return relay::call_op<of_value>({}, b.constant(i)); };
    CHECK(inferred(b, b.tuple({made(1), made(2), made(1)})) ==
          "(Tensor[(1), int64], Tensor[(2), int64], Tensor[(1), int64])");
    CHECK(of_value::asked == 3);
}

TEST_CASE("call_inference: the relation is called again if anything differs from the last call",
          "[relay][call_inference]") {
    // Returns the error of `second(x, z)` after the valid call `good(x, y)`. x and y have two dimensions, and z has
    // three.
    const auto refused_behind = [](auto good, auto second) {
        relay::builder b;
        const auto x = b.variable("x", {2, 3});
        const auto first = good(x, b.variable("y", {2, 3}));
        return inference_refusal(b, b.tuple({first, second(x, b.variable("z", {1, 3, 2}))}));
    };
    const auto add = [](relay::expr x, relay::expr y) { return relay::add(x, y); };
    CHECK_THAT(refused_behind(add, add), Contains("add, argument `rhs`"));
    const auto add_one = [](relay::expr x, relay::expr) {
        const std::array one{x.id};
        return relay::expr{x.graph, relay::add_call<relay::op::add>(*x.graph, one)};
    };
    CHECK_THAT(refused_behind(add, add_one), Contains("add: called with 1 argument"));
    const auto softmax = [](std::int64_t axis) {
        return [axis](relay::expr x, relay::expr) { return relay::nn::softmax(x, {.axis = axis}); };
    };
    CHECK_THAT(refused_behind(softmax(1), softmax(2)), Contains("nn.softmax, attribute `axis`"));
}
