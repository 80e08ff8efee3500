#include <tutti/relay/onnx/ops/attention.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

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
