#include "../golden.hpp"

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/text/printer.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

// Programs of the reference are rebuilt with the builder. Their printed form equals that of the reference.

namespace {

expr primitive(relay::builder& b, std::initializer_list<expr> params, expr body) {
    std::vector<relay::expr_id> ids;
    for (const expr& p : params) ids.push_back(p.id);
    relay::graph& g = b.graph();
    const std::array attributes{relay::attr_value::of(g.strings().add("Primitive")), relay::attr_value::of(dim(1))};
    return {&g, g.function(ids, body.id, relay::type_id::none, g.attrs().add(attributes))};
}

std::string typed(relay::function f) {
    relay::ir_module m(std::move(f));
    relay::infer_types(m);
    return bare_text(m, true);
}

// The example of the reference's tutorial on the pass infrastructure.
struct infra {
    relay::builder b;
    expr x = b.variable("x", {1, 64, 56, 56});
    expr weight = b.variable("weight", {64, 64, 3, 3});
    expr c = b.constant(relay::tensor(dtype::float32, {1, 64, 54, 54}));
    expr folded = b.constant(relay::tensor(dtype::float32, {1, 64, 54, 54}));

    expr parameter(const char* name) { return b.variable(name, dims{1, 64, 54, 54}); }
    std::string recorded_definition(std::size_t number) const {
        return definition_in(recorded("tutorials/use_pass_infra.txt"), number);
    }
    std::string text(expr result) { return typed(b.function({x, weight}, result)); }
};

} // namespace

TEST_CASE("golden: the tutorial's example after FoldConstant and EliminateCommonSubexpr", "[relay][golden]") {
    for (const bool common : {false, true}) {
        infra t;
        const expr y = relay::add(relay::nn::conv2d(t.x, t.weight), t.folded);
        const expr z = relay::add(y, t.c);
        const expr z1 = common ? z : relay::add(y, t.c);
        CHECK(t.text(relay::add(z, z1)) == t.recorded_definition(common ? 1 : 0));
    }
}

TEST_CASE("golden: every operator in a function of its own, the names from the last to the first", "[relay][golden]") {
    infra t;
    const expr p0 = t.b.variable("p0", {1, 64, 56, 56});
    const expr p1 = t.b.variable("p1", {64, 64, 3, 3});
    expr e = t.b.call(primitive(t.b, {p0, p1}, relay::nn::conv2d(p0, p1)), {t.x, t.weight});
    for (const expr constant : {t.folded, t.c}) {
        const expr a = t.parameter("p0");
        const expr b = t.parameter("p1");
        e = t.b.call(primitive(t.b, {a, b}, relay::add(a, b)), {e, constant});
    }
    const expr last = t.parameter("p0");
    CHECK(t.text(t.b.call(primitive(t.b, {last}, relay::add(last, last)), {e})) == t.recorded_definition(2));
}

TEST_CASE("golden: all operators in one function, whose body has the smaller numbers", "[relay][golden]") {
    infra t;
    const expr p0 = t.b.variable("p0", {1, 64, 56, 56});
    const expr p1 = t.b.variable("p1", {64, 64, 3, 3});
    const expr p2 = t.parameter("p2");
    const expr p3 = t.parameter("p3");
    const expr y = relay::add(relay::nn::conv2d(p0, p1), p2);
    const expr f = primitive(t.b, {p0, p1, p2, p3}, relay::add(relay::add(y, p3), relay::add(y, p3)));
    CHECK(t.text(t.b.call(f, {t.x, t.weight, t.folded, t.c})) == t.recorded_definition(3));
}

TEST_CASE("golden: the operands of a call are adjacent", "[relay][golden]") {
    infra t;
    const auto scaled = [&](expr c) { return relay::multiply(t.b.constant(3.0F), c); };
    const expr c3 = scaled(t.c);
    const expr y =
        relay::add(relay::nn::conv2d(t.x, t.weight), relay::multiply(relay::add(c3, c3), scaled(t.b.constant(2.0F))));
    CHECK(t.text(relay::add(relay::add(y, c3), relay::add(y, c3))) == t.recorded_definition(8));
}

TEST_CASE("golden: a body that is visited first has smaller numbers, although it is printed later", "[relay][golden]") {
    relay::builder b;
    const expr x = b.variable("x", {1, 4, 8, 8});
    const expr p = b.variable("p0", {1, 4, 8, 8});
    const expr q = b.variable("p0", {1, 4, 8, 8});
    const expr first = b.call(primitive(b, {p}, relay::subtract(p, b.constant(0.5F))), {x});
    const expr pooled = relay::nn::avg_pool2d(q, {.pool_size = dims{2, 2}, .strides = {2, 2}});
    const expr s = relay::subtract(pooled, b.constant(1.0F));
    const expr body = relay::multiply(relay::subtract(s, relay::divide(pooled, pooled)), s);
    CHECK("#[version = \"0.0.5\"]\n" + typed(b.function({x}, b.call(primitive(b, {q}, body), {first}))) ==
          recorded("golden/tests/random.2.2.after.relay"));
}

TEST_CASE("golden: nested ifs, and values shared by two branches", "[relay][golden]") {
    relay::builder b;
    const expr x = b.variable("x", {}, dtype::boolean);
    const expr y = b.variable("y", {});
    const expr sum = relay::add(y, y);
    const expr inner = b.conditional(b.constant(true), sum, relay::add(b.constant(3.0F), sum));
    const expr other = b.conditional(b.constant(false), b.constant(2.0F), b.constant(1.0F));
    CHECK(typed(b.function({x, y}, b.conditional(x, inner, other))) ==
          R"(def @main(%x: bool /* ty=bool */, %y: float32 /* ty=float32 */) -> float32 {
  if (%x) {
    if (True /* ty=bool */) {
      %0 = add(%y, %y) /* ty=float32 */;
      %0
    } else {
      add(3f /* ty=float32 */, %0) /* ty=float32 */
    }
  } else {
    if (False /* ty=bool */) {
      2f /* ty=float32 */
    } else {
      1f /* ty=float32 */
    }
  }
}
)");
}

TEST_CASE("golden: functions as the results of an if", "[relay][golden]") {
    relay::builder b;
    auto& types = b.graph().types();
    const expr f{&b.graph(), b.graph().variable("f", types.function({}, types.tensor({}, dtype::boolean)))};
    const expr s = b.variable("s", {1});
    const expr x = b.variable("x", {1});
    const expr z = b.variable("z", {1});
    const expr sum = relay::add(s, s);
    const expr choice =
        b.conditional(b.call(f, {}), b.nested({x}, relay::add(x, sum)), b.nested({z}, relay::add(z, sum)));
    CHECK(
        typed(b.function({f, s}, choice)) ==
        R"(def @main(%f: fn () -> bool /* ty=fn () -> bool */, %s: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) -> fn (Tensor[(1), float32]) -> Tensor[(1), float32] {
  %0 = %f() /* ty=bool */;
  if (%0) {
    fn (%x: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) -> Tensor[(1), float32] {
      %1 = add(%s, %s) /* ty=Tensor[(1), float32] */;
      add(%x, %1) /* ty=Tensor[(1), float32] */
    } /* ty=fn (Tensor[(1), float32]) -> Tensor[(1), float32] */
  } else {
    fn (%z: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) -> Tensor[(1), float32] {
      add(%z, %1) /* ty=Tensor[(1), float32] */
    } /* ty=fn (Tensor[(1), float32]) -> Tensor[(1), float32] */
  }
}
)");
}

TEST_CASE("golden: a let-bound function that calls itself", "[relay][golden]") {
    relay::builder b;
    auto& types = b.graph().types();
    const relay::type_id number = types.tensor({}, dtype::int32);
    const std::array params{number, number};
    const expr f{&b.graph(), b.graph().variable("f", types.function(params, number))};
    const expr n = b.variable("n", {}, dtype::int32);
    const expr data = b.variable("data", {}, dtype::int32);
    const expr flag = b.variable("flag", {}, dtype::boolean);
    const expr again = b.call(f, {relay::subtract(n, b.constant(1)), relay::log(data)});
    const expr body = b.conditional(flag, data, again);
    CHECK(
        typed(b.function({flag}, b.let(f, b.nested({n, data}, body), b.call(f, {b.constant(2), b.constant(10000)})))) ==
        R"(def @main(%flag: bool /* ty=bool */) -> int32 {
  let %f: fn (int32, int32) -> int32 /* ty=fn (int32, int32) -> int32 */ = fn (%n: int32 /* ty=int32 */, %data: int32 /* ty=int32 */) -> int32 {
    if (%flag) {
      %data
    } else {
      %0 = subtract(%n, 1 /* ty=int32 */) /* ty=int32 */;
      %1 = log(%data) /* ty=int32 */;
      %f(%0, %1) /* ty=int32 */
    }
  } /* ty=fn (int32, int32) -> int32 */;
  %f(2 /* ty=int32 */, 10000 /* ty=int32 */) /* ty=int32 */
}
)");
}

TEST_CASE("golden: a chain of lets", "[relay][golden]") {
    relay::builder b;
    const expr x = b.variable("x", {1});
    const expr t1 = b.variable("t1", {});
    const expr t2 = b.variable("t2", {});
    const expr t3 = b.variable("t3", {1});
    const expr chain = b.let(t1, b.constant(1.0F), b.let(t2, relay::add(t1, t1), b.let(t3, relay::add(t2, x), t3)));
    CHECK(typed(b.function({x}, chain)) ==
          R"(def @main(%x: Tensor[(1), float32] /* ty=Tensor[(1), float32] */) -> Tensor[(1), float32] {
  let %t1: float32 /* ty=float32 */ = 1f /* ty=float32 */;
  let %t2: float32 /* ty=float32 */ = add(%t1, %t1) /* ty=float32 */;
  let %t3: Tensor[(1), float32] /* ty=Tensor[(1), float32] */ = add(%t2, %x) /* ty=Tensor[(1), float32] */;
  %t3
}
)");
}
