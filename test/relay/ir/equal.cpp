#include <tutti/relay/ir/equal.hpp>

#include <tutti/base/form.hpp>

#include "equality_cases.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

using namespace tutti::relay;

namespace {

TUTTI_CONSTEXPR function affine(float bias, std::string_view name) {
    builder b;
    const expr x = b.variable(name, {2});
    return b.function({x}, add(multiply(x, x), b.constant(bias)));
}
#ifndef TUTTI_COMPILED
static_assert(structural_equal(affine(1, "x"), affine(1, "y")));
static_assert(!structural_equal(affine(1, "x"), affine(2, "x")));
static_assert(!structural_equal(affine(1, "x"), affine(1, "y"), {.names = true}));
#endif

} // namespace

TEST_CASE("equal: properties that count and those that do not", "[relay][equal]") {
    CHECK(structural_equal(affine(1, "x"), affine(1, "y")));
    for (const equality_case& c : equality_cases()) {
        INFO(c.what);
        CHECK(structural_equal(c.a, c.b, c.options) == c.equal);
        CHECK(structural_equal(c.b, c.a, c.options) == c.equal);
        CHECK(structural_equal(c.a, c.a, c.options));
        CHECK(structural_equal(c.b, function(c.b), c.options));
    }
}

TEST_CASE("equal: expressions of one graph, where a free variable is itself alone", "[relay][equal]") {
    builder b;
    const expr x = b.variable("x");
    const expr other = b.variable("x");
    const expr p = negative(x);
    const expr q = negative(x);
    const graph& g = b.graph();
    CHECK(structural_equal(g, p.id, g, q.id));
    CHECK_FALSE(structural_equal(g, p.id, g, negative(other).id));
    CHECK(structural_equal(g, p.id, g, negative(other).id, {.map_free_variables = true}));
    CHECK(structural_equal(g, add(p, q).id, g, add(q, p).id));
    CHECK_FALSE(structural_equal(g, add(p, q).id, g, add(p, p).id));
}

TEST_CASE("equal: the first difference is the first one that differs, users before operands", "[relay][equal]") {
    builder b;
    const expr x = b.variable("x");
    const expr y = b.variable("y");
    const expr left = negative(x);
    const expr one = b.tuple({left, negative(x), x});
    const expr two = b.tuple({negative(x), abs(x), y});
    const graph& g = b.graph();
    CHECK(first_difference(g, one.id, g, one.id) == std::nullopt);
    const std::optional<difference> found = first_difference(g, one.id, g, two.id);
    REQUIRE(found);
    CHECK(*found == difference{g.callee(g.operand(one.id, 1)), g.callee(g.operand(two.id, 1))});
    CHECK(first_difference(g, one.id, g, x.id) == difference{one.id, x.id});
}

TEST_CASE("equal: a copy is equal, also with other inferred types or unused expressions", "[relay][equal]") {
    const equality_options all{.names = true, .inferred_types = true};
    const function f = affine(1, "x");
    function copy = f;
    CHECK(structural_equal(f, copy, all));
    copy.graph.types().tensor(std::array{dim(9)}, dtype::boolean); // makes the type tables differ, which forces a walk
    CHECK(structural_equal(f, copy, all));
    const expr_id x = copy.graph.params(copy.root)[0];
    const type_id other = copy.graph.types().tensor(std::array{dim(3)}, dtype::float32);
    copy.graph.set_type(x, other);
    CHECK(structural_equal(f, copy));
    CHECK_FALSE(structural_equal(f, copy, all));
    copy = f;
    copy.graph.set_annotation(x, type_id::none);
    CHECK_FALSE(structural_equal(f, copy));
    copy = f;
    copy.graph.set_result_annotation(copy.root, f.graph.annotation(x));
    CHECK_FALSE(structural_equal(f, copy));
    copy = f;
    copy.graph.tuple({});
    CHECK(structural_equal(f, copy, all));

    graph a, b; // a and b differ only in names, numbers and attributes
    for (graph* const g : {&a, &b}) {
        const std::array value{attr_value::of(dim(g == &a ? 1 : 2))};
        const expr_id v = g->variable(g == &a ? "v" : "w");
        g->function(std::array{v}, v);
        g->projection(g->tuple({}), g == &a ? 0 : 1);
        g->call(expr_id{1}, std::array{expr_id{2}}, g->attrs().add(value));
        g->global(g == &a ? "f" : "g");
    }
    CHECK(structural_equal(a, expr_id{1}, b, expr_id{1}));
    CHECK_FALSE(structural_equal(a, expr_id{1}, b, expr_id{1}, all));
    for (const std::uint32_t differs : {3U, 4U, 5U})
        CHECK_FALSE(structural_equal(a, expr_id{differs}, b, expr_id{differs}));
    CHECK(structural_equal(a, expr_id{2}, b, expr_id{2}));
}

TEST_CASE("equal: modules have the same functions under the same names", "[relay][equal]") {
    ir_module a(affine(1, "x"));
    CHECK(structural_equal(a, ir_module(affine(1, "y"))));
    CHECK_FALSE(structural_equal(a, ir_module(affine(1, "y")), {.names = true}));
    ir_module b = a;
    b.set("helper", affine(2, "x"));
    CHECK_FALSE(structural_equal(a, b));
    a.set("assistant", affine(2, "x"));
    CHECK_FALSE(structural_equal(a, b));
    CHECK(structural_equal(ir_module(), ir_module()));
}

TEST_CASE("equal: a million calls deep, without recursion", "[relay][equal]") {
    const auto chain = [](std::string_view name, bool end) {
        builder b;
        const expr x = b.variable(name);
        expr last = end ? negative(x) : x;
        for (int i = 0; i < 1'000'000; ++i) last = add(last, x);
        return b.function({x}, last);
    };
    CHECK(structural_equal(chain("x", false), chain("y", false)));
    CHECK_FALSE(structural_equal(chain("x", false), chain("x", true)));
}

TEST_CASE("equal: types a hundred thousand tuples deep, and types that share", "[relay][equal]") {
    const auto typed = [](bool twice, int depth, dtype element) {
        builder b;
        type_table& types = b.graph().types();
        type_id t = types.tensor({}, element);
        for (int i = 0; i < depth; ++i) {
            const type_id members[]{t, t};
            t = types.tuple(std::span(members).first(twice ? 2 : 1));
        }
        const expr x{&b.graph(), b.graph().variable("x", t)};
        return b.function({x}, x);
    };
    CHECK(structural_equal(typed(false, 100'000, dtype::int8), typed(false, 100'000, dtype::int8)));
    CHECK_FALSE(structural_equal(typed(false, 100'000, dtype::int8), typed(false, 100'000, dtype::int16)));
    CHECK(structural_equal(typed(true, 1000, dtype::int8), typed(true, 1000, dtype::int8)));
    CHECK_FALSE(structural_equal(typed(true, 1000, dtype::int8), typed(true, 1000, dtype::int16)));
}
