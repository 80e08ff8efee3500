#include <tutti/relay/transform/passes/dynamic_to_static.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/shape.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

void make_static(relay::ir_module& m) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) { scope.run(relay::dynamic_to_static{}, m); });
}

template <class T>
relay::expr vector_of(relay::builder& b, std::initializer_list<T> values) {
    relay::tensor t(kernel::dtype_of<T>, {static_cast<std::int64_t>(values.size())});
    std::size_t i = 0;
    for (const T v : values) t.mutable_elements<T>()[i++] = v;
    return b.constant(std::move(t));
}

// Rewrites a program that computes `result`. Returns the printed body, or "not idempotent" if a second run changes the
// program.
std::string body(relay::builder& b, relay::expr result) {
    relay::ir_module m(test::closed(b, result));
    make_static(m);
    const std::string text = test::bare_text(m);
    make_static(m);
    if (test::bare_text(m) != text) return "not idempotent";
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.rfind("\n}") - begin);
}

std::string body(std::string_view program) {
    relay::ir_module m = relay::parse(program);
    make_static(m);
    const std::string text = test::bare_text(m);
    const std::size_t begin = text.find("{\n") + 2;
    return text.substr(begin, text.rfind("\n}") - begin);
}

// A custom operator that takes an attribute as an argument.
struct leaky : relay::op::dyn::dynamic<relay::op::nn::leaky_relu> {
    static constexpr std::string_view name = "my.leaky_relu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "alpha"};
    static constexpr auto static_form = by_name(arguments);
    static constexpr relay::type_id infer(relay::relation& r, const attributes&) {
        return knows_all(r) ? r.argument(0) : relay::type_id::none;
    }
};

} // namespace

TEST_CASE("dynamic_to_static: a constant argument becomes an attribute", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 1, 6});
    CHECK(body(b, relay::call_op<relay::op::dyn::reshape>({}, x, vector_of<std::int64_t>(b, {3, -1}))) ==
          "  reshape(%x, newshape=[3, -1])");
    const auto y = b.variable("x", {2, 1, 6});
    CHECK(body(b, relay::call_op<relay::op::dyn::squeeze>({}, y, vector_of<std::int32_t>(b, {1}))) ==
          "  squeeze(%x, axis=[1])");
    const auto z = b.variable("x", {2, 1, 6});
    CHECK(body(b, relay::call_op<relay::op::dyn::tile>({}, z, vector_of<std::uint8_t>(b, {2, 1, 1}))) ==
          "  tile(%x, reps=[2, 1, 1])");
    const auto v = b.variable("x", {2, 1, 6});
    CHECK(body(b, relay::call_op<relay::op::dyn::broadcast_to>({}, v, vector_of<float>(b, {2, 3, 6}))) ==
          "  broadcast_to(%x, shape=[2, 3, 6])");
}

TEST_CASE("dynamic_to_static: keeps other attributes and arguments", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {4, 6});
    CHECK(body(b, relay::dyn::topk(x, b.constant(std::int32_t{3}),
                                   {.k = std::optional<relay::dim>(), .axis = 0, .ret_type = "values"})) ==
          "  topk(%x, k=3, axis=0, ret_type=\"values\")");
    const auto y = b.variable("x", {4, 6});
    CHECK(body(b, relay::call_op<relay::op::dyn::nn::pad>(
                      {.pad_width = std::vector<relay::dims>{}, .pad_mode = "edge"}, y, b.constant([] {
                          relay::tensor t(relay::dtype::int64, {2, 2});
                          for (std::size_t i = 0; i < 4; ++i)
                              t.mutable_elements<std::int64_t>()[i] = static_cast<std::int64_t>(i);
                          return t;
                      }()),
                      b.constant(0.0F))) == "  nn.pad(%x, 0f, pad_width=[[0, 1], [2, 3]], pad_mode=\"edge\")");
}

TEST_CASE("dynamic_to_static: drops attributes that the arguments made redundant", "[relay][transform]") {
    relay::builder b;
    const auto one = [&](std::int64_t n) { return vector_of<std::int64_t>(b, {n}); };
    CHECK(body(b, relay::call_op<relay::op::dyn::strided_slice>({.axes = relay::dims{1}}, b.variable("x", {4, 6}),
                                                                one(1), one(3), one(1))) ==
          "  strided_slice(%x, begin=[1], end=[3], strides=[1], axes=None)");
    CHECK(body(b, relay::call_op<relay::op::dyn::broadcast_to>({.dtype = relay::dtype::int8}, b.variable("x", {1}),
                                                               one(3))) == "  broadcast_to(%x, shape=[3])");
}

TEST_CASE("dynamic_to_static: keeps a slice that may end before it begins, which is empty", "[relay][transform]") {
    relay::builder b;
    const auto cut = [&](const relay::dims& shape, std::int64_t begin, std::int64_t end, std::int64_t step = 1,
                         std::string_view mode = "end") {
        const auto one = [&](std::int64_t n) { return vector_of<std::int64_t>(b, {n}); };
        const std::string text =
            body(b, relay::dyn::strided_slice(b.variable("x", shape), one(begin), one(end), one(step), mode));
        return text.substr(2, text.find('(') - 2);
    };
    CHECK(cut({4}, 2, 1) == "dyn.strided_slice");
    CHECK(cut({4}, 2, 2) == "strided_slice");
    CHECK(cut({4}, -1, 2) == "dyn.strided_slice");
    CHECK(cut({4}, 1, 2, -1) == "dyn.strided_slice");
    CHECK(cut({4}, 2, 1, -1) == "strided_slice");
    CHECK(cut({4}, 2, 1, 1, "size") == "strided_slice");
    const relay::dims unknown{relay::dim::any()};
    CHECK(cut(unknown, 1, 2) == "strided_slice");
    CHECK(cut(unknown, 2, 1) == "dyn.strided_slice");
    CHECK(cut(unknown, -2, -1) == "strided_slice");
    CHECK(cut(unknown, -1, -2) == "dyn.strided_slice");
    CHECK(cut(unknown, 0, -1) == "strided_slice");
    CHECK(cut(unknown, 1, -1) == "dyn.strided_slice");
    CHECK(cut(unknown, -1, std::numeric_limits<std::int32_t>::max()) == "strided_slice");
    CHECK(cut(unknown, -1, std::numeric_limits<std::int64_t>::min(), -1) == "strided_slice");
    CHECK(cut(unknown, -1, 0, -1) == "dyn.strided_slice");
}

TEST_CASE("dynamic_to_static: accepts the largest end of a slice", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {4});
    const auto slice = relay::call_op<relay::op::dyn::strided_slice>(
        {}, x, vector_of<std::int64_t>(b, {1}), vector_of<std::int64_t>(b, {std::numeric_limits<std::int64_t>::max()}),
        vector_of<std::int64_t>(b, {1}));
    relay::ir_module m(test::closed(b, slice));
    make_static(m);
    const relay::function& f = *m.find("main");
    CHECK(relay::to_text(f.graph.types(), f.graph.type(f.graph.body(f.root))) == "Tensor[(3), float32]");
}

TEST_CASE("dynamic_to_static: a known shape becomes a constant, and makes others known", "[relay][transform]") {
    CHECK(body("def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(3, 2), float32]) {\n"
               "  %0 = shape_of(%y, dtype=\"int64\");\n  %1 = dyn.reshape(%x, %0, newshape=[]);\n"
               "  %2 = shape_of(%1, dtype=\"int32\");\n  dyn.zeros(%2, shape=None, dtype=\"float32\")\n}") ==
          "  zeros(shape=[3, 2], dtype=\"float32\")");
}

TEST_CASE("dynamic_to_static: fill values stay arguments, depths become attributes", "[relay][transform]") {
    relay::builder b;
    CHECK(body(b, relay::dyn::full(b.variable("v", {}), relay::shape_of(b.variable("y", {2, 3})))) ==
          "  full(%v, shape=[2, 3])");
    const auto indices = b.variable("i", {3}, relay::dtype::int32);
    const auto on = b.variable("on", {}, relay::dtype::int32);
    const auto off = b.constant(std::int32_t{0});
    CHECK(body(b, relay::dyn::one_hot(indices, on, off, b.constant(std::int32_t{4}),
                                      {.axis = 0, .dtype = relay::dtype::int32})) ==
          "  one_hot(%i, %on, 0, depth=4, axis=0, dtype=\"int32\")");
}

TEST_CASE("dynamic_to_static: keeps the meaning of zero in shapes", "[relay][transform]") {
    relay::builder b;
    CHECK(body(b, relay::call_op<relay::op::dyn::reshape>(
                      {.newshape = relay::dims{}, .allowzero = true}, b.variable("x", {0, 3}),
                      vector_of<std::int64_t>(b, {3, 0}))) == "  reshape(%x, newshape=[3, 0], allowzero=True)");
}

TEST_CASE("dynamic_to_static: accepts the shape of a scalar", "[relay][transform]") {
    relay::builder b;
    CHECK(body(b, relay::dyn::reshape(b.variable("x", {1, 1}), vector_of<std::int64_t>(b, {}))) ==
          "  reshape(%x, newshape=[])");
    CHECK(body(b, relay::dyn::zeros(vector_of<std::int32_t>(b, {}), relay::dtype::float32)) == "  0f");
    CHECK(body(b, relay::dyn::squeeze(b.variable("x", {1, 2}), vector_of<std::int32_t>(b, {}))) ==
          "  squeeze(%x, axis=[])");
}

TEST_CASE("dynamic_to_static: padding becomes static only if its value is known", "[relay][transform]") {
    const auto padded = [](bool constant) {
        relay::builder b;
        relay::tensor width(relay::dtype::int64, {1, 2});
        width.mutable_elements<std::int64_t>()[1] = 3;
        const auto value = constant ? b.constant(1.0F) : b.variable("v", {});
        return body(b, relay::dyn::nn::pad(b.variable("x", {4}), b.constant(std::move(width)), value));
    };
    CHECK(padded(true) == "  nn.pad(%x, 1f, pad_width=[[0, 3]])");
    CHECK(padded(false).starts_with("  dyn.nn.pad(%x, "));
}

TEST_CASE("dynamic_to_static: a custom operator declares its static form", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {4});
    CHECK(body(b, relay::call_op<leaky>({}, x, b.constant(0.5F))) == "  nn.leaky_relu(%x, alpha=0.5f)");
    const auto empty = b.constant(relay::tensor(relay::dtype::float32, {0})); // has no element
    CHECK(body(b, relay::call_op<leaky>({}, b.variable("x", {4}), empty)).starts_with("  my.leaky_relu(%x, "));
}

TEST_CASE("dynamic_to_static: keeps unknown arguments", "[relay][transform]") {
    CHECK(
        body(
            "def @main(%x: Tensor[(2, 3), float32], %s: Tensor[(2), int64]) {\n  dyn.reshape(%x, %s, newshape=[])\n}") ==
        "  dyn.reshape(%x, %s, newshape=[])");
    CHECK(
        body(
            "def @main(%x: Tensor[(?, 3), float32], %y: Tensor[(2, 3), float32]) {\n  %0 = shape_of(%x, dtype=\"int64\");\n"
            "  dyn.reshape(%y, %0, newshape=[])\n}") ==
        "  %0 = shape_of(%x, dtype=\"int64\");\n  dyn.reshape(%y, %0, newshape=[])");
}

TEST_CASE("dynamic_to_static: an impossible shape leaves the module unchanged", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    relay::ir_module m(
        test::closed(b, relay::call_op<relay::op::dyn::reshape>({}, x, vector_of<std::int64_t>(b, {4, 2}))));
    CHECK(test::refusal(m, make_static).find("reshape") != std::string::npos);
    const auto y = b.variable("x", {2, 3});
    m = relay::ir_module(test::closed(b, relay::call_op<relay::op::dyn::reshape>(
                                             {}, y, vector_of<float>(b, {std::numeric_limits<float>::quiet_NaN()}))));
    CHECK(test::refusal(m, make_static) == "DynamicToStatic: an argument that gives a shape is not a number");
}

TEST_CASE("dynamic_to_static: keeps calls if a branch of an if would be ill-typed", "[relay][transform]") {
    constexpr std::string_view program = R"(
def @main(%x: Tensor[(6), float32], %y: Tensor[(SIZES), float32], %c: bool) {
  %0 = shape_of(%y, dtype="int64");
  %1 = dyn.reshape(%x, %0, newshape=[]);
  if (%c) {
    squeeze(%1, axis=[0])
  } else {
    reshape(%1, newshape=[-1])
  }
}
)";
    const auto made = [&](std::string_view sizes) {
        std::string text(program);
        text.replace(text.find("SIZES"), 5, sizes);
        relay::ir_module m = test::typed(text);
        make_static(m);
        return test::bare_text(m);
    };
    CHECK(made("2, 3").find("dyn.reshape(%x, ") != std::string::npos);
    CHECK(made("1, 6").find(" reshape(%x, newshape=[1, 6])") != std::string::npos);
}

TEST_CASE("dynamic_to_static: a recursive function keeps its declared type", "[relay][transform]") {
    relay::ir_module m = test::typed(R"(
def @count(%n: int32) -> int32 {
  if (less(%n, 3)) { @count(add(%n, 1)) } else { %n }
}
def @main(%n: int32) { @count(%n) }
)");
    const std::string before = test::bare_text(m);
    make_static(m);
    CHECK(test::bare_text(m) == before);
}

TEST_CASE("dynamic_to_static: a recursive function keeps its declared result type", "[relay][transform]") {
    constexpr std::string_view body = R"((%n: int32, %a: Tensor[(?, ?), float32]) -> Tensor[(?, ?), float32] {
  %0 = less(%n, 1);
  if (%0) {
    %a
  } else {
    %1 = subtract(%n, 1);
    %2 = NAME(%1, %a);
    negative(%2)
  }
})";
    const auto named = [&](std::string_view name) {
        std::string text(body);
        return text.replace(text.find("NAME"), 4, name);
    };
    const std::string of_module = "def @f" + named("@f") + "\ndef @main(%x: Tensor[(2, 3), float32]) {\n  @f(3, %x)\n}";
    const std::string in_turn = "def @f" + named("@g") + "\ndef @g" + named("@f") +
                                "\ndef @main(%x: Tensor[(2, 3), float32]) {\n  @f(3, %x)\n}";
    const std::string local =
        "def @main(%x: Tensor[(2, 3), float32]) {\n  let %f = fn " + named("%f") + ";\n  %f(3, %x)\n}";
    for (const std::string& program : {of_module, in_turn, local}) {
        INFO(program);
        relay::ir_module m = test::typed(program);
        make_static(m);
        CHECK(test::bare_text(m).find("-> Tensor[(?, ?), float32] {\n") != std::string::npos);
        const std::string once = test::bare_text(m);
        make_static(m);
        CHECK(test::bare_text(m) == once);
    }
}

TEST_CASE("dynamic_to_static: the type of a function that is not recursive becomes static", "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @f(%x: Tensor[(2, 3), float32]) -> Tensor[(?, ?), float32] {\n  negative(%x)\n}\n"
                    "def @main(%x: Tensor[(2, 3), float32]) {\n  @f(%x)\n}");
    make_static(m);
    CHECK(test::bare_text(m).find("?") == std::string::npos);
}
