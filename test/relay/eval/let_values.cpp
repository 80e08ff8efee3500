#include <tutti/relay/eval/let_values.hpp>

#include <tutti/relay/ir/walk.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::expr_id;

TEST_CASE("let_values: a let and its variable resolve to the final value", "[relay][eval]") {
    relay::graph g;
    const expr_id one = g.constant(relay::tensor::scalar(1.F));
    const expr_id x = g.variable("x");
    const expr_id y = g.variable("y");
    const expr_id free = g.variable("z");
    const expr_id inner = g.let(y, x, y);
    const expr_id let = g.let(x, one, inner);
    const expr_id all = g.tuple(std::vector{let, free});
    eval::let_values values(g, relay::post_order(g, all));
    for (int times = 0; times < 2; ++times)
        for (const expr_id e : {let, inner, y, x, one}) CHECK(values.resolve(e) == one);
    CHECK(values.resolve(free) == free);
    CHECK(values.resolve(all) == all);
}

TEST_CASE("let_values: a variable that is bound to itself is refused", "[relay][eval]") {
    relay::graph g;
    const expr_id x = g.variable("x");
    const expr_id y = g.variable("y");
    const expr_id inner = g.let(y, x, y);
    const expr_id let = g.let(x, y, inner);
    eval::let_values values(g, relay::post_order(g, let));
    CHECK_THROWS_AS(values.resolve(let), tutti::error);
}
