#include <tutti/relay/ir/rewrite.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

#include <array>
#include <string>
#include <utility>

using namespace tutti::relay;

namespace {

constexpr bool keeps_sharing_and_drops_what_is_unused() {
    builder b;
    const auto x = b.variable("x", {2});
    const auto shared = b.tuple({x});
    const auto unused = b.tuple({x, x, x});
    const function f = b.function({x}, b.tuple({shared, shared}));
    rewriter r(f.graph, f.root);
    const expr_id root = r.run([](rewriter& into, expr_id e) { return into.rebuild(e); });
    const graph& g = r.to();
    return unused.id != shared.id && g.size() == 4 && g.operand(g.body(root), 0) == g.operand(g.body(root), 1) &&
           g.params(root)[0] == g.operand(g.operand(g.body(root), 0), 0);
}
static_assert(keeps_sharing_and_drops_what_is_unused());

} // namespace

TEST_CASE("rewriter: keeps sharing and drops unused expressions", "[relay][rewrite]") {
    CHECK(keeps_sharing_and_drops_what_is_unused());
}

TEST_CASE("rewriter: an expression with unchanged operands keeps its type, others lose it", "[relay][rewrite]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto over_x = b.tuple({x});
    const auto over_y = b.tuple({y});
    const auto both = b.tuple({over_x, over_y});
    graph& g = b.graph();
    const type_id t = g.types().tensor({}, dtype::float32);
    for (const expr e : {x, y, over_x, over_y, both}) g.set_type(e.id, t);
    rewriter r(g, both.id);
    r.run([&](rewriter& into, expr_id e) { return e == y.id ? into.to().variable("new") : into.rebuild(e); });
    CHECK(r.to().type(r[x.id]) == t);
    CHECK(r.to().type(r[over_x.id]) == t);
    CHECK(r.to().type(r[y.id]) == type_id::none);
    CHECK(r.to().type(r[over_y.id]) == type_id::none);
    CHECK(r.to().type(r[both.id]) == type_id::none);
}

TEST_CASE("rewriter: a rebuilt and then wrapped expression counts as new for its users", "[relay][rewrite]") {
    builder b;
    const auto x = b.variable("x");
    const auto user = b.tuple({x});
    graph& g = b.graph();
    const type_id t = g.types().tensor({}, dtype::float32);
    g.set_type(x.id, t);
    g.set_type(user.id, t);
    rewriter r(g, user.id);
    r.run([&](rewriter& into, expr_id e) {
        const expr_id made = into.rebuild(e);
        if (e != x.id) return made;
        const std::array field{made};
        return into.to().tuple(field);
    });
    CHECK(r.to().kind(r[x.id]) == expr_kind::tuple);
    CHECK(r.to().type(r[user.id]) == type_id::none);
}

TEST_CASE("rewriter: a variable can be replaced once its value is known", "[relay][rewrite]") {
    builder b;
    const auto x = b.variable("x");
    const auto value = b.constant(1.0F);
    const auto body = b.tuple({x});
    const auto let = b.let(x, value, body);
    rewriter r(b.graph(), let.id);
    const expr_id root = r.run([&](rewriter& into, expr_id e) {
        if (e == let.id) return into[body.id];
        const expr_id made = into.rebuild(e);
        if (e == value.id) into.replace(x.id, made);
        return made;
    });
    CHECK(r.to().kind(r.to().operand(root, 0)) == expr_kind::constant);
}

TEST_CASE("rewriter: rewrites a million expressions deep", "[relay][rewrite][deep]") {
    graph g;
    expr_id e = g.variable("x");
    for (int i = 0; i < 1'000'000; ++i) {
        const std::array field{e};
        e = i % 2 == 0 ? g.tuple(field) : g.projection(e, 0);
    }
    rewriter r(g, e);
    r.run([](rewriter& into, expr_id old) { return into.rebuild(old); });
    CHECK(r.to().size() == g.size());
    const graph copy = r.to();
    CHECK(copy.size() == 1'000'001);
}

TEST_CASE("rewriter: a typed copy keeps its type, whatever its operands", "[relay][rewrite]") {
    builder b;
    const auto x = b.variable("x");
    const auto tuple = b.tuple({x});
    const type_id type = b.graph().types().tuple({});
    b.graph().set_type(tuple.id, type);
    for (const bool typed : {false, true}) {
        rewriter r(b.graph(), tuple.id);
        const expr_id root = r.run([&](rewriter& into, expr_id e) {
            if (e == x.id) return into.to().variable("y");
            return typed ? into.rebuild_typed(e) : into.rebuild(e);
        });
        CHECK(r.to().type(root) == (typed ? type : type_id::none));
    }
}

TEST_CASE("rewriter: a replacement gets the source location of the original", "[relay][rewrite]") {
    builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    const auto both = b.tuple({x, y});
    graph& g = b.graph();
    g.set_location(x.id, {3, 8});
    g.set_location(y.id, {4, 8});
    g.set_location(both.id, {5, 3});
    rewriter r(g, both.id);
    r.run([&](rewriter& into, expr_id e) {
        if (e == y.id) return into[x.id];
        if (e != both.id) return into.rebuild(e);
        const expr_id inner = into.to().tuple(std::array{into[x.id]});
        return into.to().tuple(std::array{inner, into[y.id]});
    });
    const graph& made = r.to();
    CHECK(made.location(r[both.id]) == source_location{5, 3});
    CHECK(made.location(made.operand(r[both.id], 0)) == source_location{});
    CHECK(made.location(r[y.id]) == source_location{3, 8}); // y became x, which keeps its location
}

TEST_CASE("rewriter: an expression of the old graph where one of the new is wanted is an error", "[relay][rewrite]") {
    builder b;
    std::array<expr, 8> unused{};
    for (expr& each : unused) each = b.constant(1.0F);
    const auto x = b.variable("x");
    const auto inner = b.tuple({x});
    b.graph().set_source_name(inner.id, "pair");
    const auto outer = b.tuple({inner});
    const function f = b.function({x}, outer);
    const auto said = [&](auto rule) -> std::string {
        rewriter r(f);
        try {
            r.run(rule);
        } catch (const rewrite_error& e) {
            return e.what();
        }
        return "nothing";
    };
    const std::string expected = "; expected r[old], r.rebuild(old) or an expression made in r.to()";
    CHECK(said([&](rewriter& r, expr_id e) { return e == x.id ? e : r.rebuild(e); }) ==
          "rewriting %x: the rule returned an expression that is not in the new graph" + expected);
    CHECK(said([&](rewriter& r, expr_id e) { return e == outer.id ? r.from().operand(e, 0) : r.rebuild(e); }) ==
          "rewriting tuple: the rule returned an expression that is not in the new graph" + expected);
    CHECK(said([&](rewriter& r, expr_id e) {
              return e == inner.id ? r.to().tuple(r.from().operands(e)) : r.rebuild(e);
          }) ==
          "rewriting tuple of pair: the rule used as an operand an expression that is not in the new graph" + expected);
    CHECK(said([&](rewriter& r, expr_id e) {
              if (e == x.id) return expr_id::none;
              if (e != inner.id) return r.rebuild(e);
              const std::array field{r[x.id]};
              return r.to().tuple(field);
          }) == "rewriting tuple of pair: the rule used an operand that has no replacement" + expected);
    CHECK(said([&](rewriter& r, expr_id e) {
              const std::array field{r[x.id]};
              return e == inner.id ? r.to().tuple(field) : r.rebuild(e);
          }) == "nothing");
}
