#include <tutti/relay/op/qnn_function.hpp>

#include "layout_question.hpp"
#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dims;
using relay::dtype;

TEST_CASE("qnn_function: the result is of the data's type", "[relay][qnn]") {
    const auto of = [](auto call) {
        return [=](relay::builder& b) {
            const relay::qnn::scale s{b.constant(1.0F), b.constant(0)};
            return call(b.variable("x", {2, 3}, dtype::int8), s, s);
        };
    };
    CHECK(type_of(of(relay::qnn::abs)) == "Tensor[(2, 3), int8]");
    CHECK(type_of(of(relay::qnn::tanh)) == "Tensor[(2, 3), int8]");
    CHECK(type_of(of([](auto x, auto s, auto t) { return relay::qnn::leaky_relu(x, s, t, {.alpha = 0.9}); })) ==
          "Tensor[(2, 3), int8]");
}

TEST_CASE("qnn_function: simulated, numbers stay numbers", "[relay][qnn]") {
    const auto of = [](dtype type, const dims& number) {
        return [=](relay::builder& b) {
            const relay::qnn::scale s{b.constant(1.0F), b.constant(0)};
            const auto x = b.variable("x", {2, 3}, type);
            const auto n = b.variable("n", number, dtype::int32);
            return relay::qnn::simulated_dequantize(relay::qnn::simulated_quantize(x, n, s), n, s);
        };
    };
    CHECK(type_of(of(dtype::float32, {})) == "Tensor[(2, 3), float32]");
    CHECK_THAT(refusal_of(of(dtype::int8, {})), Contains("qnn.simulated_quantize, argument `data`"));
    CHECK_THAT(refusal_of(of(dtype::float32, {1})), Contains("argument `out_dtype`") && Contains("expected int32"));
}

TEST_CASE("qnn_function: layouts go through", "[relay][layout]") {
    layout_question q("def @main(%x: Tensor[(1, 2, 3, 4), int8]) { qnn.abs(%x, 1f, 0, 1f, 0) }");
    CHECK(q("NHWC ? ? ? ?", "NCHW C C C C") == "NCHW C C C C -> NCHW");
    CHECK(q("? ? ? ? ?") == "none");
}
