#include <tutti/relay/op/elementwise.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <string_view>

using namespace tutti;
using namespace tutti::test;

TEST_CASE("elementwise: every operator has its argument's type, under its own name", "[relay][elementwise]") {
    const auto check = [](auto make, std::string_view name) {
        relay::builder b;
        const auto e = make(b.variable("x", {2, relay::dim::any()}, relay::dtype::float16));
        CHECK(b.graph().called_op(e.id)->name == name);
        CHECK(inferred(b, e) == "Tensor[(2, ?), float16]");
    };
    check(relay::abs, "abs");
    check(relay::ceil, "ceil");
    check(relay::exp, "exp");
    check(relay::log, "log");
    check(relay::negative, "negative");
    check(relay::round, "round");
    check(relay::rsqrt, "rsqrt");
    check(relay::sigmoid, "sigmoid");
    check(relay::sqrt, "sqrt");
    check(relay::tanh, "tanh");
    check(relay::acos, "acos");
    check(relay::acosh, "acosh");
    check(relay::asin, "asin");
    check(relay::asinh, "asinh");
    check(relay::atan, "atan");
    check(relay::atanh, "atanh");
    check(relay::bitwise_not, "bitwise_not");
    check(relay::cos, "cos");
    check(relay::cosh, "cosh");
    check(relay::log10, "log10");
    check(relay::log2, "log2");
    check(relay::logical_not, "logical_not");
    check(relay::sign, "sign");
    check(relay::sin, "sin");
    check(relay::sinh, "sinh");
    check(relay::tan, "tan");
    check(relay::trunc, "trunc");
    check(relay::nn::relu, "nn.relu");
}

TEST_CASE("elementwise: takes scalars, and refuses tuples", "[relay][elementwise]") {
    relay::builder b;
    CHECK(inferred(b, relay::exp(b.constant(1.0))) == "float64");
    CHECK(inference_refusal(b, relay::nn::relu(b.tuple({b.constant(1.0F)}))) ==
          "@main: nn.relu, argument `data`: (float32,) does not fit; expected a tensor");
}

TEST_CASE("elementwise: questions are answered with bool, the rest keeps its type", "[relay][elementwise]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    CHECK(inferred(b, b.tuple({relay::isinf(x), relay::isfinite(x), relay::isnan(x)})) ==
          "(Tensor[(2, 3), bool], Tensor[(2, 3), bool], Tensor[(2, 3), bool])");
    relay::builder c;
    const auto y = c.variable("y", {2});
    CHECK(inferred(c, relay::clip(relay::nn::leaky_relu(relay::floor(relay::copy(y)), {.alpha = 0.1}),
                                  {.a_min = 0.0, .a_max = 6.0})) == "Tensor[(2), float32]");
    relay::builder d;
    const auto z = d.variable("z", {2});
    CHECK(inferred(d, relay::fast_tanh(relay::fast_exp(relay::fast_erf(relay::erf(z))))) == "Tensor[(2), float32]");
}
