#include <tutti/relay/debug/verify_numerics.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/passes.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace relay = tutti::relay;
using relay::ir_module;

namespace {

// Planted faults.

ir_module with_constants(const ir_module& m, float by) {
    ir_module made;
    for (const auto& [name, f] : m) {
        relay::rewriter r(f);
        made.set(name, r.rewrite([&](relay::rewriter& into, relay::expr_id e) {
            if (f.graph.kind(e) != relay::expr_kind::constant) return into.rebuild(e);
            const relay::tensor& old = f.graph.constant_value(e);
            if (old.type() != relay::dtype::float32) return into.rebuild(e);
            relay::tensor changed;
            changed.reset(old.type(), old.shape());
            for (std::int64_t i = 0; i < old.size(); ++i) changed.mutable_data<float>()[i] = old.data<float>()[i] + by;
            return into.to().constant(changed);
        }));
    }
    return made;
}
struct add_to_constants {
    static constexpr tutti::pass_info info{.name = "AddToConstants"};
    float by = 1e-3F;
    void operator()(ir_module& m) const { m = with_constants(m, by); }
};
struct add_to_constants_of_function {
    static constexpr tutti::pass_info info{.name = "AddToConstantsOfFunction"};
    float by = 1e-3F;
    void operator()(relay::function& f) const { f = *with_constants(ir_module(f), by).find("main"); }
};
constexpr auto nothing = tutti::make_pass<"Nothing">([](ir_module&) {});
// Exchanges the operands of each call with two operands.
constexpr auto swap_operands = tutti::make_pass<"SwapOperands">([](ir_module& m) {
    for (auto& [name, f] : m) {
        const relay::function& old = f;
        relay::rewriter r(old);
        f = r.rewrite([&](relay::rewriter& into, relay::expr_id e) {
            if (old.graph.called_op(e) == nullptr || old.graph.arguments(e).size() != 2) return into.rebuild(e);
            const relay::expr_id args[]{into[old.graph.arguments(e)[1]], into[old.graph.arguments(e)[0]]};
            return into.to().call(into[old.graph.callee(e)], args, old.graph.call_attributes(e));
        });
    }
});
constexpr auto mixed = tutti::make_pass<"ToMixedPrecision">([](ir_module& m) { m = with_constants(m, 1); });

constexpr auto half_done = tutti::make_pass<"HalfDone">([](ir_module& m, auto& ctx) {
    m = with_constants(m, 1);
    ctx.run(nothing, m); // does not check HalfDone, which has not ended
    m = with_constants(m, -1);
});
constexpr auto outer = tutti::make_pass<"Outer">([](ir_module& m, auto& ctx) {
    ctx.run(nothing, m);
    m = with_constants(m, 1);
    ctx.run(nothing, m);
});
constexpr auto fails = tutti::make_pass<"Fails">([](ir_module&) { throw std::runtime_error("it fails"); });
struct wrong_in_second_round {
    static constexpr tutti::pass_info info{.name = "WrongInSecondRound"};
    int* rounds;
    tutti::change operator()(ir_module& m) const {
        if (++*rounds > 2) return tutti::unchanged;
        m = with_constants(m, *rounds == 1 ? 1e-7F : 1); // the first is within the bounds
        return tutti::changed;
    }
};

// The number of calls of tanh. A program with one such call is evaluated as often.
int evaluations = 0;
constexpr relay::kernel_table counting{
    std::array{relay::kernel_for<relay::op::tanh>([](const relay::invocation&, const auto&) {
        ++evaluations;
        return false;
    })}};

std::string said;
void note(std::string_view line) { said += line; }
using instrument = relay::verify_numerics<void (*)(std::string_view)>;

// Runs passes over a program. Returns the report and the error.
template <class Layer = static_layer>
std::string checked(std::string text, const auto& passes, relay::numerics_options options = {}) {
    ir_module m = relay::parse("#[version = \"0.0.5\"]\n" + text);
    said.clear();
    evaluations = 0;
    const relay::kernel_set kernels(counting, relay::kernels::reference());
    options.kernels = &kernels;
    instrument check{std::move(options), &note};
    auto ctx = Layer::template context<ir_module>({.opt_level = 4}, check);
    try {
        Layer::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    } catch (const std::exception& e) {
        said += e.what();
    }
    return said;
}

constexpr const char* affine = "def @main(%x: Tensor[(2, 3), float32]) { add(multiply(%x, 0.5f), 0.25f) }";
constexpr const char* blamed =
    "after AddToConstants: result 0: element [1, 2] is 0.286889195 and was 0.285817564: 0.00107163191 "
    "apart; 6 of 6 elements are out of bounds; expected 4.01060707e-06 apart at most";

} // namespace

TEMPLATE_TEST_CASE("verify_numerics: names the pass that adds 1e-3 to a constant", "[relay][debug]", static_layer,
                   erased_layer) {
    CHECK(checked<TestType>(affine, tutti::sequential(relay::infer_type{}, nothing, relay::fold_constant{})).empty());
    CHECK(checked<TestType>(affine, tutti::sequential(nothing, add_to_constants{}, nothing)) == blamed);
    CHECK(checked<TestType>(affine, tutti::sequential(nothing, tutti::sequential<"Inner">(add_to_constants{}))) ==
          blamed);
    CHECK(checked<TestType>(affine, tutti::repeat(tutti::sequential(nothing, add_to_constants{}), 1)) == blamed);
    int rounds = 0;
    CHECK(checked<TestType>(affine, tutti::fixpoint(tutti::sequential(nothing, wrong_in_second_round{&rounds})))
              .starts_with("after WrongInSecondRound"));
    CHECK(rounds == 2);
}

TEST_CASE("verify_numerics: a pass over functions is named, not the one around it", "[relay][debug]") {
    const std::string two = std::string(affine) + "\ndef @other(%x: float32) { add(%x, 2f) }";
    CHECK(checked(two, tutti::each<relay::function>(tutti::make_pass<"Leave">([](relay::function&) {}),
                                                    add_to_constants_of_function{}))
              .starts_with("after AddToConstantsOfFunction: result 0: element"));
    // Functions that main does not call are ignored.
    const std::string called = "def @main(%x: float32) { %x }\ndef @other(%x: float32) { add(%x, 2f) }";
    CHECK(checked(called, tutti::each<relay::function>(add_to_constants_of_function{})).empty());
}

TEST_CASE("verify_numerics: blames passes for their own changes, at their end", "[relay][debug]") {
    CHECK(checked(affine, half_done).empty());
    CHECK(checked(affine, outer).starts_with("after Outer: "));
    CHECK(checked(affine, tutti::sequential(nothing, fails)) == "it fails");
}

TEST_CASE("verify_numerics: one evaluation a pass that changed something, and one more", "[relay][debug]") {
    const char* text = "def @main(%x: Tensor[(2, 3), float32]) { %0 = tanh(%x); add(%0, multiply(2f, 3f)) }";
    CHECK(checked(text, tutti::sequential(nothing, relay::infer_type{}, nothing)).empty());
    CHECK(evaluations == 0);
    CHECK(checked(text, tutti::sequential(relay::infer_type{}, relay::fold_constant{}, nothing, relay::fold_constant{},
                                          relay::to_a_normal_form{}))
              .empty());
    CHECK(evaluations == 3);
}

TEST_CASE("verify_numerics: integers are exact", "[relay][debug]") {
    CHECK(
        checked("def @main(%x: Tensor[(4), int32]) { subtract(%x, 3) }", swap_operands) ==
        "after SwapOperands: result 0: element [1] is -5 and was 5: 10 apart; 2 of 4 elements are out of bounds; expected 5");
    CHECK(checked("def @main(%x: Tensor[(4), int32]) { add(%x, 3) }", swap_operands).empty());
    CHECK(checked("def @main(%x: Tensor[(4), float32]) { greater(%x, 0f) }", swap_operands)
              .find("is True and was False") != std::string::npos);
}

TEST_CASE("verify_numerics: does not blame rounding errors, unless a tolerance says so", "[relay][debug]") {
    // The subtraction cancels almost all digits of the large numbers.
    const char* text = "def @main(%x: Tensor[(8), float32]) { subtract(add(%x, 1e6f), 1e6f) }";
    const auto other_order = tutti::make_pass<"OtherOrder">([](ir_module& m) {
        m = relay::parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(8), float32]) { add(%x, subtract(1e6f, 1e6f)) }");
    });
    CHECK(checked(text, other_order).empty());
    CHECK(checked(text, other_order, {.tolerance = 1e-4}).starts_with("after OtherOrder: "));
    CHECK(checked(text, other_order, {.tolerance = 0.5}).empty());
    // Rounding errors also reach integers that are cast from rounded values.
    const auto cast = [](const std::string& x) {
        return "def @main(%x: Tensor[(8), float32]) { cast(multiply(" + x + ", 0.1f), dtype=\"int32\") }";
    };
    const auto rounds_otherwise = tutti::make_pass<"RoundsOtherwise">([](ir_module& m) {
        m = relay::parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(8), float32]) { cast(divide(%x, 10f), dtype=\"int32\") }");
    });
    relay::tensor tens(relay::dtype::float32, {8});
    for (int i = 0; i < 8; ++i) tens.mutable_data<float>()[i] = static_cast<float>(10 * i + 10);
    CHECK(checked(cast("%x"), rounds_otherwise, {.inputs = {tens}}).empty());
    CHECK_FALSE(checked(cast("multiply(%x, 1.2f)"), rounds_otherwise, {.inputs = {tens}}).empty());
}

TEST_CASE("verify_numerics: inputs that give NaN are drawn again, a bounded number of times", "[relay][debug]") {
    const std::string one =
        checked("def @main(%x: Tensor[(1), float32]) { sqrt(add(%x, 0f)) }", add_to_constants{}, {.seed = 3});
    CHECK(one ==
          "verify_numerics: with the inputs of seed 3, result 0: element [0] is nan; trying others\n"
          "verify_numerics: with the inputs of seed 4, result 0: element [0] is nan; trying others\n"
          "after AddToConstants: result 0: element [0] is 0.3797988 and was 0.378480017: 0.00131878257 apart; expected "
          "4.32638186e-06 apart at most");
    const std::string never = checked("def @main(%x: Tensor[(64), float32]) { sqrt(add(%x, 0f)) }", swap_operands);
    CHECK(never == "verify_numerics: with the inputs of seed 0, result 0: element [0] is nan; trying others\n"
                   "verify_numerics: with the inputs of seed 1, result 0: element [1] is nan; trying others\n"
                   "verify_numerics: with the inputs of seed 2, result 0: element [0] is nan; trying others\n"
                   "verify_numerics: with the inputs of seed 3, result 0: element [0] is nan; they are used anyway\n");
}

TEST_CASE("verify_numerics: given inputs that produce NaN are used, with a note", "[relay][debug]") {
    const relay::tensor given({2}, std::initializer_list<float>{-1, 4});
    CHECK(
        checked("def @main(%x: Tensor[(2), float32]) { sqrt(add(%x, 0f)) }",
                tutti::sequential(swap_operands, add_to_constants{}), {.inputs = {given}}) ==
        "verify_numerics: with the given inputs, result 0: element [0] is nan\n"
        "after AddToConstants: result 0: element [1] is 2.00024986 and was 2: 0.000249862671 apart; expected 2.28881836e-05 apart at most");
}

TEST_CASE("verify_numerics: says once that a program cannot be evaluated, and looks at it when it can",
          "[relay][debug]") {
    const char* text = "def @main(%x: Tensor[(?, 3), float32]) { add(%x, 0.5f) }";
    CHECK(
        checked(text, tutti::sequential(add_to_constants{}, add_to_constants{})) ==
        "verify_numerics: the program cannot be evaluated, so nothing is compared: parameter %x: is of type Tensor[(?, 3), float32]; "
        "expected a tensor of known shape\n");
    const auto known = tutti::make_pass<"Known">([](ir_module& m) {
        m = relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) { add(%x, 0.5f) }");
    });
    CHECK(checked(text, tutti::sequential(known, add_to_constants{})).find("\nafter AddToConstants: ") !=
          std::string::npos);
}

TEST_CASE("verify_numerics: blames a pass after which the program cannot be evaluated, or has other results",
          "[relay][debug]") {
    const auto drops = tutti::make_pass<"DropsAnArgument">([](ir_module& m) {
        for (auto& [name, f] : m) {
            const relay::function& old = f;
            relay::rewriter r(old);
            f = r.rewrite([&](relay::rewriter& into, relay::expr_id e) {
                if (old.graph.called_op(e) == nullptr || old.graph.called_op(e)->name != "add") return into.rebuild(e);
                const relay::expr_id args[]{into[old.graph.arguments(e)[0]]};
                return into.to().call(into[old.graph.callee(e)], args, old.graph.call_attributes(e));
            });
        }
    });
    CHECK(checked(affine, drops) ==
          "after DropsAnArgument: the program cannot be evaluated any more: @main: add: called with 1 "
          "argument; expected 2: lhs, rhs");
    const auto wider = tutti::make_pass<"Wider">([](ir_module& m) {
        m = relay::parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) { cast(%x, dtype=\"float64\") }");
    });
    CHECK(checked(affine, wider) ==
          "after Wider: result 0 is (2, 3) float64 and was (2, 3) float32; expected (2, 3) float32");
    const auto others = tutti::make_pass<"OtherParameters">(
        [](ir_module& m) { m = relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(3), float32]) { %x }"); });
    CHECK(checked(affine, others) ==
          "after OtherParameters: the program cannot be evaluated any more: @main: parameter %x: is given "
          "Tensor[(2, 3), float32]; expected Tensor[(3), float32]");
}

TEST_CASE("verify_numerics: a pass that changes results on purpose is noted, and not compared", "[relay][debug]") {
    CHECK(checked(affine, tutti::sequential(mixed, nothing)) ==
          "verify_numerics: after ToMixedPrecision, which is meant to change results: result 0: element [0, 0] is "
          "0.353624701 "
          "and was -0.0487917662: 0.402416468 apart; 6 of 6 elements are out of bounds\n");
    CHECK(checked(affine, tutti::sequential(mixed, add_to_constants{})).find("\nafter AddToConstants: ") !=
          std::string::npos);
    CHECK(checked(affine, tutti::sequential(mixed), {.other_results = {}}).starts_with("after ToMixedPrecision: "));
}

TEST_CASE("verify_numerics: a pass that is meant to compute something else makes no NaN or infinity of a finite number",
          "[relay][debug][nan]") {
    const auto mixed_by = [](float by) {
        return tutti::make_pass<"ToMixedPrecision">([by](ir_module& m) { m = with_constants(m, by); });
    };
    const std::string lost = "result 0: element [0, 0] is ";
    CHECK(checked(affine, tutti::sequential(mixed_by(std::numeric_limits<float>::quiet_NaN()))) ==
          "after ToMixedPrecision: " + lost +
              "nan and was -0.0487917662; 6 of 6 elements are out of bounds; expected a finite number");
    const char* sum = "def @main(%x: Tensor[(2, 3), float32]) { add(%x, 0.25f) }";
    CHECK(checked(sum, tutti::sequential(mixed_by(-std::numeric_limits<float>::infinity())))
              .starts_with("after ToMixedPrecision: " + lost + "-inf and was "));
    const char* products =
        "def @main(%x: Tensor[(2, 3), float32]) { %0 = multiply(%x, 1000f); nn.dense(%0, %0, units=None) }";
    CHECK(checked(products, tutti::sequential(relay::infer_type{}, relay::to_mixed_precision{}))
              .starts_with("after ToMixedPrecision: " + lost + "inf and was "));
    // Elements that were not finite before the pass are not compared.
    const char* divided = "def @main(%x: Tensor[(2), float32]) { divide(%x, 0f) }";
    CHECK(checked(divided, tutti::sequential(mixed)).find("is meant to change results: result 0: ") !=
          std::string::npos);
}

namespace {
template <class Layer>
std::string seen(const auto& passes, bool with_it, bool first = true) {
    std::string text;
    full_recorder r{"R", text, recording::hooks_and_passes};
    instrument check{{}, &note};
    ir_module m = relay::parse(std::string("#[version = \"0.0.5\"]\n") + affine);
    const auto run = [&](auto&& ctx) {
        try {
            Layer::with(ctx, [&](auto& scope) { scope.run(passes, m); });
        } catch (const std::exception& e) {
            text += e.what();
        }
    };
    if (!with_it)
        run(Layer::template context<ir_module>({}, r));
    else if (first)
        run(Layer::template context<ir_module>({}, check, r));
    else
        run(Layer::template context<ir_module>({}, r, check));
    return text + relay::to_text(m);
}
} // namespace

TEMPLATE_TEST_CASE("verify_numerics: changes neither the program nor the events of others", "[relay][debug][laws]",
                   static_layer, erased_layer) {
    const auto same = [](const auto& passes) {
        const std::string alone = seen<TestType>(passes, false);
        CHECK(seen<TestType>(passes, true) == alone);
        CHECK(seen<TestType>(passes, true, false) == alone);
    };
    same(tutti::sequential(relay::infer_type{}, nothing, tutti::sequential<"Inner">(swap_operands, nothing)));
    same(tutti::sequential(nothing, fails, nothing));
    same(tutti::each<relay::function>(tutti::make_pass<"Leave">([](relay::function&) {})));
}

TEMPLATE_TEST_CASE("verify_numerics: works on after hooks that threw, and in contexts in contexts",
                   "[relay][debug][laws]", static_layer, erased_layer) {
    instrument check{{}, &note};
    std::string ignored;
    ir_module m = relay::parse(std::string("#[version = \"0.0.5\"]\n") + affine);
    for (const hook bad : {hook::should_run, hook::before, hook::after}) {
        throwing_recorder throws{"T", ignored, bad};
        auto ctx = TestType::template context<ir_module>({}, check, throws);
        CHECK_THROWS(
            TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(nothing, swap_operands), m); }));
    }
    auto ctx = TestType::template context<ir_module>({}, check);
    const auto enters_again = tutti::make_pass<"EntersAgain">([&](ir_module& u) {
        auto inner = TestType::template context<ir_module>({}, check);
        TestType::with(inner, [&](auto& scope) { scope.run(swap_operands, u); });
        ir_module another = relay::parse("#[version = \"0.0.5\"]\ndef @main(%y: float64) { add(%y, 1f64) }");
        TestType::with(inner, [&](auto& scope) { scope.run(swap_operands, another); });
    });
    std::string what;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(nothing, enters_again, nothing), m);
        try {
            scope.run(tutti::sequential(nothing, add_to_constants{}), m);
        } catch (const tutti::error& e) {
            what = e.what();
        }
        scope.run(tutti::sequential(nothing, swap_operands), m);
    });
    CHECK(what.starts_with("after AddToConstants: "));
}

namespace {
struct swap_of_function {
    static constexpr tutti::pass_info info{.name = "SwapOperands"};
    void operator()(relay::function& f) const {
        ir_module m(f);
        swap_operands(m);
        std::this_thread::sleep_for(std::chrono::milliseconds(1)); // lets other threads run
        f = *m.find("main");
    }
};
} // namespace

TEMPLATE_TEST_CASE("verify_numerics: with an executor the function that was changed is compared with itself",
                   "[relay][debug]", static_layer, erased_layer) {
    std::string text;
    for (int i = 0; i < 24; ++i)
        text += "def @f" + std::to_string(i) + "(%x: Tensor[(2), float32]) { multiply(add(%x, " + std::to_string(i) +
                "f), %x) }\n";
    ir_module m = relay::parse(text + "def @main(%x: Tensor[(2), float32]) { add(%x, 1f) }");
    relay::infer_types(m);
    relay::verify_numerics check{{}, [](std::string_view) {}};
    tutti::thread_pool pool{3};
    const auto pipeline = tutti::each<relay::function>(swap_of_function{}, add_to_constants_of_function{.by = 0});
    const auto run = [&](auto&& ctx) {
        for (int round = 0; round < 2; ++round)
            CHECK_NOTHROW(tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); }));
    };
    if constexpr (std::is_same_v<TestType, erased_layer>)
        run(tutti::runtime::pass_context<ir_module>{
            tutti::runtime::context_options<ir_module>{.instruments = {check}, .executor = tutti::on(pool)}});
    else
        run(tutti::pass_context{tutti::instruments(check), tutti::on(pool)});
}
