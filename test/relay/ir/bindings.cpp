#include <tutti/relay/ir/bindings.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/walk.hpp>

#include "catch.hpp"

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
