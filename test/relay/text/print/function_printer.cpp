#include <tutti/relay/text/print/function_printer.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/open_function.hpp"
#include "relay/programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

namespace {

// Returns the printed body of a `main` that computes `result`, without types.
std::string body_of(relay::builder& b, expr result) {
    const std::string text = bare_text(relay::ir_module(closed(b, result)));
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.rfind("}\n") - begin);
}

expr with_attributes(relay::builder& b, std::initializer_list<expr> params, expr body,
                     std::vector<relay::attr_value> attributes) {
    std::vector<relay::expr_id> ids;
    for (const expr& p : params) ids.push_back(p.id);
    relay::graph& g = b.graph();
    return {&g, g.function(ids, body.id, relay::type_id::none, g.attrs().add(attributes))};
}

} // namespace

TEST_CASE("function_printer: attributes equal to their default are left out, required ones never", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto w = b.variable("w");
    const auto line = [&](expr e) { return body_of(b, e); };
    CHECK(line(relay::nn::conv2d(x, w)) == "  nn.conv2d(%x, %w, padding=[0, 0, 0, 0])\n");
    CHECK(line(relay::nn::conv2d(b.variable("x"), b.variable("w"),
                                 {.strides = {2, 1},
                                  .groups = 2,
                                  .channels = dim(8),
                                  .kernel_size = dims{3, 3},
                                  .data_layout = "NHWC",
                                  .out_dtype = dtype::int32})) ==
          "  nn.conv2d(%x, %w, strides=[2, 1], padding=[0, 0, 0, 0], groups=2, channels=8, kernel_size=[3, 3], "
          "data_layout=\"NHWC\", out_dtype=\"int32\")\n");
    CHECK(line(relay::nn::dense(b.variable("x"), b.variable("w"))) == "  nn.dense(%x, %w, units=None)\n");
    CHECK(line(relay::nn::dense(b.variable("x"), b.variable("w"), {.units = std::optional(dim::wide(5))})) ==
          "  nn.dense(%x, %w, units=5i64)\n");
    CHECK(line(relay::nn::softmax(b.variable("x"))) == "  nn.softmax(%x)\n");
    CHECK(line(relay::nn::softmax(b.variable("x"), {.axis = 1})) == "  nn.softmax(%x, axis=1)\n");
    CHECK(line(relay::nn::max_pool2d(b.variable("x"), {.pool_size = dims{2, 2}, .ceil_mode = true})) ==
          "  nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0], ceil_mode=True)\n");
    CHECK(line(relay::expand_dims(b.variable("x"), {.axis = 0})) == "  expand_dims(%x, axis=0)\n");
    const auto stat = b.variable("s");
    CHECK(line(relay::nn::batch_norm(b.variable("x"), stat, stat, stat, stat, {.epsilon = 2e-5, .scale = false})) ==
          "  nn.batch_norm(%x, %s, %s, %s, %s, epsilon=2e-05f, scale=False)\n");
}

TEST_CASE("function_printer: attributes that repeat arguments are references to constants", "[relay][text]") {
    relay::builder b;
    const auto number = [&](float value) { return b.constant(relay::tensor::scalar(value)); };
    const expr stop = b.variable("stop", {});
    const expr x = relay::arange(number(1), number(20), number(2), {.dtype = dtype::float32});
    const expr y = relay::arange(number(1), stop, number(2), {.dtype = dtype::float32});
    const std::string text = body_of(b, b.tuple({x, y}));
    CHECK(text == "  %0 = arange(1f, 20f, 2f, start=meta[relay.Constant][0], stop=meta[relay.Constant][1], "
                  "step=meta[relay.Constant][2], dtype=\"float32\");\n"
                  "  %1 = arange(1f, %stop, 2f, start=meta[relay.Constant][3], step=meta[relay.Constant][4], "
                  "dtype=\"float32\");\n"
                  "  (%0, %1)\n");
    const std::string whole = "#[version = \"0.0.5\"]\ndef @main(%stop: float32) {\n" + text + "}\n";
    CHECK(relay::to_text(relay::parse(whole), {.metadata_note = false}) == whole);
}

TEST_CASE("function_printer: tuples, fields, literals and other constants", "[relay][text]") {
    relay::builder b;
    const auto c = b.constant(relay::tensor(dtype::float32, {2}));
    const auto nothing = b.tuple({});
    const auto one = b.tuple({c});
    CHECK(body_of(b, b.tuple({nothing, one, one[0], b.constant(1), b.constant(true), c})) ==
          "  %0 = (meta[relay.Constant][0],);\n" // the first user of the constant comes first
          "  %1 = ();\n"
          "  %2 = %0.0;\n"
          "  (%1, %0, %2, 1, True, meta[relay.Constant][0])\n");
}

TEST_CASE("function_printer: a constant has its type at every place, another expression once", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto c = b.constant(2.0F);
    const auto y = relay::add(c, c);
    relay::ir_module m(closed(b, b.tuple({y, y, x, x})));
    relay::infer_types(m);
    CHECK(bare_text(m, true) == "def @main(%x: float32 /* ty=float32 */) -> (float32, float32, float32, float32) {\n"
                                "  %0 = add(2f /* ty=float32 */, 2f /* ty=float32 */) /* ty=float32 */;\n"
                                "  (%0, %0, %x, %x) /* ty=(float32, float32, float32, float32) */\n"
                                "}\n");
}

TEST_CASE("function_printer: two uses by one call are two, and a shared result is named", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto y = relay::exp(x);
    CHECK(body_of(b, relay::add(y, y)) == "  %0 = exp(%x);\n  add(%0, %0)\n");
    const auto z = b.variable("z");
    const auto shared = relay::exp(z);
    CHECK(body_of(b, b.call(b.nested({}, shared), {shared})) == "  %1 = fn () {\n"
                                                                "    %0 = exp(%z);\n"
                                                                "    %0\n"
                                                                "  };\n"
                                                                "  %1(%0)\n");
}

TEST_CASE("function_printer: lets, let in a let's value, and lets as operands", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto y = b.variable("y");
    CHECK(body_of(b, b.let(x, b.constant(1), b.let(y, relay::exp(x), y))) ==
          "  let %x = 1;\n  let %y = exp(%x);\n  %y\n");
    CHECK(body_of(b, b.let(b.variable("a"), b.constant(1), b.constant(2))) == "  let %a = 1;\n  2\n");
    relay::builder nested;
    const auto p = nested.variable("p");
    const auto q = nested.variable("q");
    CHECK(body_of(nested, nested.let(p, nested.let(q, nested.constant(1), relay::exp(q)), p)) ==
          "  let %p = let %q = 1;\n"
          "  exp(%q);\n"
          "  %p\n");
    relay::builder operand;
    const auto v = operand.variable("v");
    const auto let = operand.let(v, relay::exp(relay::log(operand.constant(1.0F))), relay::negative(v));
    CHECK(body_of(operand, relay::add(let, operand.constant(2.0F))) == "  %0 = log(1f);\n"
                                                                       "  %1 = (\n"
                                                                       "    let %v = exp(%0);\n"
                                                                       "    negative(%v)\n"
                                                                       "  );\n"
                                                                       "  add(%1, 2f)\n");
}

TEST_CASE("function_printer: a value that is used elsewhere too is bound before the let", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x");
    const auto value = relay::exp(b.constant(1.0F));
    CHECK(body_of(b, b.let(x, value, b.tuple({x, value}))) == "  %0 = exp(1f);\n  let %x = %0;\n  (%x, %0)\n");
}

TEST_CASE("function_printer: function attributes follow the parameters", "[relay][text]") {
    relay::builder b;
    auto& strings = b.graph().strings();
    const auto p = b.variable("p");
    const std::vector attributes{relay::attr_value::of(strings.add("Primitive")), relay::attr_value::of(dim(1)),
                                 relay::attr_value::of(strings.add("Compiler")),
                                 relay::attr_value::of(strings.add("own"))};
    CHECK(body_of(b, with_attributes(b, {p}, p, attributes)) ==
          "  fn (%p, Primitive=1, Compiler=\"own\") {\n    %p\n  }\n");
    relay::builder none;
    const std::vector inlined{relay::attr_value::of(none.graph().strings().add("Inline")),
                              relay::attr_value::of(dim(1))};
    CHECK(body_of(none, with_attributes(none, {}, none.tuple({}), inlined)) == "  fn (Inline=1) {\n    ()\n  }\n");
}

TEST_CASE("function_printer: calls of functions of the module, of variables and of literals", "[relay][text]") {
    relay::builder b;
    const auto f = b.variable("f");
    const auto p = b.variable("p");
    const auto inner = b.call(b.global("g"), {b.constant(1)});
    CHECK(body_of(b, b.call(b.nested({p}, p), {b.call(f, {inner})})) == "  %0 = @g(1);\n"
                                                                        "  %1 = %f(%0);\n"
                                                                        "  %2 = fn (%p) {\n"
                                                                        "    %p\n"
                                                                        "  };\n"
                                                                        "  %2(%1)\n");
}

TEST_CASE("function_printer: a type too long for any memory is refused, and left out where no types are wanted",
          "[relay][text]") {
    relay::builder b;
    relay::graph& g = b.graph();
    relay::type_id deep = g.types().tensor(std::array{dim(2)}, dtype::float32);
    for (int i = 0; i < 60; ++i) deep = g.types().tuple(std::array{deep, deep});
    const auto x = b.variable("x", {2});
    const expr pair{&g, g.tuple(std::array{x.id, x.id})};
    g.set_type(pair.id, deep);
    const relay::ir_module m(b.function({x}, pair));
    CHECK_THROWS_WITH(
        relay::to_text(m),
        Catch::StartsWith("the type " + std::string(60, '(') + "Tensor[(2), float32], ") &&
            Catch::EndsWith("...: is too long to be written; expected types of at most 8388608 characters"));
    CHECK(relay::to_text(m, {.type_comments = false}).ends_with("{\n  (%x, %x)\n}\n"));
}

TEST_CASE("function_printer: a free variable is declared", "[relay][text]") {
    relay::builder b;
    relay::ir_module m(tutti::test::open_function(b, {}, relay::exp(b.variable("x", {2}))));
    CHECK(bare_text(m) == "def @main() {\n  free_var %x: Tensor[(2), float32];\n  exp(%x)\n}\n");
}

TEST_CASE(
    "function_printer: a million calls, and a hundred thousand lets, functions and tuples in a row, need no recursion",
    "[relay][text][deep]") {
    relay::builder b;
    expr e = b.variable("x");
    for (int i = 0; i < 1'000'000; ++i) e = relay::exp(e);
    const std::string calls = body_of(b, e);
    CHECK(calls.ends_with("  %999998 = exp(%999997);\n  exp(%999998)\n"));

    relay::builder other;
    e = other.variable("x");
    for (int i = 0; i < 300'000; ++i) {
        switch (i % 3) {
        case 0:
            e = other.let(other.variable("v"), e, other.constant(1));
            break; // the next let has this one in its value
        case 1:
            e = other.tuple({e})[0];
            break;
        default:
            e = other.call(other.nested({}, other.tuple({})), {e});
        }
    }
    CHECK(body_of(other, e).size() > 1'000'000);
}

TEST_CASE("function_printer: records the position of each line and parameter, with its blocks", "[relay][text]") {
    relay::builder b;
    const expr c = b.variable("c"), x = b.variable("x"), y = b.variable("y");
    const expr inner = relay::exp(b.constant(1));
    const expr one = relay::exp(x);
    const relay::function f = b.function({c, x}, b.let(y, one, b.conditional(c, relay::add(y, inner), y)));
    relay::text::naming names;
    std::string text;
    relay::plain_vector<relay::text::printed_place> places;
    relay::text::function_printer(f.graph, names, {}, text).define("f", f.root, &places);
    std::vector<std::string> parts;
    for (const auto& [e, begin, end] : places) parts.push_back(text.substr(begin, end - begin));
    const std::string choice = "if (%c) {\n    %0 = exp(1);\n    add(%y, %0)\n  } else {\n    %y\n  }";
    CHECK(parts == std::vector<std::string>{"%c", "%x", "let %y = exp(%x);\n  " + choice, "let %y = exp(%x)", "%y",
                                            choice, "%0 = exp(1)", "add(%y, %0)", "%y"});
}
