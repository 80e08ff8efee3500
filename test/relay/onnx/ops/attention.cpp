#include <tutti/relay/onnx/ops/attention.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

made_model attention_of(std::initializer_list<std::int64_t> query, std::initializer_list<std::int64_t> keys,
                        std::initializer_list<wire> attributes = {}) {
    made_model m;
    m.opset = 24;
    m.input("q", query).input("k", keys).input("v", keys);
    m.node("Attention", {"q", "k", "v"}, {"y"}, attributes, "a").output("y");
    return m;
}

// Returns a model with a FlexAttention that has two query heads and one key head. `element` is ONNX's code for the
// element type.
made_model flexible(std::initializer_list<wire> attributes = {}, std::int64_t element = 1) {
    made_model m;
    m.opset = 26;
    m.input("q", {1, 2, 2, 1}, element).input("k", {1, 1, 3, 1}, element).input("v", {1, 1, 3, 1}, element);
    return m.node("FlexAttention", {"q", "k", "v"}, {"y"}, attributes, "f", "ai.onnx.preview").output("y");
}

// Returns a graph with one node, which combines its input (the scores or the attention weights) with a constant.
wire modified_by(std::string_view op_type, const wire& constant) {
    made_model g;
    g.input("s", {}).initializer(constant).node(op_type, {"s", "c"}, {"t"}).output("t");
    return g.graph;
}

} // namespace

TEST_CASE("attention: scaled products, their softmax, and the weighted values", "[relay][onnx][attention]") {
    CHECK(imported_body(attention_of({1, 1, 2, 4}, {1, 1, 3, 4})) ==
          R"(%0 = multiply(%q, 0.707107f);
%1 = multiply(%k, 0.707107f);
%2 = transpose(%1, axes=[0, 1, 3, 2]);
%3 = reshape(%0, newshape=[1, 2, 4], allowzero=True);
%4 = reshape(%2, newshape=[1, 4, 3], allowzero=True);
%5 = nn.batch_matmul(%3, %4);
%6 = reshape(%5, newshape=[1, 1, 2, 3], allowzero=True);
%7 = nn.softmax(%6);
%8 = reshape(%7, newshape=[1, 2, 3], allowzero=True);
%9 = reshape(%v, newshape=[1, 3, 4], allowzero=True);
%10 = nn.batch_matmul(%8, %9);
reshape(%10, newshape=[1, 1, 2, 4], allowzero=True))");
}

TEST_CASE("attention: heads that cannot be divided", "[relay][onnx][attention]") {
    CHECK(import_refused(attention_of({1, 2, 6}, {1, 3, 6},
                                      {integer_attribute("q_num_heads", 4), integer_attribute("kv_num_heads", 2)})) ==
          "m.onnx, node `a` (Attention): 4 heads of 6 numbers; expected a number of heads that divides them");
    CHECK(import_refused(attention_of({1, 3, 2, 4}, {1, 2, 3, 4})) ==
          "m.onnx, node `a` (Attention): 3 heads of queries and 2 of keys; expected a multiple of the keys' number");
    CHECK(import_refused(attention_of({2, 4}, {3, 4})) ==
          "m.onnx, node `a` (Attention): operands of rank 2; expected 3 or 4");
}

TEST_CASE("attention: rotary embeddings of an even part", "[relay][onnx][attention]") {
    made_model m;
    m.opset = 23;
    m.input("x", {1, 2, 3, 4}).input("c", {1, 3, 1}).input("s", {1, 3, 1});
    m.node("RotaryEmbedding", {"x", "c", "s"}, {"y"}, {integer_attribute("rotary_embedding_dim", 3)}, "r").output("y");
    CHECK(import_refused(m) ==
          "m.onnx, node `r` (RotaryEmbedding): rotary_embedding_dim 3; expected an even number of at most 4");
}

TEST_CASE("attention: graphs that modify scores, and their softmax", "[relay][onnx][attention]") {
    const tensor q({1, 2, 2, 1}, {1.F, -1.F, 0.5F, 2.F}), k({1, 1, 3, 1}, {1.F, 0.F, -2.F});
    const tensor v({1, 1, 3, 1}, {1.F, 10.F, 100.F});
    const made_model m =
        flexible({real_attribute("scale", 0.5F),
                  graph_attribute("score_mod", modified_by("Add", float_tensor("c", {3}, {0, 1, -1}))),
                  graph_attribute("prob_mod", modified_by("Mul", float_tensor("c", {2, 1, 1}, {1, -2})))});
    const shape_and_floats y(result_of(m, {q, k, v}));
    REQUIRE(y.shape == std::vector<std::int64_t>{1, 2, 2, 1});
    for (std::size_t i = 0; i < 4; ++i) {
        const float query = q.data<float>()[i] / 2;
        const float a = std::exp(query), b = std::exp(1.F), c = std::exp(-2 * query - 1);
        const float expected = (a + 10 * b + 100 * c) / (a + b + c) * (i < 2 ? 1.F : -2.F);
        CHECK(std::abs(y.elements[i] - expected) < 1e-3F);
    }
}

TEST_CASE("attention: halves have a softmax of float32", "[relay][onnx][attention]") {
    CHECK(imported_body(flexible({}, 10)) == R"(%0 = multiply(%q, 1f16);
%1 = repeat(%k, repeats=2, axis=1);
%2 = transpose(%1, axes=[0, 1, 3, 2]);
%3 = reshape(%0, newshape=[2, 2, 1], allowzero=True);
%4 = reshape(%2, newshape=[2, 1, 3], allowzero=True);
%5 = nn.batch_matmul(%3, %4);
%6 = reshape(%5, newshape=[1, 2, 2, 3], allowzero=True);
%7 = cast(%6, dtype="float32");
%8 = nn.softmax(%7);
%9 = repeat(%v, repeats=2, axis=1);
%10 = cast(%9, dtype="float32");
%11 = reshape(%8, newshape=[2, 2, 3], allowzero=True);
%12 = reshape(%10, newshape=[2, 3, 1], allowzero=True);
%13 = nn.batch_matmul(%11, %12);
%14 = reshape(%13, newshape=[1, 2, 2, 1], allowzero=True);
cast(%14, dtype="float16"))");
    CHECK(imported_body(flexible({integer_attribute("softmax_precision", 10)}, 10)).find("float32") ==
          std::string::npos);
}

TEST_CASE("attention: graphs and operands that do not fit", "[relay][onnx][attention]") {
    const wire wider = modified_by("Add", float_tensor("c", {2, 1, 1, 1}, {0, 0}));
    CHECK(import_refused(flexible({graph_attribute("score_mod", wider)})) ==
          "m.onnx, node `f` (FlexAttention): score_mod with a result of type Tensor[(2, 2, 2, 3), float32]; expected "
          "Tensor[(1, 2, 2, 3), float32]");
    CHECK(import_refused(flexible({graph_attribute("prob_mod", modified_by("Equal", float_tensor("c", {}, {0})))})) ==
          "m.onnx, node `f` (FlexAttention): prob_mod with a result of type Tensor[(1, 2, 2, 3), bool]; expected "
          "Tensor[(1, 2, 2, 3), float32]");
    made_model two;
    two.input("s", {}).node("Exp", {"s"}, {"t"}).output("s").output("t");
    CHECK(import_refused(flexible({graph_attribute("score_mod", two.graph)})) ==
          "m.onnx, node `f` (FlexAttention): score_mod with 2 outputs; expected 1");
    made_model none;
    none.node("Exp", {"q"}, {"t"}).output("t");
    CHECK(import_refused(flexible({graph_attribute("score_mod", none.graph)})) ==
          "m.onnx, node `f` (FlexAttention), graph ``: 0 inputs; expected 1");
    CHECK(import_refused(flexible({integer_attribute("softmax_precision", 7)})) ==
          "m.onnx, node `f` (FlexAttention): softmax_precision 7; expected a floating-point type");
    CHECK(import_refused(flexible({}, 7)) ==
          "m.onnx, node `f` (FlexAttention): operands of type int64; expected one floating-point type");
    made_model flat;
    flat.input("q", {1, 2, 4}).node("FlexAttention", {"q", "q", "q"}, {"y"}, {}, "f", "ai.onnx.preview").output("y");
    CHECK(import_refused(flat) == "m.onnx, node `f` (FlexAttention): an operand of rank 3; expected 4");
}
