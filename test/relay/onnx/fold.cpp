#include <tutti/relay/onnx/fold.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <utility>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

// Imports a node with constant int64 inputs. Returns the folded result, or "not folded".
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
    CHECK(folded("Div", {{{2}, {7, -7}}, {{}, {2}}}) == "int64 (2,) 3 -3"); // rounds towards zero
    CHECK(folded("Div", {{{1}, {7}}, {{1}, {0}}}) == "not folded");
    CHECK(folded("Div", {{{1}, {-9'223'372'036'854'775'807 - 1}}, {{}, {-1}}}) == "int64 (1,) -9223372036854775808");
    CHECK(folded("Max", {{{2}, {1, 9}}, {{}, {5}}}) == "int64 (2,) 5 9");
    CHECK(folded("Min", {{{2}, {1, 9}}, {{}, {5}}}) == "int64 (2,) 1 5");
    CHECK(folded("Neg", {{{2}, {1, -9}}}) == "int64 (2,) -1 9");
    CHECK(folded("LessOrEqual", {{{3}, {1, 2, 3}}, {{}, {2}}}) == "bool (3,) 1 1 0");
    CHECK(folded("ReduceMax", {{{3}, {2, 5, 4}}}) == "int64 (1,) 5");
    CHECK(folded("Concat", {{{2}, {1, 2}}, {{1}, {3}}}, {integer_attribute("axis", 0)}) == "int64 (3,) 1 2 3");
    CHECK(folded("Gather", {{{3}, {5, 6, 7}}, {{}, {-1}}}) == "int64 () 7");
    CHECK(folded("Gather", {{{2, 2}, {5, 6, 7, 8}}, {{1}, {1}}}) == "int64 (1,2,) 7 8");
    CHECK(folded("Slice", {{{4}, {1, 2, 3, 4}}, {{1}, {1}}, {{1}, {-1}}}) == "int64 (2,) 2 3");
    CHECK(folded("Unsqueeze", {{{}, {5}}, {{1}, {0}}}) == "int64 (1,) 5");
    CHECK(folded("Squeeze", {{{1}, {5}}}) == "int64 () 5");
    CHECK(folded("Range", {{{}, {1}}, {{}, {8}}, {{}, {3}}}) == "int64 (3,) 1 4 7");
    CHECK(folded("Cast", {{{2}, {0, 300}}}, {integer_attribute("to", 9)}) == "bool (2,) 0 1");
    CHECK(folded("Cast", {{{1}, {300}}}, {integer_attribute("to", 2)}) == "uint8 (1,) 44");
    CHECK(folded("Equal", {{{2}, {1, 2}}, {{2}, {1, 3}}}) == "bool (2,) 1 0");
    CHECK(folded("ReduceProd", {{{3}, {2, 3, 4}}}) == "int64 (1,) 24");
    CHECK(folded("Expand", {{{1}, {4}}, {{1}, {3}}}) == "int64 (3,) 4 4 4");
    CHECK(folded("Reshape", {{{1}, {4}}, {{0}, {}}}) == "int64 () 4");
}

TEST_CASE("fold: an index that is outside is refused", "[relay][onnx][fold]") {
    CHECK(refused([] { folded("Gather", {{{3}, {5, 6, 7}}, {{}, {3}}}); }) ==
          "m.onnx, node `y` (Gather): index 3 of an axis of size 3; expected an index within it");
}

TEST_CASE("fold: folds partially known shapes", "[relay][onnx][fold]") {
    made_model m; // reshapes (?, 3, 4) to a computed shape, (-1, 4)
    m.input("x", {-1, 3, 4}).node("Shape", {"x"}, {"s"}).initializer(int64_tensor("two", {}, {2}));
    m.initializer(int64_tensor("minus", {1}, {-1})).initializer(int64_tensor("zero", {1}, {0}));
    m.node("Gather", {"s", "two"}, {"columns"}).node("Unsqueeze", {"columns", "zero"}, {"c1"});
    m.node("Concat", {"minus", "c1"}, {"t"}, {integer_attribute("axis", 0)}).node("Reshape", {"x", "t"}, {"y"});
    CHECK(imported_body(m.output("y")) == "reshape(%x, newshape=[-1, 4])");
}
