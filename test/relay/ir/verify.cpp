#include <tutti/relay/ir/verify.hpp>

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/open_function.hpp"
#include "support/catch.hpp"

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace tutti::relay;

namespace {

template <class... Arguments>
std::string refusal(Arguments&&... arguments) {
    try {
        verify_structure(arguments...);
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing";
}

expr_id tuple_of(graph& g, std::initializer_list<expr_id> fields) {
    return g.tuple(std::span(fields.begin(), fields.size()));
}
expr_id function_of(graph& g, std::initializer_list<expr_id> params, expr_id body) {
    return g.function(std::span(params.begin(), params.size()), body);
}

TUTTI_CONSTEXPR bool accepts_a_program() {
    builder b;
    const expr x = b.variable("x");
    const expr v = b.variable("v");
    const function f = b.function({x}, b.let(v, negative(x), add(v, x)));
    verify_structure(f.graph, f.root);
    return true;
}
#ifndef TUTTI_COMPILED
static_assert(accepts_a_program());
#endif

} // namespace

TEST_CASE("verify: accepts every kind of expression", "[relay][verify]") {
    CHECK(accepts_a_program());
    builder b;
    const expr x = b.variable("x", {1});
    const expr f = b.variable("f");
    const expr p = b.variable("p");
    const expr recursive = b.nested({p}, b.conditional(b.constant(true), p, b.call(f, {p})));
    const expr body =
        b.let(f, recursive, b.tuple({b.call(f, {x}), b.call(b.global("main"), {x}), b.tuple({x})[0], b.tuple({})}));
    ir_module m(b.function({x}, body));
    CHECK(refusal(m) == "nothing");
    CHECK(refusal(ir_module()) == "nothing");
}

TEST_CASE("verify: operands come before their users", "[relay][verify]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id self = tuple_of(g, {expr_id{1}});
    CHECK(refusal(g, self) == "tuple, expression 1: has an operand that does not come before it; expected "
                              "operands before their users");
    graph later;
    later.tuple(std::array{expr_id{1}});
    CHECK(refusal(later, later.variable("x")) == "tuple, expression 0: has an operand that does not come "
                                                 "before it; expected operands before their users");
    graph far;
    const expr_id none = tuple_of(far, {expr_id::none});
    CHECK(refusal(far, none) == "tuple, expression 0: has an operand that does not come before it; expected "
                                "operands before their users");
    CHECK(refusal(g, expr_id{2}) == "root: is not an expression of the graph");
    CHECK(refusal(g, expr_id::none) == "root: is not an expression of the graph");
    CHECK(refusal(graph(), x) == "root: is not an expression of the graph");
}

TEST_CASE("verify: types and attributes are in the graph's tables", "[relay][verify]") {
    builder b;
    const expr x = b.variable("x");
    graph& g = b.graph();
    const auto refused = [&](auto spoil) {
        graph copy = g;
        const expr_id root = spoil(copy);
        return refusal(copy, root, verify_options{.free_variables = true});
    };
    CHECK(refused([&](graph& c) {
              c.set_type(x.id, type_id{0});
              return x.id;
          }) == "%x, expression 0: has a type that is not in the graph's table");
    CHECK(refused([&](graph& c) { return c.variable("y", type_id{3}); }) ==
          "%y, expression 1: is declared with a type that is not in the graph's table");
    CHECK(refused([&](graph& c) { return c.call(x.id, {}, attrs_id{0}); }) ==
          "call, expression 1: has attributes that are not in the graph's tables");
    CHECK(refused([&](graph& c) { return c.function({}, x.id, type_id{0}); }) ==
          "function, expression 1: declares a result type that is not in the graph's table");
    CHECK(refused([&](graph& c) { return c.function({}, x.id, type_id::none, attrs_id{0}); }) ==
          "function, expression 1: has attributes that are not in the graph's tables");
    CHECK(refused([&](graph& c) {
              const attrs_id numbers = c.attrs().add(std::array{attr_value::of(dim(1)), attr_value::of(dim(2))});
              return c.function({}, x.id, type_id::none, numbers);
          }) == "function, expression 1: has attributes that do not alternate names and values");
    CHECK(refused([&](graph& c) {
              const attrs_id alone = c.attrs().add(std::array{attr_value::of(c.strings().add("Primitive"))});
              return c.function({}, x.id, type_id::none, alone);
          }) == "function, expression 1: has attributes that do not alternate names and values");
    CHECK(refused([&](graph& c) {
              const attrs_id list = c.attrs().add(
                  std::array{attr_value::of(c.strings().add("axes")), attr_value::list(2), attr_value::of(dim(1))});
              return c.function({}, x.id, type_id::none, list);
          }) == "function, expression 1: has attributes that are not in the graph's tables");
}

TEST_CASE("verify: a list of attributes has all its elements, and its strings are the graph's", "[relay][verify]") {
    const auto refused = [](std::vector<attr_value> values) {
        graph g;
        const expr_id callee = g.global("f");
        return refusal(g, g.call(callee, {}, g.attrs().add(values)));
    };
    const std::string message = "call, expression 1: has attributes that are not in the graph's tables";
    CHECK(refused({}) == "nothing");
    CHECK(refused({attr_value::list(2), attr_value::list(1), attr_value::of(true), attr_value::of(2.0), {}}) ==
          "nothing");
    CHECK(refused({attr_value::list(1)}) == message);
    CHECK(refused({attr_value::list(2), attr_value::list(1), attr_value::of(true)}) == message);
    CHECK(refused({attr_value::list(0xFFFFFFFFU), attr_value::list(0xFFFFFFFFU)}) == message);
    CHECK(refused({{attr_kind::number, 1, 0}, attr_value::of(true)}) == message);
    CHECK(refused({attr_value::of(string_id{0})}) == "nothing");
    CHECK(refused({attr_value::of(string_id{1})}) == message);
}

TEST_CASE("verify: operands are of the right number and kind", "[relay][verify]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id pair = tuple_of(g, {x, x});
    const verify_options open{.free_variables = true};
    const auto refused = [&](auto add) {
        graph copy = g;
        const expr_id root = add(copy);
        return refusal(copy, root, open);
    };
    CHECK(refused([&](graph& c) { return c.projection(pair, 1); }) == "nothing");
    CHECK(refused([&](graph& c) { return c.projection(pair, 2); }) ==
          "projection, expression 2: takes field 2 of a tuple of 2; expected a smaller number");
    CHECK(refused([&](graph& c) { return c.let(pair, x, x); }) ==
          "let, expression 2: binds something other than a variable");
    CHECK(refused([&](graph& c) { return function_of(c, {pair}, x); }) ==
          "function, expression 2: has a parameter that is not a variable");
    const auto like = [&](expr_id made, std::vector<expr_id> operands) {
        graph from = g;
        graph to = from.emptied();
        to.variable("x");
        const expr_id root = to.add_like(from, made, operands);
        return refusal(to, root, open);
    };
    const expr_id projection = g.projection(pair, 0);
    const expr_id let = g.let(x, x, x);
    const expr_id choice = g.conditional(x, x, x);
    const expr_id call = g.call(x, {});
    CHECK(like(projection, {x, x}) == "projection, expression 1: has a wrong number of operands");
    CHECK(like(let, {x, x}) == "let, expression 1: has a wrong number of operands");
    CHECK(like(choice, {x}) == "if, expression 1: has a wrong number of operands");
    CHECK(like(call, {}) == "call, expression 1: has a wrong number of operands");
}

TEST_CASE("verify: a variable is bound, unless free ones are let pass", "[relay][verify]") {
    builder b;
    const expr x = b.variable("x");
    const function f = tutti::test::open_function(b, {}, b.tuple({x}));
    CHECK(refusal(f.graph, f.root) ==
          "%x, expression 0: is not bound; expected a parameter or a let of that variable around its uses");
    CHECK(refusal(f.graph, f.root, verify_options{.free_variables = true}) == "nothing");
}

TEST_CASE("verify: a variable is bound once", "[relay][verify]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id inner = function_of(g, {x}, x);
    CHECK(refusal(g, function_of(g, {x}, inner)) ==
          "%x, expression 0: is bound twice, by the function, expression 2 and by the function, expression 1");
    CHECK(refusal(g, function_of(g, {x, x}, tuple_of(g, {}))) ==
          "%x, expression 0: is bound twice, by the function, expression 4 and by the function, expression 4");
    const expr_id value = g.constant(tensor::scalar(1.0F));
    const expr_id let = g.let(x, value, x);
    CHECK(refusal(g, let) == "nothing");
    CHECK(refusal(g, tuple_of(g, {let, g.let(x, value, x)})) ==
          "%x, expression 0: is bound twice, by the let, expression 7 and by the let, expression 6");
}

TEST_CASE("verify: a variable is used only within its binding", "[relay][verify]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id one = g.constant(tensor::scalar(1.0F));
    const expr_id uses = tuple_of(g, {x, one});
    const expr_id let = g.let(x, one, uses);
    CHECK(refusal(g, let) == "nothing");
    const std::string outside = "%x, expression 0: is used outside of the let, expression 3, which binds it";
    CHECK(refusal(g, tuple_of(g, {let, x})) == outside);
    CHECK(refusal(g, tuple_of(g, {let, uses})) == outside); // x is used through `uses`
    CHECK(refusal(g, tuple_of(g, {tuple_of(g, {uses}), let})) == outside);

    graph h;
    const expr_id p = h.variable("p");
    const expr_id q = h.variable("q");
    const expr_id shared = tuple_of(h, {p});
    const expr_id first = function_of(h, {p}, shared);
    const expr_id second = function_of(h, {q}, shared);
    CHECK(refusal(h, tuple_of(h, {first, second})) ==
          "%p, expression 0: is used outside of the function, expression 3, which binds it");
    CHECK(refusal(h, function_of(h, {}, first)) == "nothing");
}

TEST_CASE("verify: shared expressions within a binder may use its variables, at any depth", "[relay][verify]") {
    builder b;
    const expr x = b.variable("x");
    const expr shared = negative(x);
    expr body = shared;
    for (int i = 0; i < 1000; ++i) {
        const expr v = b.variable("v");
        body = i % 2 == 0 ? b.let(v, shared, b.tuple({v, body, shared}))
                          : b.call(b.nested({v}, b.tuple({body, shared, v})), {shared});
    }
    const function f = b.function({x}, body);
    CHECK(refusal(f.graph, f.root) == "nothing");
}

TEST_CASE("verify: says where an expression was read", "[relay][verify]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id pair = tuple_of(g, {x, x});
    const expr_id field = g.projection(pair, 2);
    g.set_location(field, {3, 14});
    CHECK(refusal(g, field) == "projection at 3:14: takes field 2 of a tuple of 2; expected a smaller number");
}

TEST_CASE("verify: errors have the source location as data, in a module too", "[relay][verify]") {
    const auto place_of_error = [](const ir_module& m) -> source_location {
        try {
            verify_structure(m);
        } catch (const located_error& e) {
            return e.location();
        }
        return {};
    };
    graph g;
    const expr_id absent = g.global("absent");
    g.set_location(absent, {2, 3});
    const expr_id calling = g.function({}, g.call(absent, {}));
    const ir_module calls(function{g, calling});
    CHECK(place_of_error(calls) == source_location{2, 3});
    graph h;
    const expr_id field = h.projection(h.tuple({}), 1);
    h.set_location(field, {3, 14});
    const expr_id projecting = h.function({}, field);
    CHECK(place_of_error(ir_module(function{h, projecting})) == source_location{3, 14});
}

TEST_CASE("verify: an error in a module names the function", "[relay][verify]") {
    const auto calling = [](std::string_view name) {
        builder b;
        return b.function({}, b.call(b.global(name), {}));
    };
    ir_module m(calling("helper"));
    m.set("helper", calling("main"));
    CHECK(refusal(m) == "nothing");
    m.set("helper", calling("absent"));
    CHECK(refusal(m) == "@helper: @absent, expression 0: is not in the module; expected a function of the module");
    builder b;
    const expr one = b.constant(1.0F);
    m.set("helper", {std::move(b.graph()), one.id});
    CHECK(refusal(m) == "@helper: constant, expression 0: is not a function");
    m.set("helper", {});
    CHECK(refusal(m) == "@helper: root: is not an expression of the graph");
}

TEST_CASE("verify: an unknown function in a module gets a suggestion", "[relay][verify]") {
    graph g;
    const expr_id calling = g.function({}, g.call(g.global("helpr"), {}));
    ir_module m(function{g, calling});
    graph h;
    const expr_id helper = h.function({}, h.tuple({}));
    m.set("helper", function{h, helper});
    CHECK(refusal(m) == "@main: @helpr, expression 0: is not in the module; did you mean `@helper`?");
}

TEST_CASE("verify: a million calls, lets and functions deep, without recursion", "[relay][verify]") {
    builder b;
    const expr x = b.variable("x");
    expr body = x;
    for (int i = 0; i < 300'000; ++i) {
        const expr v = b.variable("v");
        body = b.let(v, add(x, x), add(body, v));
        body = b.call(b.nested({}, body), {});
    }
    const function f = b.function({x}, body);
    CHECK(refusal(f.graph, f.root) == "nothing");
    CHECK(refusal(f.graph, body.id) ==
          "%x, expression 0: is not bound; expected a parameter or a let of that variable around its uses");
}
