#include <tutti/relay/onnx/ops/fused.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <initializer_list>
#include <string_view>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;
using kernel::tensor;

// test/onnx/fused.py compares the results with those of ONNX Runtime.

namespace {

using names = std::initializer_list<std::string_view>;

void fused(made_model& m, std::string_view op, names inputs, std::initializer_list<wire> attributes = {},
           names outputs = {"y"}) {
    m.node(op, inputs, outputs, attributes, "n", "com.microsoft").output("y");
}

} // namespace

TEST_CASE("fused: products with transposed operands and a factor", "[relay][onnx][fused]") {
    made_model m;
    m.input("a", {4, 3}).input("b", {5, 4});
    fused(m, "FusedMatMul", {"a", "b"},
          {integer_attribute("transA", 1), integer_attribute("transB", 1), real_attribute("alpha", 0.5F)});
    const std::string body = imported_body(m);
    CHECK_THAT(body, Contains("transpose(%a, axes=[1, 0])") && Contains("multiply(") && Contains("0.5f"));
    made_model refused;
    refused.input("a", {2, 4, 3}).input("b", {2, 3, 4});
    fused(refused, "FusedMatMul", {"a", "b"}, {integer_attribute("transBatchA", 1)});
    CHECK_THAT(import_refused(refused), Contains("transBatchA or transBatchB is set; expected 0"));
}

TEST_CASE("fused: weights of four bits, low bits first", "[relay][onnx][fused]") {
    // There is one row of 4 weights. The bytes 0x21 and 0x43 hold 1, 2, 3, 4. The zero point is 8, and the scale is
    // 0.5.
    wire packed;
    packed.number(1, 1).number(1, 1).number(1, 2).number(2, 2).text(8, "w").text(9, std::string_view("\x21\x43", 2));
    made_model m;
    m.input("a", {1, 4}).initializer(packed).initializer(float_tensor("s", {1}, {0.5F}));
    fused(m, "MatMulNBits", {"a", "w", "s"},
          {integer_attribute("K", 4), integer_attribute("N", 1), integer_attribute("bits", 4),
           integer_attribute("block_size", 4)});
    const tensor y = result_of(m, {tensor({1, 4}, {1.0F, 10.0F, 100.0F, 1000.0F})});
    CHECK(y.elements<float>()[0] == 0.5F * (-7 - 60 - 500 - 4000));
}

TEST_CASE("fused: packed weights of the wrong size or form are refused", "[relay][onnx][fused]") {
    const auto said = [](std::int64_t bits, std::int64_t columns, std::int64_t block, names inputs = {"a", "w", "s"}) {
        made_model m;
        m.input("a", {1, 4}).input("w", {1, 1, 2}, 2).input("s", {1}).input("g", {4}, 6);
        fused(m, "MatMulNBits", inputs,
              {integer_attribute("K", columns), integer_attribute("N", 1), integer_attribute("bits", bits),
               integer_attribute("block_size", block)});
        return import_refused(m);
    };
    CHECK_THAT(said(3, 4, 4), Contains("3 bits; expected 2, 4 or 8"));
    CHECK_THAT(said(4, 9, 4), Contains("packed weights of the wrong size; expected 1 rows of 3 blocks"));
    CHECK_THAT(said(4, 4, 0), Contains("out of range"));
    CHECK_THAT(said(4, 4, 4, {"a", "w", "s", "", "g"}), Contains("an order of groups"));
}

TEST_CASE("fused: the shares of keys that a mask leaves out are 0", "[relay][onnx][fused]") {
    made_model m;
    m.input("q", {1, 1, 2}).input("k", {1, 2, 2}).input("v", {1, 2, 2}).input("m", {1}, 6);
    fused(m, "MultiHeadAttention", {"q", "k", "v", "", "m"}, {integer_attribute("num_heads", 1)});
    const tensor y = result_of(m, {tensor({1, 1, 2}, {1.0F, 2.0F}), tensor({1, 2, 2}, {1.0F, 1.0F, 9.0F, 9.0F}),
                                   tensor({1, 2, 2}, {3.0F, 4.0F, 5.0F, 6.0F}),
                                   tensor({1}, std::initializer_list<std::int32_t>{1})});
    CHECK(y.elements<float>()[0] == 3);
    CHECK(y.elements<float>()[1] == 4);
}

TEST_CASE("fused: forms of attention that are refused", "[relay][onnx][fused]") {
    made_model packed;
    packed.input("q", {1, 3, 2, 3, 4});
    fused(packed, "MultiHeadAttention", {"q"}, {integer_attribute("num_heads", 2)});
    CHECK_THAT(import_refused(packed), Contains("queries packed with keys or values"));
    made_model rotary;
    rotary.input("x", {1, 3, 6}).input("w", {6, 18});
    fused(rotary, "Attention", {"x", "w"}, {integer_attribute("num_heads", 2), integer_attribute("do_rotary", 1)});
    CHECK_THAT(import_refused(rotary), Contains("rotary embeddings; expected do_rotary=0"));
    made_model sizes;
    sizes.input("x", {1, 3, 6}).input("w", {6, 18});
    fused(sizes, "Attention", {"x", "w"},
          {integer_attribute("num_heads", 2), integers_attribute("qkv_hidden_sizes", {6, 6, 4})});
    CHECK_THAT(import_refused(sizes), Contains("do not add up to 18"));
    made_model mask;
    mask.input("x", {2, 3, 6}).input("w", {6, 18}).input("m", {4}, 6);
    fused(mask, "Attention", {"x", "w", "", "m"}, {integer_attribute("num_heads", 2)});
    CHECK_THAT(import_refused(mask), Contains("a mask of rank 1 with an unsupported shape"));
}

TEST_CASE("fused: the factor of a simplified normalisation is the third output, and there is no mean",
          "[relay][onnx][fused]") {
    const auto with = [](names outputs) {
        made_model m;
        m.input("x", {1, 2}).input("s", {1, 2}).input("g", {2});
        fused(m, "SkipSimplifiedLayerNormalization", {"x", "s", "g"}, {}, outputs);
        return m;
    };
    CHECK(imported_body(with({"z", "", "y"})).starts_with("%0 = add(%x, %s);"));
    CHECK_THAT(imported_body(with({"z", "", "y"})), Contains("rsqrt(%"));
    CHECK_THAT(import_refused(with({"z", "y"})), Contains("output 1 (the mean) is requested"));
}

TEST_CASE("fused: a shortcut's sum is the fourth output", "[relay][onnx][fused]") {
    made_model m;
    m.input("x", {1, 2}).input("s", {1, 2}).input("g", {2});
    m.node("SkipLayerNormalization", {"x", "s", "g"}, {"z", "", "", "y"}, {}, "n", "com.microsoft").output("y");
    CHECK(imported_body(m) == "add(%x, %s)");
}

TEST_CASE("fused: a decoder's step puts its keys after those of each batch", "[relay][onnx][fused]") {
    made_model m;
    m.input("q", {2, 1, 2}).input("k", {2, 1, 2}).input("p", {2, 1, 2, 2}).input("n", {2}, 6).input("t", {}, 6);
    m.node("GroupQueryAttention", {"q", "k", "k", "p", "p", "n", "t"}, {"z", "y"},
           {integer_attribute("num_heads", 1), integer_attribute("kv_num_heads", 1)}, "n", "com.microsoft");
    m.output("y");
    const tensor past({2, 1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F}),
        step({2, 1, 2}, {-1.0F, -2.0F, -3.0F, -4.0F});
    const tensor lengths({2}, std::initializer_list<std::int32_t>{2, 1}),
        total({}, std::initializer_list<std::int32_t>{3});
    CHECK(shape_and_floats(result_of(m, {step, step, past, lengths, total})) ==
          shape_and_floats({2, 1, 3, 2}, {1, 2, 3, 4, -1, -2, 5, 6, -3, -4, 0, 0}));
}

TEST_CASE("fused: forms of a decoder's step that are refused", "[relay][onnx][fused]") {
    const auto said = [](std::int64_t smooth, names inputs = {"q", "k", "k", "", "", "n", "t"}) {
        made_model m;
        m.input("q", {2, 1, 2}).input("k", {2, 1, 2}).input("n", {2}, 6).input("t", {}, 6);
        m.node("GroupQueryAttention", inputs, {"y"},
               {integer_attribute("num_heads", 1), integer_attribute("kv_num_heads", 1),
                integer_attribute("smooth_softmax", smooth)},
               "n", "com.microsoft");
        return import_refused(m.output("y"));
    };
    CHECK_THAT(said(1), Contains("smooth_softmax is set; expected 0"));
    CHECK_THAT(said(0, {"q", "k", "k", "", "", "n", "t", "", "", "n"}), Contains("position_ids"));
}
