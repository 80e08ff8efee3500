#include <tutti/relay/ir/bindings.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/walk.hpp>

#include "support/catch.hpp"

#include <array>
#include <vector>

using namespace tutti::relay;

namespace {

std::vector<expr_id> bound_to(const bindings& b, expr_id value) {
    std::vector<expr_id> variables;
    b.for_each_variable(value, [&](expr_id v) { variables.push_back(v); });
    return variables;
}

} // namespace

TEST_CASE("bindings: a graph without lets has none", "[relay][bindings]") {
    builder b;
    const auto x = b.variable("x");
    const auto pair = b.tuple({x, x});
    const bindings found(b.graph(), post_order(b.graph(), pair.id));
    CHECK(bound_to(found, x.id).empty());
    CHECK(bound_to(found, pair.id).empty());
}

TEST_CASE("bindings: a value may be bound to several variables, and a variable be a value", "[relay][bindings]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto z = b.variable("z");
    const auto value = b.constant(1.0F);
    const auto inner = b.let(z, y, z);
    const auto outer = b.let(x, value, b.let(y, value, inner));
    const bindings found(b.graph(), post_order(b.graph(), outer.id));
    CHECK_THAT(bound_to(found, value.id), Catch::Matchers::UnorderedEquals(std::vector{x.id, y.id}));
    CHECK(bound_to(found, y.id) == std::vector{z.id});
    CHECK(bound_to(found, z.id).empty());
}

TEST_CASE("bindings: lets that are not among the expressions do not count", "[relay][bindings]") {
    builder b;
    const auto x = b.variable("x");
    const auto value = b.constant(1.0F);
    const auto let = b.let(x, value, x);
    const auto other = b.let(b.variable("y"), value, value);
    const bindings found(b.graph(), post_order(b.graph(), let.id));
    CHECK(bound_to(found, value.id) == std::vector{x.id});
    CHECK(other.id != let.id);
}

TEST_CASE("needed_through_lets: a value is needed if something needed uses its variable", "[relay][ir]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id a = g.variable("a");
    const expr_id b = g.variable("b");
    const expr_id of_a = g.tuple(std::array{x});
    const expr_id of_b = g.tuple(std::array{a}); // the only use of %a
    const expr_id body = g.tuple(std::array{x});
    const auto needed_in = [&](expr_id result) {
        const expr_id root = g.let(a, of_a, g.let(b, of_b, result));
        return needed_through_lets(g, root, post_order(g, root));
    };
    const auto unused = needed_in(body);
    CHECK(unused[index(body)] == 1);
    CHECK(unused[index(of_a)] == 0);
    CHECK(unused[index(of_b)] == 0);
    const auto used = needed_in(b);
    CHECK(used[index(of_a)] == 1);
    CHECK(used[index(of_b)] == 1);
}
