#include <tutti/relay/onnx/fold.hpp>

#include "catch.hpp"
#include "made_model.hpp"

#include <utility>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

// What a node of constants comes out as.
std::string folded(
    std::string_view op_type,
    std::initializer_list<std::pair<std::initializer_list<std::int64_t>, std::initializer_list<std::int64_t>>> inputs,
    std::initializer_list<wire> attributes = {}, std::int64_t opset = 17) {
    made_model m;
    m.opset = opset;
    wire node;
    int i = 0;
    for (const auto& [shape, values] : inputs) {
        const std::string name = "i" + std::to_string(i++);
        m.initializer(int64_tensor(name, shape, values));
        node.text(1, name);
    }
    node.text(2, "y").text(4, op_type);
    for (const wire& a : attributes) node.message(5, a);
    const std::string bytes = node.bytes;
    m.input("x", {1}).output("y");
    m.graph.text(1, bytes);
    const ir_module made = import_model(model_of(m), {});
    const function& f = *made.find("main");
    const expr_id body = f.graph.body(f.root);
    if (f.graph.kind(body) != expr_kind::constant) return "not folded";
    const known_values k = known_values_of(f.graph.constant_value(body));
    std::string text = std::string(kernel::name(k.type)) + " (";
    for (const std::int64_t d : k.shape) text += std::to_string(d) + ",";
    text += ")";
    for (const known_number& n : k.numbers) text += " " + std::to_string(n.integer);
    return text;
}

} // namespace

TEST_CASE("fold: arithmetic that shapes are computed with", "[relay][onnx][fold]") {
    CHECK(folded("Add", {{{2}, {1, 2}}, {{}, {10}}}) == "int64 (2,) 11 12");
    CHECK(folded("Mul", {{{2, 1}, {1, 2}}, {{2}, {10, 20}}}) == "int64 (2,2,) 10 20 20 40");
    CHECK(folded("Sub", {{{}, {1}}, {{}, {10}}}) == "int64 () -9");
}
