#include <tutti/relay/eval/placement.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using eval::placement;

TEST_CASE("placement: an expression is where all its uses are", "[relay][eval]") {
    relay::builder b;
    const auto c = b.variable("c");
    const auto x = b.variable("x");
    const auto in_then = b.tuple({x});
    const auto in_both = b.tuple({x, x});
    const auto branches = b.conditional(c, b.tuple({in_then, in_then, in_both}), b.tuple({in_both}));
    const relay::function f = b.function({c, x}, branches);
    const placement places(f.graph, f.root);
    const auto body = places.opened_by(f.root);
    const auto then = places.opened_by(branches.id);
    CHECK(places.scope(f.root) == relay::scope_tree::outside);
    CHECK(places.scope(x.id) == body);
    CHECK(places.scope(branches.id) == body);
    CHECK(places.scope(in_both.id) == body);
    CHECK(places.scope(in_then.id) == then);
    CHECK(places.scope_count() == 4); // the top level, the body, and two branches
    CHECK(places.function_around(then + 1) == 0);
}

TEST_CASE("placement: functions are numbered, and know the one around them", "[relay][eval]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto used = b.tuple({x});
    const auto inner = b.nested({}, used);
    const auto outer = b.nested({y}, b.tuple({inner, inner}));
    const auto unused = b.tuple({y});
    const relay::function f = b.function({x}, outer);
    const placement places(f.graph, f.root);
    REQUIRE(places.function_count() == 3);
    CHECK(places.number(f.root) == 0);
    CHECK(places.number(outer.id) == 1);
    CHECK(places.number(inner.id) == 2);
    CHECK(places.number(used.id) == placement::no_function);
    CHECK(places.outer(0) == placement::no_function);
    CHECK(places.outer(1) == 0);
    CHECK(places.outer(2) == 1);
    CHECK(places.function_around(places.scope(used.id)) == 2);
    CHECK(places.scope(unused.id) == relay::scope_tree::none);
}
