#include <tutti/relay/transform/rewrite/let_inlining.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

constexpr auto all_pure = [](relay::expr_id) { return true; };

std::string inlined(const relay::function& f) {
    const relay::detail::let_inlining inlining(f, all_pure);
    return inlining.any() ? test::bare_text(relay::ir_module(inlining.result())) : "nothing to inline";
}

} // namespace

TEST_CASE("let_inlining: moves a value to its variable's use, even if it was made later", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto a = b.variable("a");
    const auto use = relay::negative(a);
    const auto value = relay::exp(x);
    CHECK(inlined(b.function({x}, b.let(a, value, use))) == "def @main(%x) {\n  %0 = exp(%x);\n  negative(%0)\n}\n");
}

TEST_CASE("let_inlining: keeps lets that are used twice, or in a nested function", "[relay][transform][dce]") {
    const auto with_use = [](auto use) {
        relay::builder b;
        const auto x = b.variable("x");
        const auto a = b.variable("a");
        return inlined(b.function({x}, b.let(a, relay::exp(x), use(b, a))));
    };
    CHECK(with_use([](relay::builder& b, relay::expr a) { return b.tuple({a, a}); }) == "nothing to inline");
    CHECK(with_use([](relay::builder& b, relay::expr a) { return b.nested({}, relay::negative(a)); }) ==
          "nothing to inline");
    CHECK(with_use([](relay::builder& b, relay::expr a) { return b.tuple({a}); }) ==
          "def @main(%x) {\n  %0 = exp(%x);\n  (%0,)\n}\n");
}

TEST_CASE("let_inlining: the operands of a value count as used at the value's first use", "[relay][transform][dce]") {
    // %a has one use, in the value of %c.
    const auto with_use = [](auto use) {
        relay::builder b;
        const auto x = b.variable("x");
        const auto a = b.variable("a");
        const auto c = b.variable("c");
        return inlined(b.function({x}, b.let(a, relay::exp(x), b.let(c, relay::tanh(a), use(b, c)))));
    };
    CHECK(with_use([](relay::builder& b, relay::expr c) { return b.tuple({c, c}); }) ==
          "def @main(%x) {\n  %0 = exp(%x);\n  let %c = tanh(%0);\n  (%c, %c)\n}\n");
    // A value that is used in a nested function would be computed in each call of the function.
    CHECK(with_use([](relay::builder& b, relay::expr c) { return b.nested({}, relay::negative(c)); }) ==
          "nothing to inline");
}

TEST_CASE("let_inlining: a shared let counts its uses once", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto a = b.variable("a");
    const auto let = b.let(a, relay::exp(x), relay::tanh(a));
    CHECK(inlined(b.function({x}, relay::add(let, let))) ==
          "def @main(%x) {\n  %0 = exp(%x);\n  %1 = tanh(%0);\n  add(%1, %1)\n}\n");
}

TEST_CASE("let_inlining: keeps impure values", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto a = b.variable("a");
    const relay::function f = b.function({x}, b.let(a, relay::exp(x), relay::negative(a)));
    CHECK_FALSE(relay::detail::let_inlining(f, [](relay::expr_id) { return false; }).any());
}
