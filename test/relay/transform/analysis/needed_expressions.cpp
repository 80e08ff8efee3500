#include <tutti/relay/transform/analysis/needed_expressions.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

using namespace tutti;
using relay::expr_id;

namespace {

constexpr auto all_pure = [](expr_id) { return true; };
constexpr auto none_pure = [](expr_id) { return false; };

relay::detail::needed_expressions needed(const relay::function& f, bool pure) {
    return pure ? relay::detail::needed_expressions(f.graph, f.root, all_pure)
                : relay::detail::needed_expressions(f.graph, f.root, none_pure);
}

bool stays(relay::detail::needed_expressions& n, relay::expr e) { return n.becomes()[index(e.id)] == e.id; }
bool goes(relay::detail::needed_expressions& n, relay::expr e) { return n.becomes()[index(e.id)] == expr_id::none; }

} // namespace

TEST_CASE("needed_expressions: an unused let becomes its body, without its value", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto a = b.variable("a");
    const auto value = relay::exp(x);
    const auto let = b.let(a, value, x);
    const relay::function f = b.function({x}, let);
    auto n = needed(f, true);
    CHECK_FALSE(n.all_lets());
    CHECK(stays(n, x));
    CHECK(goes(n, a));
    CHECK(goes(n, value));
    CHECK(n.becomes()[index(let.id)] == x.id);
    auto impure = needed(f, false);
    CHECK(impure.all_lets());
    CHECK(stays(impure, a));
    CHECK(stays(impure, value));
}

TEST_CASE("needed_expressions: a value is needed if its variable is used anywhere", "[relay][transform][dce]") {
    for (const bool value_last : {false, true}) {
        relay::builder b;
        const auto x = b.variable("x");
        const auto a = b.variable("a");
        const auto other = b.variable("b");
        auto value = value_last ? x : relay::exp(x);
        const auto use = relay::negative(a);
        // The value may be created after its use. A walk over the ids then reaches the value before the use.
        if (value_last) value = relay::exp(relay::negative(x));
        const auto inner = b.let(other, a, use); // removes only the unused `other`
        const auto outer = b.let(a, value, inner);
        const relay::function f = b.function({x}, outer);
        auto n = needed(f, true);
        CHECK_FALSE(n.all_lets());
        for (const relay::expr e : {x, a, value, use, outer}) CHECK(stays(n, e));
        CHECK(n.becomes()[index(inner.id)] == use.id);
        CHECK(goes(n, other));
    }
}

TEST_CASE("needed_expressions: an alias needs its value", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto a = b.variable("a");
    const auto alias = b.variable("alias");
    const auto value = relay::exp(x);
    const auto let = b.let(a, value, b.let(alias, a, alias));
    const relay::function f = b.function({x}, let);
    auto n = needed(f, true);
    CHECK(n.all_lets());
    CHECK(stays(n, value));
}

TEST_CASE("needed_expressions: removes a function that only calls itself", "[relay][transform][dce]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto f = b.variable("f");
    const auto y = b.variable("y");
    const auto recursive = b.nested({y}, b.call(f, {y}));
    const auto let = b.let(f, recursive, x);
    const relay::function main = b.function({x}, let);
    auto n = needed(main, true);
    CHECK(goes(n, recursive));
    CHECK(goes(n, f));
}
