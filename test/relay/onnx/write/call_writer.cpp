#include <tutti/relay/onnx/write/call_writer.hpp>

#include "../written.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

// A call of an operator, and the state needed to write it.
struct written_call {
    relay::ir_module m;
    model_parts parts{};
    vector<model_node> nodes{};
    vector<vector<std::string>> values{};
    relay::plain_vector<std::uint32_t> uses{};

    explicit written_call(std::string_view text) : m(program_of(text)) {
        relay::infer_types(m);
        uses.assign(graph().size(), 1);
        values.resize(graph().size());
        for (std::size_t i = 0; i < graph().arguments(call()).size(); ++i)
            values[index(graph().arguments(call())[i])] = {parts.fresh("a"), parts.fresh("b")};
    }
    const relay::graph& graph() const { return m.find("main")->graph; }
    relay::expr_id call() const { return graph().body(m.find("main")->root); }
    call_writer writer() { return {parts, nodes, graph(), call(), values, uses}; }
    std::string text() const {
        std::string all;
        for (const model_node& n : nodes) {
            all += n.op_type + "(";
            for (const std::string& i : n.inputs) all += i + ",";
            all += ")";
        }
        return all;
    }
};

constexpr std::string_view split = "def @main(%x: Tensor[(2, ?), int8]) { split(%x, indices_or_sections=2, axis=-2) }";

} // namespace

TEST_CASE("call_writer: types and attributes of a call", "[relay][onnx][call_writer]") {
    written_call call(split);
    const call_writer c = call.writer();
    CHECK(c.op().name == "split");
    CHECK(c.count() == 1);
    CHECK(c.in() == "a");
    CHECK(c.fields().size() == 2);
    CHECK(c.rank() == 2);
    CHECK(c.element() == dtype::int8);
    CHECK(c.shape()[1].is_any());
    CHECK(c.result_count() == 2);
    CHECK(c.result_shape(1)[0] == relay::dim(1));
    CHECK(c.result_element(1) == dtype::int8);
    CHECK(c.axis("axis", 2) == 0);
    CHECK(c.constant_argument(0) == nullptr);
    written_call add("def @main(%x: float32) { add(%x, 2f) }");
    REQUIRE(add.writer().constant_argument(1) != nullptr);
    CHECK(add.writer().constant_argument(1)->data<float>()[0] == 2);
    CHECK(add.writer().result_count() == 1);
}

TEST_CASE("call_writer: nodes without their last inputs", "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    CHECK(c.node("Clip", {"a", "", "b"}) == "Clip");
    CHECK(c.node("Clip", {"a", "b", ""}) == "Clip_1");
    CHECK(c.node("Clip", {"a", "", ""}) == "Clip_2");
    CHECK(c.nodes("Split", {"a"}, {}, 2, "own")[1] == "Split_1");
    CHECK(call.text() == "Clip(a,,b,)Clip(a,b,)Clip(a,)Split(a,)");
    REQUIRE(call.parts.domains().size() == 1);
    CHECK(call.nodes.back().domain == "own");
}

TEST_CASE("call_writer: conversions that change nothing are no nodes", "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    CHECK(c.cast("a", dtype::int8, dtype::int8) == "a");
    CHECK(c.transposed("a", {0, 1, 2}) == "a");
    CHECK(call.nodes.empty());
    CHECK(c.cast("a", dtype::int8, dtype::float32) == "Cast");
    CHECK(c.transposed("a", {1, 0}) == "Transpose");
    CHECK(call.text() == "Cast(a,)Transpose(a,)");
}

TEST_CASE("call_writer: a conversion to a narrow integer cuts off and needs a newer version",
          "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    c.cast("a", dtype::float16, dtype::int4);
    CHECK(call.text().starts_with("Cast(a,)Clip(Cast,constant,constant_1,)Cast(Clip,)"));
    CHECK(c.opset() == 21);
    c.cast("a", dtype::float32, dtype::float8_e8m0fnu);
    CHECK(c.opset() == 24);
}

TEST_CASE("call_writer: constants are shared", "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    CHECK(c.scalar(2, dtype::float32) == c.constant(tensor::scalar(2.0F)));
    CHECK(c.list({1, 2}) == c.constant(tensor({2}, {std::int64_t{1}, std::int64_t{2}})));
    CHECK(c.sizes("a", {1, 2}) == c.list({1, 2}));
    CHECK(call.nodes.empty());
    CHECK(c.sizes("a", {1, relay::dim::any()}) == "Shape");
    CHECK(c.slice("a", 1, 2) == "Slice");
    CHECK(call.parts.constants().size() == 5);
}

TEST_CASE("call_writer: a node may be extended if nothing else uses its result", "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    CHECK(c.take_node_of(0) == nullptr);
    call.nodes.push_back({"Conv", {"x", "w"}, {"a"}});
    REQUIRE(c.take_node_of(0) != nullptr);
    CHECK(c.take_node_of(0)->op_type == "Conv");
    for (std::uint32_t& n : call.uses) n = 2;
    CHECK(c.take_node_of(0) == nullptr);
    for (std::uint32_t& n : call.uses) n = 1;
    call.nodes.push_back({"Relu", {"b"}, {"r"}});
    REQUIRE(c.take_node_of(0) != nullptr);
    CHECK(call.text() == "Relu(b,)Conv(x,w,)");
    for (int i = 0; i < 8; ++i) call.nodes.push_back({"Neg", {"b"}, {"n"}});
    CHECK(c.take_node_of(0) == nullptr);
}

TEST_CASE("call_writer: results, and refusals with what is expected", "[relay][onnx][call_writer]") {
    written_call call(split);
    call_writer c = call.writer();
    c.result("a");
    REQUIRE(c.written().size() == 1);
    c.results({"a", "b"});
    CHECK(c.written()[1] == "b");
    CHECK(refused([] { call_writer::refuse("mode wrap", "clip"); }) == "mode wrap; expected clip");
}
