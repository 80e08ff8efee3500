#include <tutti/relay/transform/passes/to_mixed_precision.hpp>

#include <tutti/instrument/remarks.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/runtime/pass_config.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string mixed(std::string_view program, relay::to_mixed_precision pass = {}) {
    try {
        const std::string text = test::bare_text(test::after(test::typed(program), pass));
        return text.substr(text.find('\n') + 1);
    } catch (const error& e) {
        return e.what();
    }
}

// Runs the pass with the option to keep the element types of results. Returns the printed program.
std::string kept(std::string_view program) {
    relay::ir_module m = test::typed(program);
    runtime::config_keys known;
    known.add(relay::to_mixed_precision::config{});
    runtime::pass_context<relay::ir_module> ctx{
        {.config = runtime::pass_config(known, {{"relay.ToMixedPrecision.keep_orig_output_dtype", true}})}};
    tutti::with(ctx, [&](auto& scope) { scope.run(relay::to_mixed_precision{}, m); });
    const std::string text = test::bare_text(m);
    return text.substr(text.find('\n') + 1);
}

// Custom operators: one that states its precision, and two that inherit it from built-in operators.
struct entropy : relay::op::elementwise {
    static constexpr std::string_view name = "my.entropy";
    static constexpr auto precision = relay::precision_rule::never;
};
struct squash : relay::op::tanh {
    static constexpr std::string_view name = "my.squash";
};
struct product : relay::op::nn::dense {
    static constexpr std::string_view name = "my.product";
};

} // namespace

TEST_CASE("to_mixed_precision: converts products always, sums never, others with converted arguments",
          "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  %0 = nn.dense(%x, %w, units=4);
  %1 = nn.relu(%0);
  %2 = nn.softmax(%1);
  %3 = tanh(%2);
  (%3, %1)
}
)") == R"(  %0 = cast(%x, dtype="float16");
  %1 = cast(%w, dtype="float16");
  %2 = nn.dense(%0, %1, units=4, out_dtype="float16");
  %3 = nn.relu(%2);
  %4 = cast(%3, dtype="float32");
  %5 = nn.softmax(%4);
  %6 = tanh(%5);
  (%6, %3)
}
)");
}

TEST_CASE("to_mixed_precision: casts values once, and results back to their types", "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 2), float32]) {
  %0 = exp(%x);
  %1 = nn.dense(%0, %0, units=2);
  %2 = nn.dense(%1, %0, units=2);
  add(%2, %0)
}
)") == R"(  %0 = exp(%x);
  %1 = cast(%0, dtype="float16");
  %2 = nn.dense(%1, %1, units=2, out_dtype="float16");
  %3 = nn.dense(%2, %1, units=2, out_dtype="float16");
  %4 = cast(%3, dtype="float32");
  add(%4, %0)
}
)");
}

TEST_CASE("to_mixed_precision: takes tuples apart, keeps integers", "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 2), float32], %i: Tensor[(2, 2), int32]) {
  %0 = nn.dense(%x, %x, units=2);
  %1 = exp(%x);
  %2 = (%0, %1);
  %3 = concatenate(%2);
  %4 = add(%i, %i);
  (%3, %4)
}
)") == R"(  %0 = cast(%x, dtype="float16");
  %1 = nn.dense(%0, %0, units=2, out_dtype="float16");
  %2 = exp(%x);
  %3 = (%1, %2);
  %4 = %3.0;
  %5 = cast(%4, dtype="float32");
  %6 = %3.1;
  %7 = (%5, %6);
  %8 = concatenate(%7);
  %9 = add(%i, %i);
  (%8, %9)
}
)");
}

TEST_CASE("to_mixed_precision: a let's variable has the type of its value", "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 2), float32]) {
  let %y: Tensor[(2, 2), float32] = nn.dense(%x, %x, units=2);
  sum(%y)
}
)",
                {.mixed_precision_type = relay::dtype::float64}) == R"(  %0 = cast(%x, dtype="float64");
  let %y: Tensor[(2, 2), float64] = nn.dense(%0, %0, units=2, out_dtype="float64");
  %1 = cast(%y, dtype="float32");
  sum(%1)
}
)");
}

TEST_CASE("to_mixed_precision: variables bound to a let's variable have its type", "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 2), float32]) {
  let %a = nn.dense(%x, %x, units=2);
  let %b = %a;
  let %c: Tensor[(2, 2), float32] = %b;
  let %d = %b;
  (sum(%c), nn.relu(%d))
}
)") == R"(  %0 = cast(%x, dtype="float16");
  let %a: Tensor[(2, 2), float16] = nn.dense(%0, %0, units=2, out_dtype="float16");
  let %b: Tensor[(2, 2), float16] = %a;
  let %c: Tensor[(2, 2), float16] = %b;
  let %d: Tensor[(2, 2), float16] = %b;
  %1 = cast(%c, dtype="float32");
  %2 = sum(%1);
  %3 = nn.relu(%d);
  (%2, %3)
}
)");
}

TEST_CASE("to_mixed_precision: custom operators declare their precision", "[relay][transform]") {
    relay::ir_module m = relay::parse(
        R"(
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  my.entropy(my.squash(my.product(%x, %w, units=4)))
}
)",
        {.operators = relay::op_set{relay::standard_ops}.with<entropy, squash, product>()});
    relay::infer_types(m);
    const std::string text = test::bare_text(test::after(m, relay::to_mixed_precision{.missing_op_mode = 0}));
    CHECK(text.substr(text.find('\n') + 1) == R"(  %0 = cast(%x, dtype="float16");
  %1 = cast(%w, dtype="float16");
  %2 = my.product(%0, %1, units=4, out_dtype="float16");
  %3 = my.squash(%2);
  %4 = cast(%3, dtype="float32");
  my.entropy(%4)
}
)");
}

TEST_CASE("to_mixed_precision: refuses unknown operators on request", "[relay][transform]") {
    constexpr std::string_view program = "def @main(%x: Tensor[(2, 2), float32]) { negative(%x) }";
    CHECK(mixed(program, {.missing_op_mode = 0}) ==
          "ToMixedPrecision, negative: has no precision rule; expected a missing_op_mode of 1 or 2");
    CHECK(mixed(program, {.missing_op_mode = 2}).find("negative") != std::string::npos);
    constexpr std::string_view known = "def @main(%x: Tensor[(2, 2), float32]) { argmin(%x, axis=[1]) }";
    CHECK(mixed(known, {.missing_op_mode = 0}) == mixed(known));
    CHECK(mixed(program, {.missing_op_mode = 3}).starts_with("ToMixedPrecision, missing_op_mode"));
    CHECK(mixed(program, {.mixed_precision_type = relay::dtype::int8})
              .starts_with("ToMixedPrecision, mixed_precision_type"));
}

TEST_CASE("to_mixed_precision: called functions keep their types", "[relay][transform]") {
    const auto all = [](std::string_view program) {
        return test::bare_text(test::after(test::typed(program), relay::to_mixed_precision{}));
    };
    // A function that is called by name keeps its result type, and gets arguments of its parameter types.
    CHECK(all(R"(
def @layer(%x: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { nn.dense(%x, %x, units=2) }
def @main(%x: Tensor[(2, 2), float32]) { nn.dense(@layer(nn.dense(%x, %x, units=2)), %x, units=2) }
)") == R"(def @layer(%x: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] {
  %0 = cast(%x, dtype="float16");
  %1 = nn.dense(%0, %0, units=2, out_dtype="float16");
  cast(%1, dtype="float32")
}

def @main(%x1: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float16] {
  %2 = cast(%x1, dtype="float16");
  %3 = nn.dense(%2, %2, units=2, out_dtype="float16");
  %4 = cast(%3, dtype="float32");
  %5 = @layer(%4);
  %6 = cast(%5, dtype="float16");
  nn.dense(%6, %2, units=2, out_dtype="float16")
}
)");
    // A function that is bound to a variable keeps its types, too. It may call itself.
    const std::string bound = all(R"(
def @main(%x: Tensor[(2, 2), float32], %n: int32) {
  let %f: fn (int32, Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] = fn (%i: int32, %y: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] {
    if (equal(%i, 0)) { %y } else { %f(subtract(%i, 1), nn.dense(%y, %y, units=2)) }
  };
  %f(%n, %x)
}
)");
    CHECK(bound.find("%f(") != std::string::npos);
    CHECK(bound.find("out_dtype=\"float16\"") != std::string::npos);
    CHECK(bound.find("float16)") == std::string::npos);
}

TEST_CASE("to_mixed_precision: programs that call functions are well typed, with equal results up to rounding",
          "[relay][transform]") {
    constexpr std::string_view programs[]{
        "def @main(%x: Tensor[(2, 2), float32]) { let %f = fn (%y: Tensor[(2, 2), float32]) { nn.dense(%y, %y, units=2) }; "
        "%f(%f(%x)) }",
        // A function in a tuple, and a function of tuples.
        "def @main(%x: Tensor[(2, 2), float32]) { let %t = (fn (%y: (Tensor[(2, 2), float32], Tensor[(2, 2), float32])) { "
        "(nn.dense(%y.0, %y.1, units=2), %y.0) }, %x); let %a = %t.0((nn.dense(%t.1, %x, units=2), %x)); add(%a.0, %a.1) }",
        // Functions that are passed as an argument, or returned.
        "def @twice(%f: fn (Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32], %x: Tensor[(2, 2), float32]) -> Tensor[(2, "
        "2), float32] { %f(%f(%x)) }\ndef @layer(%x: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { nn.dense(%x, "
        "%x, units=2) }\ndef @main(%x: Tensor[(2, 2), float32]) { @twice(@layer, nn.dense(%x, %x, units=2)) }",
        "def @main(%x: Tensor[(2, 2), float32]) { let %g = fn (%w: Tensor[(2, 2), float32]) { fn (%y: Tensor[(2, 2), "
        "float32]) { nn.dense(%y, %w, units=2) } }; let %h = %g(%x); %h(%x) }",
        // A function that is called immediately, with a float16 argument.
        "def @main(%x: Tensor[(2, 2), float32]) { %0 = nn.dense(%x, %x, units=2); %1 = fn (%y: Tensor[(2, 2), float32]) { "
        "nn.dense(%y, %y, units=2) }; add(%1(%0), %0) }",
        // Branches with different types.
        "def @main(%x: Tensor[(2, 2), float32]) { %0 = nn.dense(%x, %x, units=2); if (less(sum(%x), 0f)) { %0 } else { "
        "exp(%0) } }",
        "def @main(%x: Tensor[(2, 2), float32]) { %0 = nn.dense(%x, %x, units=2); %1 = if (less(sum(%x), 0f)) { (%0, %x) } "
        "else { (%x, %0) }; add(%1.0, %1.1) }",
    };
    for (const std::string_view program : programs) {
        INFO(program);
        const relay::ir_module m = test::typed(program);
        const relay::ir_module mixed = test::after(m, relay::to_mixed_precision{});
        CHECK(test::bare_text(mixed).find("float16") != std::string::npos);
        const relay::ir_module wide =
            test::after(m, relay::to_mixed_precision{.mixed_precision_type = relay::dtype::float64});
        const relay::ir_module back =
            test::after(wide, relay::to_mixed_precision{.mixed_precision_type = relay::dtype::float32});
        CHECK(test::evaluate(mixed, 5).size() == 4);
        CHECK(test::relative_difference(test::evaluate(m, 5), test::evaluate(back, 5)) < 1e-5);
    }
}

TEST_CASE("to_mixed_precision: integers stay integers", "[relay][transform]") {
    CHECK(mixed("def @main(%i: Tensor[(4), int32]) { add(full(2, shape=[4]), %i) }") ==
          "  %0 = full(2, shape=[4]);\n  add(%0, %i)\n}\n");
    CHECK(mixed("def @main() { full(2f, shape=[4]) }") ==
          "  %0 = cast(2f, dtype=\"float16\");\n  full(%0, shape=[4], dtype=\"float16\")\n}\n");
    constexpr std::string_view product =
        "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(4, 3), int8]) { nn.dense(%x, %w, units=4) }";
    CHECK(mixed(product) == "  nn.dense(%x, %w, units=4)\n}\n");
    CHECK(
        mixed(
            "def @main(%x: Tensor[(1, 1, 3, 3), int8], %w: Tensor[(1, 1, 3, 3), int8]) { nn.conv2d(%x, %w, padding=[0, "
            "0, 0, 0], out_dtype=\"int32\") }") ==
        "  nn.conv2d(%x, %w, padding=[0, 0, 0, 0], out_dtype=\"int32\")\n}\n");
}

TEST_CASE("to_mixed_precision: quantised operators have scales of type float32", "[relay][transform]") {
    CHECK(mixed(R"(
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) {
  %0 = nn.dense(%x, %w, units=4);
  %1 = qnn.quantize(%0, 0.5f, 3, out_dtype="int8");
  qnn.dequantize(%1, 0.5f, 3)
}
)",
                {.missing_op_mode = 0}) == R"(  %0 = cast(%x, dtype="float16");
  %1 = cast(%w, dtype="float16");
  %2 = nn.dense(%0, %1, units=4, out_dtype="float16");
  %3 = cast(%2, dtype="float32");
  %4 = qnn.quantize(%3, 0.5f, 3, out_dtype="int8");
  qnn.dequantize(%4, 0.5f, 3)
}
)");
    CHECK(mixed("def @main(%q: Tensor[(2), int8]) { qnn.requantize(%q, 0.5f, 3, 0.25f, 2, out_dtype=\"int8\") }")
              .find("cast") == std::string::npos);
}

TEST_CASE("to_mixed_precision: a context option keeps the element types of results", "[relay][transform]") {
    CHECK(kept("def @main(%x: Tensor[(2, 2), float32]) { nn.dense(%x, %x, units=2) }") ==
          R"(  %0 = cast(%x, dtype="float16");
  %1 = nn.dense(%0, %0, units=2, out_dtype="float16");
  cast(%1, dtype="float32")
}
)");
    CHECK(kept(R"(
def @main(%x: Tensor[(2, 2), float32], %i: Tensor[(2), int32]) {
  %0 = nn.dense(%x, %x, units=2);
  (%0, %i, exp(%0))
}
)") == R"(  %0 = cast(%x, dtype="float16");
  %1 = nn.dense(%0, %0, units=2, out_dtype="float16");
  %2 = cast(%1, dtype="float32");
  %3 = exp(%2);
  %4 = (%1, %i, %3);
  %5 = %4.0;
  %6 = cast(%5, dtype="float32");
  %7 = %4.1;
  %8 = %4.2;
  (%6, %7, %8)
}
)");
    // Values that are not computed in float16, and tuples of such values, are unchanged.
    const std::string_view alone[]{
        "def @main(%x: Tensor[(2, 2), float32]) { exp(%x) }",
        "def @main(%x: Tensor[(2, 2), float32]) { (exp(%x), %x) }",
        "def @main(%x: Tensor[(2, 2), float32]) { let %y: Tensor[(2, 2), float32] = exp(%x); %y }"};
    for (const std::string_view program : alone) CHECK(kept(program) == mixed(program));
    CHECK(kept("def @main(%x: Tensor[(2, 2), float32]) { argmax(%x, axis=[1]) }").find("dtype=\"int32\"") ==
          std::string::npos);
}

TEST_CASE("to_mixed_precision: subsequent operators use the other type if all arguments are variables or constants",
          "[relay][transform]") {
    CHECK(mixed("def @main(%x: Tensor[(1, 10), float32], %i: Tensor[(1, 1), int32]) { reshape(%x, newshape=[-1]) }") ==
          R"(  %0 = cast(%x, dtype="float16");
  reshape(%0, newshape=[-1])
}
)");
    CHECK(mixed("def @main() { zeros(shape=[2], dtype=\"float32\") }") == R"(  zeros(shape=[2], dtype="float16")
}
)");
    CHECK(mixed("def @main(%x: Tensor[(2), float64]) { exp(%x) }") == R"(  %0 = cast(%x, dtype="float32");
  exp(%0)
}
)");
}

TEST_CASE("to_mixed_precision: visits nested tuples with shared fields once", "[relay][transform]") {
    std::string program = "def @main(%x: Tensor[(2), int32]) {\n  %0 = (%x, %x);\n";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "%" + std::to_string(i - 1);
        program += "  %" + std::to_string(i) + " = (" + before + ", " + before + ");\n";
    }
    program += "  %60 = fn (%t) { %x };\n  %60(%59)\n}\n";
    relay::ir_module m = relay::parse(program);
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::to_mixed_precision{}, m); });
    CHECK(m.find("main")->graph.size() < 100);
}

TEST_CASE("to_mixed_precision: values read as bits keep their type", "[relay][transform]") {
    CHECK(mixed("def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %d: Tensor[(2), float64]) {\n"
                "  %0 = reinterpret(%x, dtype=\"int32\");\n"
                "  %1 = nn.dense(%x, %w, units=None);\n"
                "  %2 = reinterpret(%1, dtype=\"int32\");\n"
                "  %3 = reinterpret(%d, dtype=\"int64\");\n"
                "  (%0, %2, %3)\n}") == "  %0 = cast(%x, dtype=\"float16\");\n"
                                        "  %1 = cast(%w, dtype=\"float16\");\n"
                                        "  %2 = nn.dense(%0, %1, units=None, out_dtype=\"float16\");\n"
                                        "  %3 = cast(%2, dtype=\"float32\");\n"
                                        "  %4 = reinterpret(%x, dtype=\"int32\");\n"
                                        "  %5 = reinterpret(%3, dtype=\"int32\");\n"
                                        "  %6 = reinterpret(%d, dtype=\"int64\");\n"
                                        "  (%4, %5, %6)\n}\n");
}

TEST_CASE("to_mixed_precision: bfloat16", "[relay][transform]") {
    CHECK(
        mixed(
            "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) { tanh(nn.dense(%x, %w, units=None)) }",
            {.mixed_precision_type = relay::dtype::bfloat16}) ==
        R"(  %0 = cast(%x, dtype="bfloat16");
  %1 = cast(%w, dtype="bfloat16");
  %2 = nn.dense(%0, %1, units=None, out_dtype="bfloat16");
  tanh(%2)
}
)");
}

TEST_CASE("to_mixed_precision: operators and nodes of a model to keep in float32", "[relay][transform]") {
    constexpr std::string_view program = R"(
def @main(%x: Tensor[(2, 4), float32], %w: Tensor[(4, 4), float32]) {
  %0 = nn.dense(%x, %w, units=4);
  %1 = nn.relu(%0);
  nn.dense(%1, %w, units=4)
}
)";
    CHECK(mixed(program, {.keep = {"nn.relu"}}) == R"(  %0 = cast(%x, dtype="float16");
  %1 = cast(%w, dtype="float16");
  %2 = nn.dense(%0, %1, units=4, out_dtype="float16");
  %3 = cast(%2, dtype="float32");
  %4 = nn.relu(%3);
  %5 = cast(%4, dtype="float16");
  nn.dense(%5, %1, units=4, out_dtype="float16")
}
)");
    CHECK(mixed(program, {.keep = {"nn.dense"}}) == R"(  %0 = nn.dense(%x, %w, units=4);
  %1 = nn.relu(%0);
  nn.dense(%1, %w, units=4)
}
)");

    relay::ir_module m = test::typed(program);
    relay::graph& g = m.find("main")->graph;
    const relay::expr_id last = g.body(m.find("main")->root);
    g.set_source_name(last, "last");
    std::string said;
    instrument::remarks remarks{{}, [&](std::string_view line) { said.append(line); }};
    pass_context ctx{instruments(remarks)};
    tutti::with(ctx, [&](auto& scope) { scope.run(relay::to_mixed_precision{.keep = {"last", "nn.softmax"}}, m); });
    CHECK(relay::to_text(m).find("%4 = cast(%3, dtype=\"float32\")") != std::string::npos);
    CHECK(said == R"(ToMixedPrecision: missed: keep: no operator or node is named `nn.softmax`
ToMixedPrecision: applied: main:3:8: nn.dense: computed in float16
ToMixedPrecision: applied: main:4:8: nn.relu: computed in float16
ToMixedPrecision: missed: main:last: nn.dense: is kept in float32, as requested
)");
}
