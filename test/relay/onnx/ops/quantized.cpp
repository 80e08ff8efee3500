#include <tutti/relay/onnx/ops/quantized.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

std::vector<tensor> run(const made_model& m, std::vector<tensor> inputs) {
    return relay::evaluate(import_model(model_of(m)), std::span<const tensor>(inputs));
}
template <class T>
std::vector<int> ints(const tensor& t) {
    return {t.data<T>(), t.data<T>() + t.size()};
}
wire byte_tensor(std::string_view name, std::initializer_list<std::int64_t> shape, std::initializer_list<int> values,
                 std::int64_t element = 2) {
    wire t;
    for (const std::int64_t d : shape) t.number(1, d);
    t.number(2, element).text(8, name);
    std::string raw;
    for (const int v : values) raw += static_cast<char>(v);
    return t.text(9, raw);
}
tensor bytes(std::vector<std::int64_t> shape, std::initializer_list<int> values) {
    tensor t(dtype::uint8, std::move(shape));
    std::uint8_t* to = t.mutable_data<std::uint8_t>();
    for (const int v : values) *to++ = static_cast<std::uint8_t>(v);
    return t;
}
// Returns a model with one operator of com.microsoft.
made_model microsoft(std::string_view op, std::initializer_list<std::string_view> inputs,
                     std::initializer_list<wire> attributes = {}) {
    made_model m;
    wire n;
    for (const std::string_view i : inputs) n.text(1, i);
    n.text(2, "y").text(4, op).text(7, "com.microsoft");
    for (const wire& a : attributes) n.message(5, a);
    m.graph.message(1, n);
    m.initializer(float_tensor("s", {}, {0.5F})).initializer(byte_tensor("z", {}, {10}));
    m.initializer(float_tensor("t", {}, {0.25F})).initializer(byte_tensor("w", {}, {20}));
    return m.output("y");
}

} // namespace

TEST_CASE("quantized: to integers and back, along an axis, too", "[relay][onnx][quantized]") {
    made_model m;
    m.input("x", {2, 2}).initializer(float_tensor("s", {2}, {0.5F, 2})).initializer(byte_tensor("z", {2}, {0, 10}));
    m.node("QuantizeLinear", {"x", "s", "z"}, {"q"}, {integer_attribute("axis", 0)});
    m.node("DequantizeLinear", {"q", "s", "z"}, {"y"}, {integer_attribute("axis", -2)}).output("q").output("y");
    const auto made = run(m, {tensor({2, 2}, {1.F, 200.F, -4.F, 6.F})});
    CHECK(ints<std::uint8_t>(made[0]) == std::vector<int>{2, 255, 8, 13});
    CHECK(std::vector<float>(made[1].data<float>(), made[1].data<float>() + 4) == std::vector<float>{1, 127.5F, -4, 6});

    made_model plain; // without a zero point, results are uint8
    plain.input("x", {2})
        .initializer(float_tensor("s", {}, {0.5F}))
        .node("QuantizeLinear", {"x", "s"}, {"y"})
        .output("y");
    CHECK(imported_body(plain) == "qnn.quantize(%x, 0.5f, 0, out_dtype=\"uint8\")");
}

TEST_CASE("quantized: a product of integers, whose zero points differ by rows and columns",
          "[relay][onnx][quantized]") {
    made_model m;
    m.input("a", {2, 2}, 2).input("b", {2, 2}, 2);
    m.initializer(byte_tensor("za", {2}, {1, 2})).initializer(byte_tensor("zb", {2}, {3, 4}));
    m.node("MatMulInteger", {"a", "b", "za", "zb"}, {"y"}).output("y");
    // Without their zero points, the operands are (0 1; 1 2) and (2 2; 4 4).
    const auto made = run(m, {bytes({2, 2}, {1, 2, 3, 4}), bytes({2, 2}, {5, 6, 7, 8})});
    CHECK(ints<std::int32_t>(made[0]) == std::vector<int>{4, 4, 10, 10});
}

TEST_CASE("quantized: convolutions over one, two and three axes", "[relay][onnx][quantized]") {
    for (const std::size_t rank : {1U, 2U, 3U}) {
        made_model m;
        if (rank == 1) m.input("x", {1, 1, 3}, 2).input("w", {1, 1, 2}, 2);
        if (rank == 2) m.input("x", {1, 1, 1, 3}, 2).input("w", {1, 1, 1, 2}, 2);
        if (rank == 3) m.input("x", {1, 1, 1, 1, 3}, 2).input("w", {1, 1, 1, 1, 2}, 2);
        std::vector<std::int64_t> shape(2 + rank, 1);
        shape.back() = 3;
        std::vector<std::int64_t> window = shape;
        window.back() = 2;
        m.initializer(byte_tensor("zx", {}, {1})).initializer(byte_tensor("zw", {}, {2}));
        const wire pads = rank == 1   ? integers_attribute("pads", {1, 0})
                          : rank == 2 ? integers_attribute("pads", {0, 1, 0, 0})
                                      : integers_attribute("pads", {0, 0, 1, 0, 0, 0});
        m.node("ConvInteger", {"x", "w", "zx", "zw"}, {"y"}, {pads}).output("y");
        // The data represents 1 2 3, preceded by padding that represents 0. The window represents 3 4.
        CHECK(ints<std::int32_t>(run(m, {bytes(shape, {2, 3, 4}), bytes(window, {5, 6})})[0]) ==
              std::vector<int>{4, 11, 18});
    }
    made_model m;
    m.input("x", {1, 1, 1, 3}, 2).initializer(byte_tensor("w", {2, 1, 1, 1}, {3, 5}));
    m.initializer(float_tensor("s", {}, {0.5F})).initializer(byte_tensor("z", {}, {1}));
    m.initializer(float_tensor("sw", {2}, {1, 2})).initializer(byte_tensor("zw", {2}, {1, 2}));
    m.initializer(wire().number(1, 2).number(2, 6).text(8, "b").number(5, 2).number(5, 4));
    m.node("QLinearConv", {"x", "s", "z", "w", "sw", "zw", "s", "z", "b"}, {"y"}).output("y");
    // The result is ((x - 1) * (2, 3) + (2, 4)) * (1, 2) + 1, where a pair has an element for each output channel.
    CHECK(ints<std::uint8_t>(run(m, {bytes({1, 1, 1, 3}, {1, 2, 3})})[0]) == std::vector<int>{3, 5, 7, 9, 15, 21});
}

TEST_CASE("quantized: operators of com.microsoft", "[relay][onnx][quantized]") {
    const tensor a = bytes({2}, {12, 30}); // represents 1 and 10
    made_model sum = microsoft("QLinearAdd", {"a", "s", "z", "b", "t", "w", "s", "z"});
    sum.input("a", {2}, 2).input("b", {2}, 2);
    CHECK(ints<std::uint8_t>(run(sum, {a, bytes({2}, {24, 28})})[0]) == std::vector<int>{14, 34});
    made_model times = microsoft("QLinearMul", {"a", "s", "z", "b", "t", "w", "s", "z"});
    times.input("a", {2}, 2).input("b", {2}, 2);
    CHECK(ints<std::uint8_t>(run(times, {a, bytes({2}, {24, 28})})[0]) == std::vector<int>{12, 50});
    made_model joined =
        microsoft("QLinearConcat", {"s", "z", "a", "s", "z", "b", "t", "w"}, {integer_attribute("axis", 0)});
    joined.input("a", {2}, 2).input("b", {2}, 2);
    CHECK(ints<std::uint8_t>(run(joined, {a, bytes({2}, {24, 28})})[0]) == std::vector<int>{12, 30, 12, 14});
    made_model leaky = microsoft("QLinearLeakyRelu", {"a", "s", "z", "s", "z"}, {real_attribute("alpha", 0.5F)});
    leaky.input("a", {2}, 2);
    CHECK(ints<std::uint8_t>(run(leaky, {bytes({2}, {6, 30})})[0]) == std::vector<int>{8, 30});
    made_model mean = microsoft("QLinearGlobalAveragePool", {"a", "s", "z", "s", "z"});
    mean.input("a", {1, 1, 2, 2}, 2);
    CHECK(ints<std::uint8_t>(run(mean, {bytes({1, 1, 2, 2}, {10, 14, 18, 22})})[0]) == std::vector<int>{16});
    made_model last =
        microsoft("QLinearGlobalAveragePool", {"a", "s", "z", "s", "z"}, {integer_attribute("channels_last", 1)});
    last.input("a", {1, 2, 2, 1}, 2);
    CHECK(import_refused(last).find("channels on the last axis; expected channels_last=0") != std::string::npos);
    for (const char* op : {"QLinearSigmoid", "QLinearSoftmax"}) {
        made_model m = microsoft(op, {"a", "s", "z", "s", "z"});
        m.input("a", {2}, 2);
        CHECK(run(m, {a})[0].type() == dtype::uint8);
    }
    made_model pool =
        microsoft("QLinearAveragePool", {"a", "s", "z", "s", "z"}, {integers_attribute("kernel_shape", {2, 2})});
    pool.input("a", {1, 1, 2, 2}, 2);
    CHECK(ints<std::uint8_t>(run(pool, {bytes({1, 1, 2, 2}, {10, 14, 18, 22})})[0]) == std::vector<int>{16});
}

TEST_CASE("quantized: narrow integers and floating-point numbers", "[relay][onnx][quantized]") {
    // Quantises a tensor to a type along the last axis, and dequantises it.
    const auto back = [](std::int64_t type) {
        made_model m;
        m.opset = 25;
        m.input("x", {2, 2})
            .initializer(float_tensor("s", {2}, {0.5F, 2}))
            .node("QuantizeLinear", {"x", "s"}, {"q"},
                  {integer_attribute("output_dtype", type), integer_attribute("axis", 1)})
            .node("DequantizeLinear", {"q", "s"}, {"y"}, {integer_attribute("axis", 1)})
            .output("y");
        const tensor y = run(m, {tensor({2, 2}, {1.3F, 1.3F, -20.0F, 9000.0F})})[0];
        return std::vector<float>(y.data<float>(), y.data<float>() + 4);
    };
    CHECK(back(22) == std::vector<float>{1.5F, 2, -4, 14});        // int4
    CHECK(back(25) == std::vector<float>{1.5F, 2, 0, 6});          // uint2
    CHECK(back(17) == std::vector<float>{1.25F, 1.25F, -20, 896}); // float8e4m3fn, which saturates
    CHECK(back(23) == std::vector<float>{1.5F, 1, -3, 12});        // float4e2m1
}

TEST_CASE("quantized: scales of blocks", "[relay][onnx][quantized]") {
    made_model m;
    m.opset = 21;
    m.input("x", {5}).input("s", {3});
    m.node("QuantizeLinear", {"x", "s"}, {"y"},
           {integer_attribute("block_size", 2), integer_attribute("axis", 0), integer_attribute("output_dtype", 3)},
           "q");
    const std::vector<tensor> inputs{tensor({5}, {1.F, -2.F, 3.F, 900.F, 5.F}), tensor({3}, {1.F, 2.F, 0.5F})};
    const tensor y = relay::evaluate(import_model(model_of(m.output("y"))), std::span<const tensor>(inputs))[0];
    REQUIRE(y.type() == dtype::int8);
    CHECK(std::vector<int>(y.data<std::int8_t>(), y.data<std::int8_t>() + 5) == std::vector{1, -2, 2, 127, 10});
    made_model wrong;
    wrong.opset = 21;
    wrong.input("x", {4}).input("s", {2});
    wrong.node("QuantizeLinear", {"x", "s"}, {"y"}, {integer_attribute("block_size", -2), integer_attribute("axis", 0)},
               "q");
    CHECK(import_refused(wrong.output("y")) ==
          "m.onnx, node `q` (QuantizeLinear): blocks of -2 elements; expected 1 to 2^24");
}
