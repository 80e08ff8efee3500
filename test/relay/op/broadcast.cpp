#include <tutti/relay/op/broadcast.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <optional>

using namespace tutti;
using namespace tutti::test;
using relay::broadcast_shapes;
using relay::dim;
using relay::dims;

namespace {

constexpr dim any = dim::any();

constexpr std::optional<dims> both(const dims& a, const dims& b) { return broadcast_shapes(a, b); }

static_assert(both({2, 3}, {3}) == dims{2, 3} && both({}, {}) == dims{} && both({}, {2, 1}) == dims{2, 1});
static_assert(both({2, 1, 3}, {4, 1}) == dims{2, 4, 3} && !both({2}, {3}) && both({0}, {1}) == dims{0} &&
              !both({0}, {2}));

} // namespace

TEST_CASE("broadcast: shapes are aligned at the last axis and ones stretch", "[relay][broadcast]") {
    CHECK(both({2, 3}, {3}) == dims{2, 3});
    CHECK(both({3}, {2, 3}) == dims{2, 3});
    CHECK(both({2, 1, 3}, {4, 1}) == dims{2, 4, 3});
    CHECK(both({}, {2, 1}) == dims{2, 1});
    CHECK(both({0}, {1}) == dims{0});
    CHECK_FALSE(both({2}, {3}).has_value());
    CHECK_FALSE(both({3, 2}, {3}).has_value());
}

TEST_CASE("broadcast: an unknown dimension takes a number other than 1", "[relay][broadcast]") {
    CHECK(both({any}, {5}) == dims{5});
    CHECK(both({5}, {any}) == dims{5});
    CHECK(both({any}, {1}) == dims{any});
    CHECK(both({1}, {any}) == dims{any});
    CHECK(both({any}, {any}) == dims{any});
    CHECK(both({any, 2}, {2}) == dims{any, 2});
}

TEST_CASE("broadcast: wide dimensions are the same numbers", "[relay][broadcast]") {
    CHECK(both({dim::wide(5)}, {5}).has_value());
    CHECK(both({dim::wide(1)}, {5}) == dims{5});
    CHECK(both({dim::wide(1)}, {1}) == dims{1}); // if both sizes are 1, the second one is returned
    CHECK(both({1}, {dim::wide(1)}) == dims{dim::wide(1)});
}

TEST_CASE("broadcast: every operator has the type of both, under its own name", "[relay][broadcast]") {
    const auto check = [](auto make, std::string_view name) {
        relay::builder b;
        const auto e = make(b.variable("x", {2, 1}), b.variable("y", {3}));
        CHECK(b.graph().called_op(e.id)->name == name);
        CHECK(inferred(b, e) == "Tensor[(2, 3), float32]");
    };
    check(relay::add, "add");
    check(relay::divide, "divide");
    check(relay::logical_and, "logical_and");
    check(relay::maximum, "maximum");
    check(relay::minimum, "minimum");
    check(relay::multiply, "multiply");
    check(relay::power, "power");
    check(relay::bitwise_and, "bitwise_and");
    check(relay::bitwise_or, "bitwise_or");
    check(relay::bitwise_xor, "bitwise_xor");
    check(relay::floor_divide, "floor_divide");
    check(relay::floor_mod, "floor_mod");
    check(relay::logical_or, "logical_or");
    check(relay::logical_xor, "logical_xor");
    check(relay::mod, "mod");
    check(relay::right_shift, "right_shift");
    check(relay::trunc_divide, "trunc_divide");
    check(relay::trunc_mod, "trunc_mod");
    check(relay::subtract, "subtract");
}

TEST_CASE("broadcast: shapes or elements that do not fit are refused with both types", "[relay][broadcast]") {
    relay::builder b;
    CHECK(inference_refusal(b, relay::add(b.variable("x", {2, 3}), b.variable("y", {2}))) ==
          "@main: add, argument `rhs`: Tensor[(2), float32] does not fit `lhs`, Tensor[(2, 3), float32]; "
          "expected a shape that broadcasts with it");
    CHECK(inference_refusal(b, relay::multiply(b.variable("x", {}), b.variable("y", {}, relay::dtype::int32))) ==
          "@main: multiply, argument `rhs`: int32 does not fit `lhs`, float32; expected elements of type float32");
    const auto x = b.variable("x", {});
    CHECK(inference_refusal(b, relay::subtract(b.tuple({x}), x)) ==
          "@main: subtract, argument `lhs`: (float32,) does not fit `rhs`, float32; expected a tensor");
}
