#include <tutti/relay/onnx/parameters.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

// Returns a graph input. Its type is a tensor of rank 1 and unknown size, which each of `kinds` wraps in another type
// (4: sequence, 9: optional).
wire input_of(std::string_view name, std::initializer_list<std::uint32_t> kinds) {
    wire type = wire().message(1, wire().number(1, 1).message(2, wire().message(1, wire())));
    for (const std::uint32_t kind : kinds) type = wire().message(kind, wire().message(1, type));
    return wire().text(1, name).message(2, type);
}
made_model same(std::initializer_list<std::uint32_t> kinds) {
    made_model m;
    m.graph.message(11, input_of("s", kinds));
    return m.node("Identity", {"s"}, {"y"}).output("y");
}

} // namespace

TEST_CASE("parameters: each tensor of a sequence is one", "[relay][onnx][parameters]") {
    const import_options two{.inputs = {{"s", {dims{2}, dims{3, 4}}}}};
    const std::string text = imported(same({4}), two);
    CHECK(text.find("%s_0: Tensor[(2), float32], %s_1: Tensor[(3, 4), float32]") != std::string::npos);
    CHECK(imported_body(same({4}), two) == "(%s_0, %s_1)");
    CHECK(imported_body(same({4}), {.inputs = {{"s", {}}}}) == "()");
    CHECK(import_refused(same({4})) ==
          "m.onnx, input `s`: is a sequence whose length the model does not state; expected the shapes of its "
          "tensors, in `import_options::inputs`");
}

TEST_CASE("parameters: an optional has the type given by the model, or none by option", "[relay][onnx][parameters]") {
    CHECK(imported_body(same({9})) == "(%s,)");
    CHECK(imported_body(same({9}), {.inputs = {{"s", {}}}}) == "()");
    CHECK(imported_body(same({4, 9}), {.inputs = {{"s", {dims{2}}}}}) == "%0 = (%s_0,);\n(%0,)");
}

TEST_CASE("parameters: a given shape replaces the model's", "[relay][onnx][parameters]") {
    CHECK(imported(same({}), {.inputs = {{"s", {dims{7}}}}}).find("%s: Tensor[(7), float32]") != std::string::npos);
    CHECK(import_refused(same({}), {.inputs = {{"s", {}}}}) == "m.onnx, input `s`: 0 shapes of a tensor; expected one");
    CHECK(import_refused(same({}), {.inputs = {{"t", {dims{7}}}}}) ==
          "m.onnx, input `t`: the model has no such input; expected `s`");
    CHECK(import_refused(same({4, 4}), {.inputs = {{"s", {dims{7}}}}})
              .find("is a sequence of elements that are not tensors") != std::string::npos);
    made_model map;
    map.graph.message(11, wire().text(1, "s").message(2, wire().message(5, wire().number(1, 7))));
    CHECK(import_refused(map.node("Identity", {"s"}, {"y"}).output("y"))
              .find("is not a tensor; expected a tensor, a "
                    "sequence of tensors, or an optional one") != std::string::npos);
}
