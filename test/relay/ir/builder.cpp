#include <tutti/relay/ir/builder.hpp>

#include "catch.hpp"

#include <cstdint>
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
