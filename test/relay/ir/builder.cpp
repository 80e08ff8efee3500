#include <tutti/relay/ir/builder.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

using namespace tutti::relay;

static_assert(!std::is_copy_constructible_v<builder> && !std::is_move_constructible_v<builder>);

namespace {

constexpr bool builds_every_kind() {
    builder b;
    const auto x = b.variable("x", {2, dim::any()});
    const auto flag = b.variable("flag", {}, dtype::boolean);
    const auto pair = b.tuple({x, b.constant(1.0F)});
    const auto chosen = b.conditional(flag, pair[0], x);
    const auto y = b.variable("y");
    const auto inner = b.nested({y}, y);
    const auto body = b.let(b.variable("z"), b.call(inner, {chosen}), b.call(b.global("g"), {x}));
    const function f = b.function({x, flag}, body);
    const graph& g = f.graph;
    return g.kind(f.root) == expr_kind::function && g.params(f.root).size() == 2 && g.params(f.root)[1] == flag.id &&
           g.body(f.root) == body.id && g.kind(body.id) == expr_kind::let &&
           g.kind(chosen.id) == expr_kind::conditional && g.field(g.operand(chosen.id, 1)) == 0 &&
           g.types().shape(g.annotation(flag.id)).empty() && g.annotation(y.id) == type_id::none &&
           g.types().shape(g.annotation(x.id))[1].is_any() && b.graph().size() == 0;
}

static_assert(builds_every_kind());

} // namespace

TEST_CASE("builder: builds every kind of expression, and is empty afterwards", "[relay][builder]") {
    CHECK(builds_every_kind());
}

TEST_CASE("builder: variables of one name are different", "[relay][builder]") {
    builder b;
    CHECK_FALSE(b.variable("x") == b.variable("x"));
}

TEST_CASE("builder: a scalar constant has the C++ type's element type", "[relay][builder]") {
    builder b;
    const auto type = [&](auto value) { return b.graph().constant_value(b.constant(value).id).type(); };
    CHECK(type(true) == dtype::boolean);
    CHECK(type(std::int8_t{1}) == dtype::int8);
    CHECK(type(1) == dtype::int32);
    CHECK(type(std::int64_t{1}) == dtype::int64);
    CHECK(type(1.0F) == dtype::float32);
    CHECK(type(1.0) == dtype::float64);
}

TEST_CASE("builder: a function may have no parameters, and a tuple no fields", "[relay][builder]") {
    builder b;
    const auto nothing = b.tuple({});
    const function f = b.function({}, nothing);
    CHECK(f.graph.params(f.root).empty());
    CHECK(f.graph.body(f.root) == nothing.id);
    CHECK(f.graph.operands(nothing.id).empty());
}

namespace {

template <class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "no error";
}

} // namespace

TEST_CASE("builder: an expression of another builder is an error that names the operand", "[relay][builder]") {
    builder one, two;
    const auto x = one.variable("x", {2});
    const auto y = two.variable("y", {2});
    const auto flag = one.variable("flag", {}, dtype::boolean);
    const std::string other = ": the expression belongs to another builder; expected expressions of one builder";
    CHECK(error_of([&] { add(x, y); }) == "add, operand 1" + other);
    CHECK(error_of([&] { where(x, x, y); }) == "where, operand 2" + other);
    CHECK(error_of([&] { one.tuple({x, y}); }) == "tuple, operand 1" + other);
    CHECK(error_of([&] { one.let(x, x, y); }) == "let, operand 2" + other);
    CHECK(error_of([&] { one.conditional(flag, y, x); }) == "if, operand 1" + other);
    CHECK(error_of([&] { one.call(y, {x}); }) == "callee" + other);
    CHECK(error_of([&] { one.call(x, {y}); }) == "call" + other);
    CHECK(error_of([&] { one.nested({y}, x); }) == "function parameters" + other);
    CHECK(error_of([&] { one.function({x}, y); }) == "function body" + other);
    CHECK(error_of([&] { one.function({y}, x); }) == "function parameters" + other);
    CHECK(error_of([&] { add(x, x); }) == "no error");
}

TEST_CASE("builder: an empty handle, or one from before the function was finished, is an error", "[relay][builder]") {
    builder b;
    const auto x = b.variable("x", {2});
    CHECK(error_of([&] { add(x, expr{}); }) ==
          "add, operand 1: the handle is empty; expected an expression that a builder made");
    CHECK(error_of([&] { add(expr{}, x); }) ==
          "add, operand 0: the handle is empty; expected an expression that a builder made");
    CHECK(error_of([&] { expr{}[0]; }) ==
          "field of a tuple: the handle is empty; expected an expression that a builder made");
    CHECK(error_of([&] { sqrt(expr{}); }) == "sqrt: the handle is empty; expected an expression that a builder made");
    const function f = b.function({x}, add(x, x));
    const std::string late =
        ": the expression is no longer in the builder, which has finished its function; expected an expression made since then";
    CHECK(error_of([&] { sqrt(x); }) == "sqrt" + late);
    CHECK(error_of([&] { x[0]; }) == "field of a tuple" + late);
    CHECK(error_of([&] { b.function({x}, x); }) == "function body" + late);
}

TEST_CASE("builder: function refuses free variables and names them", "[relay][builder]") {
    builder b;
    const auto x = b.variable("x", {2});
    const auto y = b.variable("y", {2});
    const auto z = b.variable("z", {2});
    const auto body = add(add(x, y), z);
    CHECK(
        error_of([&] { b.function({x, y}, body); }) ==
        "function: %z is free: nothing binds it; expected a parameter or a let for each, or builder::free_variables among the "
        "parameters");
    CHECK(error_of([&] {
              b.function({y}, body);
          }).starts_with("function: %x, %z are free: nothing binds them; expected"));
    const auto all = b.free_variables(body); // the error left the builder unchanged
    REQUIRE(all.size() == 3);
    CHECK((all[0] == x && all[1] == y && all[2] == z));
    const function f = b.function(all, body);
    CHECK(f.graph.params(f.root).size() == 3);
}

TEST_CASE("builder: variables that lets and nested functions bind are not free", "[relay][builder]") {
    const auto build = [](bool with_graph, bool bind) {
        builder b;
        if (with_graph) b.graph();
        const auto x = b.variable("x", {2});
        const auto y = b.variable("y");
        const auto z = b.variable("z");
        b.variable("unused");
        const auto inner = b.nested({y}, add(y, z)); // closes over z
        const auto call = b.call(inner, {x});
        const function f = b.function({x}, bind ? b.let(z, sqrt(x), call) : call);
        return f.graph.params(f.root).size();
    };
    for (const bool with_graph : {false, true}) {
        CHECK(build(with_graph, true) == 1);
        CHECK(error_of([&] { build(with_graph, false); }).starts_with("function: %z is free"));
    }
}

TEST_CASE("builder: variables made or bound in its graph count", "[relay][builder]") {
    builder b;
    const auto x = b.variable("x", {2});
    const expr free{&b.graph(), b.graph().variable("free")};
    CHECK(error_of([&] { b.function({x}, add(x, free)); }).starts_with("function: %free is free"));
    const expr bound{&b.graph(), b.graph().let(free.id, x.id, add(x, free).id)};
    CHECK(error_of([&] { b.function({x}, bound); }) == "no error");
}
