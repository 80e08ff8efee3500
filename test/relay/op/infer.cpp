#include <tutti/relay/op/infer.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <string>

using namespace tutti;
using namespace tutti::test;
using relay::dtype;

namespace {

// Returns `fn (%x) { @callee(exp(%x)) }`, or `fn (%x) { exp(%x) }` if `callee` is null. If `annotated`, %x and the
// result are declared as Tensor[(2), float32].
relay::function calling(const char* callee, bool annotated) {
    relay::builder b;
    const auto x = annotated || callee == nullptr ? b.variable("x", {2}) : b.variable("x");
    const auto e = relay::exp(x);
    relay::function f = b.function({x}, callee == nullptr ? e : b.call(b.global(callee), {e}));
    if (annotated) f.graph.set_result_annotation(f.root, f.graph.annotation(f.graph.params(f.root)[0]));
    return f;
}

std::string infer_refusal(relay::ir_module& m) {
    return refusal(m, [](relay::ir_module& it) { relay::infer_types(it); });
}

std::string result_of(const relay::ir_module& m, const char* name) {
    const relay::function& f = *m.find(name);
    return relay::to_text(f.graph.types(), f.graph.type(f.graph.body(f.root)));
}

} // namespace

TEST_CASE("infer: an empty module and functions without parameters have types", "[relay][infer]") {
    relay::ir_module empty;
    relay::infer_types(empty);
    CHECK(empty.size() == 0);
    relay::builder b;
    relay::ir_module m(b.function({}, b.tuple({})));
    relay::infer_types(m);
    CHECK(bare_text(m) == "def @main() -> () {\n  ()\n}\n");
}

TEST_CASE("infer: infers a callee before its caller, whatever their names", "[relay][infer]") {
    for (const char* callee : {"a", "z"}) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        relay::ir_module m(b.function({x}, b.call(b.global(callee), {x})));
        m.set(callee, calling(nullptr, false));
        relay::infer_types(m);
        CHECK(result_of(m, "main") == "Tensor[(2), float32]");
    }
}

TEST_CASE("infer: functions that call each other need annotations, and have types with them", "[relay][infer]") {
    relay::ir_module m;
    m.set("even", calling("odd", true));
    m.set("odd", calling("even", true));
    m.set("self", calling("self", true));
    relay::infer_types(m);
    CHECK(result_of(m, "odd") == "Tensor[(2), float32]");
    CHECK(result_of(m, "self") == "Tensor[(2), float32]");

    relay::ir_module untold;
    untold.set("even", calling("odd", false));
    untold.set("odd", calling("even", false));
    CHECK_THAT(infer_refusal(untold), Catch::Matchers::Contains("has no type; expected"));
    relay::builder b;
    relay::ir_module alone(b.function({}, b.call(b.global("main"), {})));
    CHECK(infer_refusal(alone) ==
          "@main: @main: has no type; expected a function of the module, annotated if it is recursive");
}

TEST_CASE("infer: an unknown function is refused by its name", "[relay][infer]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.call(b.global("nowhere"), {})));
    CHECK(infer_refusal(m) ==
          "@main: @nowhere: has no type; expected a function of the module, annotated if it is recursive");
}

TEST_CASE("infer: a function that is declared otherwise than it is called is refused", "[relay][infer]") {
    relay::builder b;
    const auto x = b.variable("x", {3});
    relay::ir_module m(b.function({x}, b.call(b.global("f"), {x})));
    m.set("f", calling(nullptr, true));
    CHECK(infer_refusal(m) ==
          "@main: call, argument 0: is of type Tensor[(3), float32]; expected Tensor[(2), float32]");
}

TEST_CASE("infer: nothing is noted in any function if one is refused", "[relay][infer]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(1.0F)));
    m.set("z", calling("nowhere", true));
    CHECK_THAT(infer_refusal(m),
               Catch::Matchers::StartsWith("@z: @nowhere") && !Catch::Matchers::Contains("not as it was"));
}

TEST_CASE("infer: restores previous types if another function is refused, on an executor too", "[relay][infer]") {
    relay::ir_module m;
    for (const char* name : {"a", "b", "c", "d"}) m.set(name, calling(nullptr, true));
    relay::builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    m.set("let", b.function({x}, b.let(y, b.constant(1.0F), relay::add(relay::exp(y), x)))); // x has no type
    m.set("names", calling("c", true));
    relay::function& typed = *m.find("b");
    typed.graph.set_type(typed.graph.body(typed.root), typed.graph.types().tensor({}, dtype::boolean)); // a wrong type
    m.set("z", calling("nowhere", true));
    const std::string before = bare_text(m);
    thread_pool pool(2);
    for (const executor_ref on : {executor_ref(), executor_ref(pool)}) {
        const std::string problem = refusal(m, [&](relay::ir_module& it) { relay::infer_types(it, on); });
        CHECK_THAT(problem, Catch::Matchers::Contains("has no type") && !Catch::Matchers::Contains("not as it was"));
        CHECK(bare_text(m) == before);
        CHECK(relay::to_text(typed.graph.types(), typed.graph.type(typed.graph.body(typed.root))) == "bool");
    }
    m.remove_if([](const auto& d) { return d.name == "z" || d.name == "let"; });
    relay::ir_module other = m;
    relay::infer_types(m);
    relay::infer_types(other, executor_ref(pool));
    CHECK(bare_text(m) == bare_text(other));
    CHECK(result_of(m, "b") == "Tensor[(2), float32]");
    CHECK(result_of(m, "names") == "Tensor[(2), float32]");
}

TEST_CASE("infer: types go from table to table with all they are made of", "[relay][infer]") {
    relay::builder f;
    const auto p = f.variable("p", {2});
    const auto made = f.tuple({f.nested({p}, f.tuple({p, f.tuple({})}))});
    relay::builder b;
    relay::ir_module m(b.function({}, b.call(b.global("f"), {})[0]));
    m.set("f", f.function({}, made));
    relay::infer_types(m);
    CHECK(result_of(m, "main") == "fn (Tensor[(2), float32]) -> (Tensor[(2), float32], ())");
}
