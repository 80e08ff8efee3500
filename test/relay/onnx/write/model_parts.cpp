#include <tutti/relay/onnx/write/model_parts.hpp>

#include <tutti/relay/onnx/write_model.hpp>

#include "../made_model.hpp"
#include "../written.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

TEST_CASE("model_parts: names are unique", "[relay][onnx][model_parts]") {
    model_parts p;
    CHECK(p.fresh("x") == "x");
    CHECK(p.fresh("x") == "x_1");
    CHECK(p.fresh("x_2") == "x_2");
    CHECK(p.fresh("x") == "x_3");
    CHECK(p.fresh("x_2") == "x_2_1");
}

TEST_CASE("model_parts: equal small constants are one", "[relay][onnx][model_parts]") {
    model_parts p;
    const std::string one = p.constant(tensor({2}, {1.0F, 2.0F}));
    CHECK(p.constant(tensor({2}, {1.0F, 2.0F})) == one);
    CHECK(p.constant(tensor({2}, {1.0F, 3.0F})) != one);
    CHECK(p.constant(tensor({1, 2}, {1.0F, 2.0F})) != one);
    CHECK(p.constant(tensor::scalar(0.0F)) != p.constant(tensor::scalar(std::int32_t{0})));
    CHECK(p.constants().size() == 5);
    CHECK(p.constants()[0].name == one);
}

TEST_CASE("model_parts: large constants are one if they share their elements", "[relay][onnx][model_parts]") {
    model_parts p;
    const tensor t(dtype::float32, {10, 10});
    const tensor same = t;
    CHECK(p.constant(t) == p.constant(same));
    CHECK(p.constant(tensor(dtype::float32, {10, 10})) != p.constant(t));
    CHECK(p.constants().size() == 2);
}

TEST_CASE("model_parts: the version is the least that has everything", "[relay][onnx][model_parts]") {
    model_parts p;
    CHECK(p.opset() == 17);
    p.need(13);
    CHECK(p.opset() == 17);
    p.constant(tensor(dtype::int4, {2}));
    CHECK(p.opset() == 21);
    p.need(18);
    CHECK(p.opset() == 21);
    CHECK(opset_of(dtype::float32) == 1);
    CHECK(opset_of(dtype::float8_e4m3fn) == 19);
    CHECK(opset_of(dtype::float4_e2m1fn) == 23);
    CHECK(opset_of(dtype::float8_e8m0fnu) == 24);
    CHECK(opset_of(dtype::uint2) == 25);
}

TEST_CASE("model_parts: the version in which operators support bfloat16", "[relay][onnx][model_parts]") {
    CHECK(opset_of_bfloat16("Add") == 1);
    CHECK(opset_of_bfloat16("QuantizeLinear") == 19);
    CHECK(opset_of_bfloat16("IsInf") == 20);
    CHECK(opset_of_bfloat16("Conv") == 22);
    const auto opset = [](std::string_view text) { return model_of(model_bytes(program_of(text))).opset(); };
    CHECK(opset("def @main(%x: Tensor[(2), bfloat16]) { cos(%x) }") == 22);
    CHECK(opset("def @main(%x: Tensor[(2), float16]) { cos(%x) }") == 17);
    CHECK(opset("def @main(%x: Tensor[(2), bfloat16]) { add(%x, %x) }") == 17);
    CHECK(opset("def @main(%x: Tensor[(2), bfloat16]) { einsum((%x, %x), equation=\"i,i->\") }") == 17);
}

TEST_CASE("model_parts: a node without a used output is dropped", "[relay][onnx][model_parts]") {
    model_parts p;
    const std::string two = p.constant(tensor::scalar(2.0F)), three = p.constant(tensor::scalar(3.0F));
    vector<model_node> nodes{
        {"Neg", {"x"}, {"a"}}, {"Add", {"a", two}, {"b"}}, {"Split", {"x"}, {"", "c"}}, {"Mul", {"c", three}, {"d"}}};
    p.drop_unused(nodes, {"d"});
    REQUIRE(nodes.size() == 2);
    CHECK(nodes[0].op_type == "Split");
    CHECK(nodes[1].op_type == "Mul");
    p.drop_unused_constants();
    REQUIRE(p.constants().size() == 1);
    CHECK(p.constants()[0].name == three);
}

TEST_CASE("model_parts: other domains are imported once", "[relay][onnx][model_parts]") {
    model_parts p;
    p.import_domain("a");
    p.import_domain("b");
    p.import_domain("a");
    REQUIRE(p.domains().size() == 2);
    CHECK(p.domains()[1] == "b");
}

TEST_CASE("model_parts: ONNX's number of each element type", "[relay][onnx][model_parts]") {
    STATIC_REQUIRE(element_number(dtype::float32) == 1);
    CHECK(element_number(dtype::boolean) == 9);
    CHECK(element_number(dtype::bfloat16) == 16);
    CHECK(element_number(dtype::int4) == 22);
    CHECK(element_number(dtype::none) == 0);
    for (std::int64_t n = 1; n <= 26; ++n)
        if (const dtype t = dtype_of_element(n); t != dtype::none) CHECK(element_number(t) == n);
}

TEST_CASE("model_parts: types have sizes and names of dimensions", "[relay][onnx][model_parts]") {
    const relay::dims shape{2, relay::dim::any(), relay::dim::any()};
    const auto named = [](std::size_t i) { return std::string(i == 1 ? "batch" : ""); };
    const wire sizes = wire().message(1, wire().number(1, 2)).message(1, wire().text(2, "batch")).message(1, wire());
    CHECK(type_message({shape.begin(), shape.end()}, dtype::int64, named).bytes() ==
          wire().message(1, wire().number(1, 7).message(2, sizes)).bytes);
    CHECK(type_message({}, dtype::float32, named).bytes() ==
          wire().message(1, wire().number(1, 1).message(2, wire())).bytes);
}
