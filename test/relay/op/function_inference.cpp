#include <tutti/relay/op/function_inference.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <optional>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;

namespace {

// Returns a dense layer of five units over a tensor of shape (2, 3). An unannotated weight gets the type Tensor[(5, 3),
// float32].
relay::expr layer(relay::builder& b, relay::expr weight) {
    return relay::nn::dense(b.variable("x", {2, 3}), weight, {.units = std::optional(dim(5))});
}

const char* const weight_type = "Tensor[(5, 3), float32]";

// Returns a program with `let %v1 = %v0; let %v2 = %v1; ...` around a layer whose weight is the last variable.
relay::ir_module renamed_weight(std::size_t lets, relay::dims shape_of_first) {
    relay::builder b;
    std::vector<relay::expr> names{shape_of_first.empty() ? b.variable("v") : b.variable("v", shape_of_first)};
    while (names.size() <= lets) names.push_back(b.variable("v"));
    relay::expr body = layer(b, names.back());
    for (std::size_t i = lets; i > 0; --i) body = b.let(names[i], names[i - 1], body);
    return relay::ir_module(closed(b, body));
}

// Returns the number of variables in `main` that have this type, and of those that do not.
std::array<std::size_t, 2> variables_of(const relay::ir_module& m, std::string_view type) {
    std::array<std::size_t, 2> count{};
    const relay::function& f = *m.find("main");
    for (const relay::expr_id e : relay::post_order(f.graph, f.root)) {
        if (f.graph.kind(e) != relay::expr_kind::variable) continue;
        const relay::type_id found = f.graph.type(e);
        const bool right = found != relay::type_id::none && relay::to_text(f.graph.types(), found) == type;
        ++count[right ? 0 : 1];
    }
    return count;
}

} // namespace

TEST_CASE("inference: of several mistakes, reports the first in the order of operands", "[relay][inference]") {
    for (const bool swapped : {false, true}) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        const auto y = b.variable("y", {3});
        const auto made_first = relay::add(x, y);
        const auto made_last = relay::multiply(x, y);
        relay::ir_module m(
            b.function({x, y}, swapped ? b.tuple({made_first, made_last}) : b.tuple({made_last, made_first})));
        const std::string problem = refusal(m, [](relay::ir_module& it) { relay::infer_types(it); });
        CHECK_THAT(problem, Catch::Matchers::StartsWith(swapped ? "@main: add, " : "@main: multiply, "));
    }
}

TEST_CASE("inference: unused expressions keep their types, or none", "[relay][inference]") {
    for (const bool bound : {false, true}) { // a let also propagates types backward
        relay::builder b;
        const auto x = b.variable("x", {2});
        const auto wrong = relay::add(x, b.variable("y", {3}));
        const auto v = b.variable("v");
        const auto body = bound ? b.let(v, relay::exp(x), v) : relay::exp(x);
        relay::ir_module m(b.function({x}, body));
        relay::infer_types(m);
        const relay::graph& g = m.find("main")->graph;
        CHECK(g.type(wrong.id) == relay::type_id::none);
        CHECK(relay::to_text(g.types(), g.type(body.id)) == "Tensor[(2), float32]");
    }
}

TEST_CASE("inference: every kind of expression has a type", "[relay][inference]") {
    relay::builder b;
    const auto flag = b.variable("flag", {}, dtype::boolean);
    const auto x = b.variable("x", {2});
    const auto p = b.variable("p", {2});
    const auto f = b.nested({p}, relay::exp(p));
    CHECK(inferred(b, b.tuple({f, b.call(f, {x}), b.conditional(flag, x, p), b.tuple({}), b.constant(1)})) ==
          "(fn (Tensor[(2), float32]) -> Tensor[(2), float32], Tensor[(2), float32], Tensor[(2), float32], (), int32)");
}

TEST_CASE("inference: variables and functions without annotation get one, others keep theirs", "[relay][inference]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto y = b.variable("y");
    relay::ir_module m(closed(b, b.let(y, layer(b, w), relay::nn::relu(y))));
    relay::infer_types(m);
    CHECK(bare_text(m) ==
          "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(5, 3), float32]) -> Tensor[(2, 5), float32] {\n"
          "  let %y: Tensor[(2, 5), float32] = nn.dense(%x, %w, units=5);\n"
          "  nn.relu(%y)\n"
          "}\n");
    const std::string once = relay::to_text(m);
    relay::infer_types(m);
    CHECK(relay::to_text(m) == once);
}

TEST_CASE("inference: a use tells the type of a variable to the uses before it", "[relay][inference]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto before = relay::exp(b.tuple({relay::negative(w)})[0]);
    CHECK(inferred(b, b.tuple({before, layer(b, w)})[0]) == weight_type);
}

TEST_CASE("inference: a use tells it through lets, either way", "[relay][inference]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto alias = b.variable("alias");
    const auto other = b.variable("other");
    CHECK(inferred(b, b.let(alias, w, b.let(other, alias, b.tuple({w, other, layer(b, other)})))) ==
          "(Tensor[(5, 3), float32], Tensor[(5, 3), float32], Tensor[(2, 5), float32])");
    const auto v = b.variable("v");
    const auto later = b.variable("later");
    CHECK(inferred(b, b.let(later, v, b.tuple({later, layer(b, v)}))) ==
          "(Tensor[(5, 3), float32], Tensor[(2, 5), float32])");
}

TEST_CASE("inference: a function literal's parameters learn from the call", "[relay][inference]") {
    relay::builder b;
    const auto p = b.variable("p");
    const auto f = b.nested({p}, relay::exp(p));
    CHECK(inferred(b, b.call(f, {b.variable("x", {7})})) == "Tensor[(7), float32]");
}

TEST_CASE("inference: a type from elsewhere is compared with an operator's expectation", "[relay][inference]") {
    relay::builder b;
    const auto u = b.variable("u");
    const auto y = layer(b, relay::exp(u)); // the layer requires the shape (5, 3)
    const auto z = relay::nn::bias_add(b.variable("z", {2, 4}), u);
    CHECK(inference_refusal(b, b.tuple({y, z})) ==
          "@main: nn.dense, argument `weight`: Tensor[(4), float32] does not fit `data`, Tensor[(2, 3), float32]; "
          "expected two dimensions");
    relay::builder good;
    const auto v = good.variable("v");
    CHECK(inferred(good, good.tuple({layer(good, relay::exp(v)), layer(good, v)})) ==
          "(Tensor[(2, 5), float32], Tensor[(2, 5), float32])");
}

TEST_CASE("inference: two uses of a variable that disagree are refused", "[relay][inference]") {
    relay::builder b;
    const auto w = b.variable("w");
    CHECK_THAT(
        inference_refusal(b, b.tuple({layer(b, w), relay::nn::bias_add(b.variable("z", {2, 4}), w)})),
        Contains("nn.bias_add, argument `bias`: Tensor[(5, 3), float32] does not fit `data`, Tensor[(2, 4), float32]"));
}

TEST_CASE("inference: the annotation and the value of a let must agree, in any order", "[relay][inference]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto y = b.variable("y", {3});
    const char* const said = "@main: %y: the value's type is Tensor[(2), float32]; expected Tensor[(3), float32]";
    CHECK(inference_refusal(b, b.let(y, relay::exp(x), y)) == said);
    relay::builder shared;
    const auto s = shared.variable("x", {2});
    const auto t = shared.variable("y", {3});
    const auto value = relay::exp(s);
    CHECK(inference_refusal(shared, shared.tuple({value, shared.let(t, value, t)})) == said);
    relay::builder open;
    const auto u = open.variable("u", {dim::any()});
    CHECK(inferred(open, open.let(u, relay::exp(open.variable("x", {2})), u)) == "Tensor[(?), float32]");
}

TEST_CASE("inference: a captured variable has one type inside and outside", "[relay][inference]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto p = b.variable("p", {2, 3});
    const auto f = b.nested({p}, relay::nn::dense(p, w, {.units = std::optional(dim(5))}));
    CHECK(inferred(b, b.tuple({f, w})) ==
          "(fn (Tensor[(2, 3), float32]) -> Tensor[(2, 5), float32], Tensor[(5, 3), float32])");
}

TEST_CASE("inference: a let-bound function may be recursive, with a declared or inferred type", "[relay][inference]") {
    for (const bool told : {true, false}) {
        relay::builder b;
        auto& types = b.graph().types();
        const auto scalar = types.tensor({}, dtype::float32);
        const std::array params{scalar};
        const auto f_id = b.graph().variable("f", told ? types.function(params, scalar) : relay::type_id::none);
        const relay::expr f{&b.graph(), f_id};
        const auto n = b.variable("n", {});
        const auto flag = b.variable("flag", {}, dtype::boolean);
        const auto body = b.conditional(flag, n, b.call(f, {relay::negative(n)}));
        const auto program = b.let(f, b.nested({n}, body), b.call(f, {b.constant(1.0F)}));
        CHECK(inferred(b, program) == "float32");
    }
}

TEST_CASE("inference: a call that does not fit the function is refused", "[relay][inference]") {
    const auto refused = [](auto arguments) {
        relay::builder b;
        const auto p = b.variable("p", {2});
        const auto f = b.nested({p}, p);
        return inference_refusal(b, arguments(b, f));
    };
    CHECK(refused([](auto& b, auto f) { return b.call(f, {b.constant(1.0F)}); }) ==
          "@main: call, argument 0: is of type float32; expected Tensor[(2), float32]");
    CHECK_THAT(refused([](auto& b, auto f) { return b.call(f, {}); }), Contains("called with 0 arguments"));
    CHECK(refused([](auto& b, auto) { return b.call(b.constant(1.0F), {}); }) ==
          "@main: call: the callee is of type float32; expected a function");
}

TEST_CASE("inference: ifs, projections and results that do not fit are refused", "[relay][inference]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    CHECK(inference_refusal(b, b.conditional(x, x, x)) ==
          "@main: if, condition: is of type Tensor[(2), float32]; expected bool");
    const auto flag = [&] { return b.variable("flag", {}, dtype::boolean); };
    CHECK(inference_refusal(b, b.conditional(flag(), b.constant(1), b.constant(1.0F))) ==
          "@main: if: the branches are of types int32 and float32; expected one type");
    const auto y = b.variable("y", {});
    CHECK(inference_refusal(b, y[0]) == "@main: field 0: of a value of type float32; expected a tuple");
    CHECK(inference_refusal(b, b.tuple({b.constant(1)})[1]) ==
          "@main: field 1: of a tuple of type (int32,); expected a smaller number");
}

TEST_CASE("inference: a value with one of two types has their common type", "[relay][inference]") {
    const auto either = [](const dims& x, const dims& y) {
        relay::builder b;
        return inferred(b, b.conditional(b.variable("c", {}, dtype::boolean), b.variable("x", x), b.variable("y", y)));
    };
    CHECK(either({2, 3}, {dim::any(), 3}) == "Tensor[(?, 3), float32]");
    CHECK(either({dim::any(), 3}, {2, 3}) == "Tensor[(?, 3), float32]");
    relay::builder bound;
    const auto v = bound.variable("v", {2, 3});
    CHECK(inferred(bound, bound.let(v, bound.variable("y", {dim::any(), 3}), relay::nn::relu(v))) ==
          "Tensor[(?, 3), float32]");
    relay::builder declared;
    relay::ir_module m(closed(declared, declared.variable("y", {dim::any(), 3})));
    relay::function& f = m.begin()->function;
    f.graph.set_result_annotation(f.root, f.graph.types().tensor(dims{2, 3}, dtype::float32));
    relay::infer_types(m);
    CHECK(relay::to_text(f.graph.types(), f.graph.types().result(f.graph.type(f.root))) == "Tensor[(?, 3), float32]");
}

TEST_CASE("inference: a declared result must be the body's", "[relay][inference]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    relay::function f = b.function({x}, x);
    f.graph.set_result_annotation(f.root, f.graph.types().tensor({}, dtype::float32));
    relay::ir_module m(std::move(f));
    CHECK(refusal(m, [](relay::ir_module& it) { relay::infer_types(it); }) ==
          "@main: function: the body is of type Tensor[(2), float32]; expected float32 as the function declares");
}

TEST_CASE("inference: an undetermined type is an error that names the variable", "[relay][inference]") {
    relay::builder b;
    CHECK(inference_refusal(b, relay::exp(b.variable("lost"))) ==
          "@main: %lost: has no type; expected an annotation or a use that determines it");
}

TEST_CASE("inference: a hundred thousand calls, lets and projections need no recursion", "[relay][inference][deep]") {
    relay::builder b;
    relay::expr e = b.variable("x", {2});
    for (int i = 0; i < 300'000; ++i) e = i % 3 == 0 ? relay::exp(e) : i % 3 == 1 ? b.tuple({e, e}) : e[1];
    CHECK(inferred(b, e) == "Tensor[(2), float32]");
    relay::builder lets;
    std::vector<relay::expr> variables;
    for (int i = 0; i < 100'000; ++i) variables.push_back(lets.variable("v"));
    relay::expr body = variables.back();
    for (std::size_t i = variables.size(); i-- > 0;)
        body = lets.let(variables[i], i == 0 ? lets.constant(1.0F) : relay::exp(variables[i - 1]), body);
    CHECK(inferred(lets, body) == "float32");
}

TEST_CASE("inference: lets that rename one another have the type that is known of the first", "[relay][inference]") {
    for (const std::size_t lets : {std::size_t{1}, std::size_t{2}, std::size_t{20'000}}) {
        relay::ir_module m = renamed_weight(lets, {5, 3});
        relay::infer_types(m);
        CHECK(variables_of(m, weight_type) == std::array{lets + 1, std::size_t{1}});
    }
}

TEST_CASE("inference: lets that rename one another have the type that a use of the last one says",
          "[relay][inference]") {
    for (const std::size_t lets : {std::size_t{1}, std::size_t{2}, std::size_t{20'000}}) {
        relay::ir_module m = renamed_weight(lets, {});
        relay::infer_types(m);
        CHECK(variables_of(m, weight_type) == std::array{lets + 1, std::size_t{1}});
    }
}

TEST_CASE("inference: a use of a variable renamed from one of another type is refused", "[relay][inference]") {
    relay::ir_module m = renamed_weight(3, {5, 4});
    CHECK_THAT(refusal(m, [](relay::ir_module& it) { relay::infer_types(it); }), Contains("nn.dense"));
}
