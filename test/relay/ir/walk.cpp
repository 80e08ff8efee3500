#include <tutti/relay/ir/walk.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "catch.hpp"

#include <array>
#include <vector>

using namespace tutti::relay;

namespace {

constexpr bool meets_operands_first_and_each_once() {
    builder b;
    const auto x = b.variable("x");
    const auto unused = b.tuple({x});
    const auto a = b.tuple({x, x});
    const auto c = b.tuple({a[1], a, x});
    const auto order = post_order(b.graph(), c.id);
    return unused.id != c.id && order == std::vector{x.id, a.id, b.graph().operand(c.id, 0), c.id};
}
static_assert(meets_operands_first_and_each_once());

} // namespace

TEST_CASE("walk: meets operands before users and each expression once", "[relay][walk]") {
    CHECK(meets_operands_first_and_each_once());
}

TEST_CASE("walk: a let's variable comes before its value, and the value before the body", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto value = b.constant(1.0F);
    const auto body = b.tuple({x});
    const auto let = b.let(x, value, body);
    CHECK(post_order(b.graph(), let.id) == std::vector{x.id, value.id, body.id, let.id});
}

TEST_CASE("walk: another order may be asked for", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto both = b.tuple({x, y});
    const auto before = [&](expr_id e) { return e == x.id ? y.id : expr_id::none; };
    CHECK(post_order(b.graph(), both.id, before) == std::vector{y.id, x.id, both.id});
}

TEST_CASE("walk: free variables are those that neither parameters nor lets bind", "[relay][walk]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto z = b.variable("z");
    const auto captured = b.variable("captured");
    const auto f = b.nested({x}, b.tuple({x, captured}));
    const auto body = b.let(y, z, b.call(f, {y}));
    CHECK(free_variables(b.graph(), body.id) == std::vector{z.id, captured.id});
    CHECK(free_variables(b.graph(), f.id) == std::vector{captured.id});
    CHECK(free_variables(b.graph(), b.nested({z, captured}, body).id).empty());
}

TEST_CASE("walk: goes a million expressions deep, along operands, functions and shared halves", "[relay][walk][deep]") {
    constexpr std::size_t depth = 1'000'000;
    graph g;
    expr_id e = g.variable("x");
    for (std::size_t i = 0; i < depth; ++i) {
        const std::array both{e, e}; // 2^1000000 paths
        e = i % 3 == 0 ? g.function({}, e) : i % 3 == 1 ? g.tuple(both) : g.projection(e, 0);
    }
    CHECK(post_order(g, e).size() == depth + 1);
    CHECK(free_variables(g, e).size() == 1);
}
