#include <tutti/relay/op/verify.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/text/printer.hpp>

#include "../programs.hpp"
#include "relay/open_function.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace tutti;
using namespace tutti::relay;

namespace {

std::string said_of(const ir_module& m) {
    try {
        verify(m);
    } catch (const error& e) {
        return e.what();
    }
    return "nothing";
}

// Returns the program `fn (%x: Tensor[(2, 3), float32]) { body(x) }`. Its types are inferred if `typed`.
template <class Body>
ir_module program(Body body, bool typed = true) {
    builder b;
    const expr x = b.variable("x", {2, 3});
    const expr result = body(b, x);
    ir_module m(tutti::test::open_function(b, {x}, result));
    if (typed) infer_types(m);
    return m;
}

// Returns the error of a call of softmax with these attribute values.
std::string said_of_attributes(std::vector<attr_value> values) {
    return said_of(program(
        [&](builder& b, expr x) -> expr {
            graph& g = b.graph();
            const expr_id arguments[]{x.id};
            return {&g, g.call(g.op(definition<op::nn::softmax>), arguments, g.attrs().add(values))};
        },
        false));
}

bool accepts_what_inference_made() {
    builder b;
    const expr x = b.variable("x", {2});
    ir_module m(b.function({x}, add(x, b.constant(1.0F))));
    verify(m);
    infer_types(m);
    verify(m);
    return true;
}

} // namespace

TEST_CASE("verify: accepts a program before inference and after", "[relay][verify]") {
    CHECK(accepts_what_inference_made());
    for (const bool typed : {false, true}) {
        const ir_module m = program(
            [](builder& b, expr x) {
                const expr v = b.variable("v");
                const expr p = b.variable("p", {2, 3});
                const expr f = b.nested({p}, negative(p));
                return b.let(v, nn::softmax(x), b.tuple({add(v, x), b.call(f, {v})})[1]);
            },
            typed);
        CHECK(said_of(m) == "nothing");
    }
}

TEST_CASE("verify: structural errors come first", "[relay][verify]") {
    CHECK(said_of(program([](builder& b, expr x) { return add(x, b.variable("y", {3})); })) ==
          "@main: %y, expression 1: is not bound; expected a parameter or a let of that variable around its "
          "uses");
    builder b;
    const expr y = b.variable("y", {3});
    const ir_module open(tutti::test::open_function(b, {}, negative(y)));
    CHECK_NOTHROW(verify(open, {.free_variables = true}));
}

TEST_CASE("verify: an operator is called with its number of arguments, types or not", "[relay][verify]") {
    const ir_module m = program(
        [](builder& b, expr x) -> expr {
            graph& g = b.graph();
            const expr_id arguments[]{x.id};
            return {&g, g.call(g.op(definition<op::add>), arguments)};
        },
        false);
    CHECK(said_of(m) == "@main: add: called with 1 argument; expected 2: lhs, rhs");
}

TEST_CASE("verify: a call's attributes are its operator's", "[relay][verify]") {
    CHECK(said_of_attributes({attr_value::of(dim(-1))}) == "nothing");
    CHECK(said_of_attributes({attr_value::of(true)}) ==
          "@main: nn.softmax, call, expression 2: attribute `axis` has True; expected an integer");
    CHECK(said_of_attributes({}) ==
          "@main: nn.softmax, call, expression 2: attribute `axis` has no value; expected an integer");
    CHECK(said_of_attributes({attr_value::of(dim::any())}) ==
          "@main: nn.softmax, call, expression 2: attribute `axis` has ?; expected an integer");
    CHECK(said_of_attributes({attr_value::list(1), attr_value::of(dim(1))}) ==
          "@main: nn.softmax, call, expression 2: attribute `axis` has a list; expected an integer");
    CHECK(said_of_attributes({attr_value::of(dim(1)), attr_value::of(dim(1))}) ==
          "@main: nn.softmax, call, expression 2: has more attributes than the operator");
}

TEST_CASE("verify: noted types agree with inferred types", "[relay][verify]") {
    ir_module m = program([](builder&, expr x) { return add(negative(x), x); });
    graph& g = m.find("main")->graph;
    const expr_id call = g.body(m.find("main")->root);
    const type_id right = g.type(call);
    const auto noting = [&](type_id type) {
        g.set_type(call, type);
        return said_of(m);
    };
    CHECK(noting(g.types().tensor(std::array<dim, 2>{dim::any(), 3}, dtype::float32)) == "nothing");
    CHECK(noting(type_id::none) == "nothing");
    CHECK(noting(g.types().tensor(std::array<dim, 2>{2, 4}, dtype::float32)) ==
          "@main: add, call, expression 4: is annotated with type Tensor[(2, 4), float32]; "
          "expected Tensor[(2, 3), float32]");
    CHECK(noting(g.types().tuple(std::array{right})) ==
          "@main: add, call, expression 4: is annotated with type (Tensor[(2, 3), float32],); "
          "expected Tensor[(2, 3), float32]");
    CHECK(noting(right) == "nothing");
    const expr_id x = g.params(m.find("main")->root)[0];
    g.set_type(x, g.types().tensor({}, dtype::float32));
    CHECK(said_of(m) == "@main: %x, expression 0: is annotated with type float32; expected Tensor[(2, 3), float32]");
}

TEST_CASE("verify: types that cannot be inferred are refused where any are noted", "[relay][verify]") {
    const auto bad = [](builder& b, expr x) { return add(x, b.constant(tensor(dtype::float32, {5}))); };
    ir_module m = program(bad, false);
    CHECK(said_of(m) == "nothing");
    graph& g = m.find("main")->graph;
    g.set_type(g.params(m.find("main")->root)[0], g.types().tensor(std::array<dim, 2>{2, 3}, dtype::float32));
    CHECK(said_of(m).starts_with("@main: add, argument `rhs`: Tensor[(5), float32] does not fit `lhs`"));
}

TEST_CASE("verify: leaves the module unchanged", "[relay][verify]") {
    builder b;
    const expr x = b.variable("x", {2});
    const expr v = b.variable("v");
    ir_module m(b.function({x}, b.let(v, negative(x), v)));
    graph& g = m.find("main")->graph;
    g.set_type(x.id, g.annotation(x.id));
    const std::string before = to_text(m);
    verify(m);
    CHECK(to_text(m) == before);
}

TEST_CASE("verify: a chain of a million calls, without recursion", "[relay][verify]") {
    const ir_module m = program([](builder&, expr x) {
        expr last = x;
        for (int i = 0; i < 1'000'000; ++i) last = add(last, x);
        return last;
    });
    CHECK(said_of(m) == "nothing");
}

TEST_CASE("verify, infer_types: on an executor the same is found, and the first that is wrong", "[relay][verify]") {
    thread_pool pool(3);
    const executor_ref on(pool);
    const auto module_of = [](bool calls, std::size_t wrong) {
        ir_module m;
        std::vector<ir_module::definition> all;
        for (std::size_t i = 0; i < 100; ++i) {
            builder b;
            const expr x = b.variable("x", {2, static_cast<std::int64_t>(i) + 2});
            const expr y = b.variable("y", {i >= wrong ? 7 : 2, static_cast<std::int64_t>(i) + 2});
            expr sum = add(x, y);
            if (calls && i == 3) sum = b.tuple({sum, b.call(b.global("f5"), {x, y})});
            all.push_back({"f" + std::to_string(i), b.function({x, y}, sum)});
        }
        m.set(std::move(all));
        return m;
    };
    const auto outcome = [](ir_module m, auto... where) {
        try {
            verify(m, {}, where...);
            infer_types(m, where...);
            verify(m, {}, where...);
        } catch (const error& e) {
            return std::string(e.what());
        }
        return to_text(m);
    };
    for (const bool calls : {false, true})
        for (const std::size_t wrong : {0U, 40U, 99U, 100U}) {
            CAPTURE(calls, wrong);
            CHECK(outcome(module_of(calls, wrong), on) == outcome(module_of(calls, wrong)));
        }
}
