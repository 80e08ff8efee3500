#include <tutti/relay/params/take_params.hpp>

#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace tutti;

namespace {

// Returns a function that adds a parameter, two constant tensors (one of them twice) and a scalar.
relay::function program(std::string_view parameter) {
    relay::builder b;
    const auto x = b.variable(parameter, {2});
    const auto one = b.constant(relay::tensor({2}, {1.0F, 2.0F}));
    const auto two = b.constant(relay::tensor({2}, {3.0F, 4.0F}));
    const auto scalar = b.constant(relay::tensor::scalar(0.5F));
    return b.function({x}, relay::add(relay::add(relay::add(x, one), relay::add(two, one)), scalar));
}

} // namespace

TEST_CASE("take_params: constants that are no scalars become parameters", "[relay][params]") {
    relay::function f = program("x");
    const std::vector<kernel::named_tensor> taken = relay::take_params(f);
    CHECK(tutti::test::bare_text(relay::ir_module(f)) ==
          "def @main(%x: Tensor[(2), float32], %p0: Tensor[(2), float32], %p1: Tensor[(2), float32]) {\n"
          "  %0 = add(%x, %p0);\n  %1 = add(%p1, %p0);\n  %2 = add(%0, %1);\n  add(%2, 0.5f)\n}\n");
    REQUIRE(taken.size() == 2);
    CHECK(taken[0].name == "p0");
    CHECK(taken[0].value.elements<float>()[1] == 2);
    CHECK(taken[1].name == "p1");
    CHECK(taken[1].value.elements<float>()[0] == 3);
}

TEST_CASE("take_params: constants keep their source names", "[relay][params]") {
    relay::function f = program("a_0");
    for (std::uint32_t i = 0; i < f.graph.size(); ++i)
        if (const relay::expr_id e{i}; f.graph.kind(e) == relay::expr_kind::constant)
            f.graph.set_source_name(e, f.graph.constant_value(e).elements<float>()[0] == 3 ? "conv/w:0" : "a:0");
    const std::vector<kernel::named_tensor> taken = relay::take_params(f);
    REQUIRE(taken.size() == 2);
    CHECK(taken[0].name == "a:0_1"); // the constant `a:0` and the parameter `a_0` would both be printed as a_0
    CHECK(taken[1].name == "conv/w:0");
    CHECK(tutti::test::bare_text(relay::ir_module(f))
              .starts_with("def @main(%a_0: Tensor[(2), float32], %a_0_1: Tensor[(2), float32], %conv_w_0: "));
}

TEST_CASE("take_params: binding again restores the function", "[relay][params]") {
    const relay::function before = program("p1");
    relay::function f = before;
    const std::vector<kernel::named_tensor> taken = relay::take_params(f);
    REQUIRE(taken.size() == 2);
    CHECK(taken[0].name == "p0");
    CHECK(taken[1].name == "p2");
    const relay::function again = relay::bind_params(f, [&](std::string_view name) -> const relay::tensor* {
        for (const auto& each : taken)
            if (each.name == name) return &each.value;
        return nullptr;
    });
    CHECK(unit_traits<relay::function>::fingerprint(again) == unit_traits<relay::function>::fingerprint(before));
}

TEST_CASE("take_params: a function without such constants is unchanged", "[relay][params]") {
    relay::ir_module m = relay::parse("def @main(%x: float32) { add(%x, 1f) }");
    relay::infer_types(m);
    const std::string before = relay::to_text(m);
    CHECK(relay::take_params(*m.find("main")).empty());
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("take_params: goes into functions inside", "[relay][params]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto y = b.variable("y", {2});
    const auto inner = b.nested({y}, relay::add(y, b.constant(relay::tensor({2}, {1.0F, 2.0F}))));
    relay::function f = b.function({x}, b.call(inner, {x}));
    REQUIRE(relay::take_params(f).size() == 1);
    relay::ir_module m(std::move(f));
    relay::infer_types(m);
    const std::vector<relay::tensor> inputs{relay::tensor({2}, {1.0F, 1.0F}), relay::tensor({2}, {5.0F, 6.0F})};
    CHECK(relay::evaluate(m, std::span<const relay::tensor>(inputs))[0].elements<float>()[1] == 7);
}
