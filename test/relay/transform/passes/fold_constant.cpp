#include <tutti/relay/transform/passes/fold_constant.hpp>

#include <tutti/instrument/remarks.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/text/parser.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"
#include "support/recorder.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::dim;
using relay::dtype;
using relay::expr;

namespace {

void fold(relay::ir_module& m) {
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, m); });
}

// Folds a `main` that computes `result`. Returns the printed body without types.
std::string folded(relay::builder& b, expr result) {
    relay::ir_module m(closed(b, result));
    fold(m);
    const std::string text = bare_text(m);
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.rfind("}\n") - begin);
}

expr primitive(relay::builder& b, std::initializer_list<expr> params, expr body) {
    std::vector<relay::expr_id> ids;
    for (const expr& p : params) ids.push_back(p.id);
    relay::graph& g = b.graph();
    const std::array attributes{relay::attr_value::of(g.strings().add("Primitive")), relay::attr_value::of(dim(1))};
    return {&g, g.function(ids, body.id, relay::type_id::none, g.attrs().add(attributes))};
}

} // namespace

static_assert(relay::fold_constant::info.name == "FoldConstant" && relay::fold_constant::info.opt_level == 2);

TEST_CASE("FoldConstant: evaluates calls of constants, also of folded calls", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto six = relay::multiply(relay::add(b.constant(1.0F), b.constant(2.0F)), b.constant(2.0F));
    CHECK(folded(b, relay::add(x, six)) == "  add(%x, 6f)\n");
    CHECK(folded(b, relay::exp(b.variable("y", {}))) == "  exp(%y)\n");
    CHECK(folded(b, b.constant(3)) == "  3\n");
}

TEST_CASE("FoldConstant: a shared constant stays shared, and equal ones stay separate", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto c = b.constant(relay::tensor({2}, {1.0F, 2.0F}));
    const auto sum = relay::add(c, c);
    const auto other = relay::add(c, c);
    CHECK(folded(b, b.tuple({relay::add(x, sum), relay::add(x, sum), other})) ==
          "  %0 = add(%x, meta[relay.Constant][0]);\n"
          "  %1 = add(%x, meta[relay.Constant][0]);\n"
          "  (%0, %1, meta[relay.Constant][1])\n");
}

TEST_CASE("FoldConstant: values come from the kernels", "[relay][fold_constant]") {
    relay::builder b;
    const auto c = b.constant(relay::tensor({2, 1}, {1.0F, 2.0F}));
    const auto d = b.constant(relay::tensor({3}, {10.0F, 20.0F, 30.0F}));
    relay::ir_module m(b.function({}, relay::nn::relu(relay::subtract(d, relay::multiply(c, d)))));
    fold(m);
    const relay::function& f = *m.find("main");
    const relay::tensor& value = f.graph.constant_value(f.graph.body(f.root));
    CHECK(std::vector(value.shape().begin(), value.shape().end()) == std::vector<std::int64_t>{2, 3});
    const auto elements = value.elements<float>();
    CHECK(std::vector(elements.begin(), elements.end()) == std::vector<float>(6, 0.0F));
    CHECK(relay::to_text(f.graph.types(), f.graph.type(f.graph.body(f.root))) == "Tensor[(2, 3), float32]");
}

TEST_CASE("FoldConstant: batch_norm of constants becomes a tuple, and its fields are folded",
          "[relay][fold_constant]") {
    relay::builder b;
    const auto c = b.constant(relay::tensor({1}, {1.0F}));
    const auto zero = b.constant(relay::tensor({1}, {0.0F}));
    const auto data = b.constant(relay::tensor({1, 1}, {3.0F}));
    const auto norm = [&] { return relay::nn::batch_norm(data, c, zero, zero, c, {.epsilon = 0}); };
    CHECK(folded(b, norm()) == "  (meta[relay.Constant][0], meta[relay.Constant][1], meta[relay.Constant][2])\n");
    relay::builder field;
    const auto one = field.constant(relay::tensor({1}, {1.0F}));
    const auto x = field.constant(relay::tensor({1, 1}, {3.0F}));
    const auto e = relay::nn::batch_norm(x, one, one, one, one, {.epsilon = 0})[0];
    relay::ir_module m(field.function({}, e));
    fold(m);
    const relay::function& f = *m.find("main");
    CHECK(f.graph.constant_value(f.graph.body(f.root)).elements<float>()[0] == 3.0F);
}

TEST_CASE("FoldConstant: takes a field of a known tuple, whatever it is", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    CHECK(folded(b, relay::exp(b.tuple({b.constant(1.0F), x})[1])) == "  exp(%x)\n");
}

TEST_CASE("FoldConstant: leaves a missing field of a tuple for InferType to refuse", "[relay][fold_constant]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.tuple({b.constant(1)})[7]));
    CHECK(refusal(m, fold) == "@main: field 7: of a tuple of type (int32,); expected a smaller number");
}

TEST_CASE("FoldConstant: removes a let of a constant, keeps other lets", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {1});
    const auto t1 = b.variable("t1");
    const auto t2 = b.variable("t2");
    const auto t3 = b.variable("t3");
    CHECK(folded(b, b.let(t1, b.constant(1.0F), b.let(t2, relay::add(t1, t1), b.let(t3, relay::add(t2, x), t3)))) ==
          "  let %t3: Tensor[(1), float32] = add(2f, %x);\n  %t3\n");
}

TEST_CASE("FoldConstant: removes a let whose value an earlier expression uses, too", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto c = b.constant(2.0F);
    const auto a = b.variable("a");
    CHECK(folded(b, b.tuple({relay::add(x, c), b.let(a, c, relay::add(a, x))})) ==
          "  %0 = add(%x, 2f);\n  %1 = add(2f, %x);\n  (%0, %1)\n");
}

TEST_CASE("FoldConstant: a known condition chooses a branch", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    CHECK(folded(b, b.conditional(b.constant(true), relay::exp(x), x)) == "  exp(%x)\n");
    relay::builder no;
    const auto y = no.variable("x", {});
    CHECK(folded(no, no.conditional(no.constant(false), relay::exp(y), y)) == "  %x\n");
    CHECK(folded(b, b.conditional(b.variable("flag", {}, dtype::boolean), b.constant(1), b.constant(2))) ==
          "  if (%flag) {\n    1\n  } else {\n    2\n  }\n");
}

TEST_CASE("FoldConstant: leaves a condition that is not a bool for InferType to refuse", "[relay][fold_constant]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.conditional(b.constant(1), b.constant(2), b.constant(3))));
    CHECK(refusal(m, fold) == "@main: if, condition: is of type int32; expected bool");
}

TEST_CASE("FoldConstant: skips only the bodies of primitive functions", "[relay][fold_constant]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto p = b.variable("p", {});
    const auto a = b.variable("a");
    const auto body = b.let(a, b.constant(1.0F), relay::add(p, relay::add(a, b.constant(2.0F))));
    const std::string kept = "    let %a: float32 = 1f;\n    %0 = add(%a, 2f);\n    add(%p, %0)\n";
    CHECK(folded(b, b.call(primitive(b, {p}, body), {relay::add(x, relay::exp(b.constant(0.0F)))})) ==
          "  %1 = add(%x, 1f);\n"
          "  %2 = fn (%p: float32, Primitive=1) -> float32 {\n" +
              kept +
              "  };\n"
              "  %2(%1)\n");
    relay::builder open;
    const auto q = open.variable("p", {});
    CHECK(folded(open, open.nested({q}, relay::add(q, relay::add(open.constant(1.0F), open.constant(2.0F))))) ==
          "  fn (%p: float32) -> float32 {\n    add(%p, 3f)\n  }\n");
}

TEST_CASE("FoldConstant: a function with Primitive=0 is like any other", "[relay][fold_constant]") {
    relay::ir_module m = relay::parse("def @main() {\n  fn (%p: float32, Primitive=0) {\n    add(1f, 2f)\n  }\n}\n");
    fold(m);
    CHECK(bare_text(m).find("    3f\n") != std::string::npos);
}

TEST_CASE("FoldConstant: keeps a let that a primitive function needs", "[relay][fold_constant]") {
    relay::builder b;
    const auto a = b.variable("a");
    const auto p = b.variable("p", {});
    const auto call = b.call(primitive(b, {p}, relay::add(p, a)), {b.variable("x", {})});
    CHECK(folded(b, b.let(a, b.constant(1.0F), call)) ==
          "  let %a: float32 = 1f;\n"
          "  %0 = fn (%p: float32, Primitive=1) -> float32 {\n    add(%p, %a)\n  };\n"
          "  %0(%x)\n");
}

TEST_CASE("FoldConstant: keeps calls of functions and of operators without a kernel", "[relay][fold_constant]") {
    relay::builder b;
    const auto p = b.variable("p", {});
    CHECK(folded(b, b.call(b.nested({p}, p), {b.constant(1.0F)})) ==
          "  %0 = fn (%p: float32) -> float32 {\n    %p\n  };\n  %0(1f)\n");
}

TEST_CASE("FoldConstant: instruments see its InferType, but not the evaluation", "[relay][fold_constant]") {
    relay::builder b;
    relay::ir_module m(b.function({}, relay::add(b.constant(1), b.constant(2))));
    std::string events;
    ::recorder recorder("r", events, recording::hooks_and_passes);
    pass_context ctx{instruments(recorder)};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, m); });
    CHECK(bare_text(m) == "def @main() -> int32 {\n  3\n}\n");
    CHECK(events == "r enter_pass_ctx\n"
                    "r should_run FoldConstant\n"
                    "r run_before_pass FoldConstant\n"
                    "r should_run InferType\n"
                    "r run_before_pass InferType\n"
                    "r run_after_pass InferType\n"
                    "r run_after_pass FoldConstant\n"
                    "r exit_pass_ctx\n");
}

TEST_CASE("FoldConstant: refuses constants that do not fit, and leaves the module unchanged",
          "[relay][fold_constant]") {
    relay::builder b;
    const auto bad =
        relay::add(b.constant(relay::tensor(dtype::float32, {2})), b.constant(relay::tensor(dtype::float32, {3})));
    relay::ir_module m(b.function({}, b.tuple({relay::exp(b.constant(0.0F)), bad})));
    CHECK_THAT(refusal(m, fold),
               Catch::Matchers::Contains("add, argument `rhs`: Tensor[(3), float32] does not fit `lhs`, "
                                         "Tensor[(2), float32]") &&
                   !Catch::Matchers::Contains("not as it was"));
}

TEST_CASE("FoldConstant: folds chains of 100,000 calls, lets and fields, and as many primitive functions",
          "[relay][fold_constant][deep]") {
    relay::builder b;
    expr e = b.constant(0.0F);
    for (int i = 0; i < 300'000; ++i) {
        switch (i % 3) {
        case 0:
            e = relay::nn::relu(e);
            break;
        case 1:
            e = b.tuple({e, e})[1];
            break;
        default: {
            const auto v = b.variable("v");
            e = b.let(v, e, relay::abs(v));
        }
        }
    }
    CHECK(folded(b, e) == "  0f\n");

    relay::builder many;
    e = many.variable("x", {});
    for (int i = 0; i < 20'000; ++i) {
        const auto p = many.variable("p", {});
        e = many.call(primitive(many, {p}, relay::exp(p)), {e});
    }
    relay::ir_module m(closed(many, e));
    const std::size_t before = relay::post_order(m.find("main")->graph, m.find("main")->root).size();
    fold(m);
    CHECK(relay::post_order(m.find("main")->graph, m.find("main")->root).size() == before);
}

namespace user {

struct answer {
    static constexpr std::string_view name = "qnn.answer";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = relay::no_attributes;
    static constexpr auto pattern = relay::fusion_pattern::opaque;
    static constexpr relay::type_id infer(relay::relation& r, const attributes&) { return r.argument(0); }
    static constexpr void evaluate(const relay::invocation& call, const attributes&) {
        call.result().share(call.input(0), call.input(0).shape());
    }
};

} // namespace user

TEST_CASE("FoldConstant: operators on quantised numbers are folded only on request", "[relay][fold_constant]") {
    relay::builder b;
    relay::ir_module m(closed(b, relay::call_op<user::answer>({}, b.constant(42.0F))));
    const pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, m); });
    CHECK_THAT(bare_text(m), Catch::Matchers::Contains("qnn.answer(42f)"));
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{.fold_qnn = true}, m); });
    CHECK_THAT(bare_text(m), !Catch::Matchers::Contains("qnn.answer") && Catch::Matchers::Contains("42f"));
}

TEST_CASE("FoldConstant: leaves an index out of range as an error at run time", "[relay][fold_constant]") {
    const auto taken = [](std::int64_t index) {
        relay::builder b;
        const expr data = b.constant(relay::tensor({2}, {1.F, 2.F}));
        const expr indices = b.constant(relay::tensor({2}, {std::int64_t{0}, index}));
        return folded(b, relay::take(data, indices, {.axis = dim(0), .mode = "fast"}));
    };
    CHECK(taken(1).find("take(") == std::string::npos);
    CHECK(taken(2).find("take(") != std::string::npos);
}

TEST_CASE("FoldConstant: a shape is known before the tensor is", "[relay][fold_constant]") {
    relay::builder b;
    relay::ir_module m(closed(b, relay::shape_of(b.variable("x", {2, 3}))));
    relay::infer_types(m);
    fold(m);
    const relay::function& f = *m.find("main");
    const relay::tensor& shape = f.graph.constant_value(f.graph.body(f.root));
    CHECK(shape.type() == dtype::int32);
    CHECK(shape.size() == 2);
    CHECK(shape.elements<std::int32_t>()[1] == 3);

    relay::builder sized;
    relay::ir_module size(
        closed(sized, relay::ndarray_size(sized.variable("x", {8, 9, 10}), {.dtype = dtype::float32})));
    relay::infer_types(size);
    fold(size);
    CHECK_THAT(bare_text(size), Catch::Matchers::Contains("  720f\n"));

    relay::builder open;
    relay::ir_module unknown(closed(open, relay::shape_of(open.variable("x", {2, dim::any()}))));
    relay::infer_types(unknown);
    fold(unknown);
    CHECK_THAT(bare_text(unknown), Catch::Matchers::Contains("shape_of("));
}

TEST_CASE("fold_constant: skips calls whose shape depends on values", "[relay][transform]") {
    relay::builder b;
    const expr shape = b.constant([] {
        relay::tensor t(dtype::int64, {2});
        for (std::int64_t& x : t.mutable_elements<std::int64_t>()) x = 3;
        return t;
    }());
    CHECK(folded(b, relay::call_op<relay::op::dyn::zeros>(
                        {.shape = std::optional<relay::dims>(), .dtype = dtype::float32}, shape))
              .find("dyn.zeros(") != std::string::npos);
}

TEST_CASE("FoldConstant: skips calls over the limits of memory or work", "[relay][fold_constant][limits]") {
    const auto folded_with = [](std::string_view text, const relay::fold_constant& pass) {
        relay::ir_module m = relay::parse(text);
        pass_context ctx{opt_level<3>};
        with(ctx, [&](auto& scope) { scope.run(pass, m); });
        return bare_text(m);
    };
    const auto large = "def @main() { full(1f, shape=[100000, 100000]) }";
    CHECK(folded_with(large, {}).find("full(1f, shape=[100000, 100000])") != std::string::npos);

    // There are two results of 400 bytes, so the second one needs a limit of at least 800 bytes.
    const auto two = "def @main() { %0 = full(1f, shape=[100]); %1 = negative(%0); sum(%1) }";
    CHECK(folded_with(two, {.max_bytes = 804}).find("-100f") != std::string::npos);
    CHECK(folded_with(two, {.max_bytes = 700}).find("negative(meta[relay.Constant][0]") != std::string::npos);
    CHECK(folded_with(two, {.max_bytes = 300}).find("full(1f") != std::string::npos);

    // The size of existing constants is added to the limit.
    const auto refused_beside = [](std::uint64_t max_bytes) {
        relay::builder b;
        relay::ir_module m(closed(b, relay::sum(relay::negative(b.constant(relay::tensor(dtype::float32, {100}))))));
        instrument::remarks said{{.kinds = {remark_kind::missed}}};
        pass_context ctx{opt_level<3>, instruments(said)};
        with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{.max_bytes = max_bytes}, m); });
        return said.render();
    };
    CHECK(refused_beside(4) == "");
    CHECK(refused_beside(3) == "FoldConstant: missed: main: sum: max_bytes or max_work is not enough for the result\n");

    const auto product = "def @main() { %0 = full(1f, shape=[10, 10]); %1 = nn.dense(%0, %0, units=None); sum(%1) }";
    CHECK(folded_with(product, {.max_work = 1000}).find("1000f") != std::string::npos);
    CHECK(folded_with(product, {.max_work = 999}).find("nn.dense(") != std::string::npos);
}

TEST_CASE("FoldConstant: a function with nothing to fold is unchanged, even with constants", "[relay][fold_constant]") {
    const auto parameter_and = [](bool other_is_constant) {
        relay::builder b;
        const auto x = b.variable("x", {});
        const auto y = b.constant(2.0F);
        relay::exp(x); // unused
        return relay::ir_module(b.function({x}, relay::exp(relay::add(other_is_constant ? y : x, y))));
    };
    relay::ir_module left = parameter_and(false), done = parameter_and(true);
    const auto before = relay::expression_count(left);
    fold(left);
    fold(done);
    CHECK(relay::expression_count(left) == before);
    CHECK(bare_text(left) == "def @main(%x: float32) -> float32 {\n  %0 = add(%x, 2f);\n  exp(%0)\n}\n");
    CHECK(bare_text(done) == "def @main(%x: float32) -> float32 {\n  54.5981f\n}\n");
}
