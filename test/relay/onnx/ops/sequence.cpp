#include <tutti/relay/onnx/ops/sequence.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <initializer_list>
#include <string>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

// Returns a model that makes a sequence s of x and y.
made_model pair() {
    made_model m;
    m.input("x", {2, 3}).input("y", {1, 3}).node("SequenceConstruct", {"x", "y"}, {"s"});
    return m;
}
made_model with_place(made_model m, std::int64_t place) {
    m.initializer(int64_tensor("place", {}, {place}));
    return m;
}

} // namespace

TEST_CASE("sequence: a sequence is a tuple, and places that are known choose from it", "[relay][onnx][sequence]") {
    CHECK(imported_body(pair().output("s")) == "(%x, %y)");
    CHECK(imported_body(pair().node("SequenceLength", {"s"}, {"n"}).output("n")) == "2i64");
    const auto at = [](std::int64_t place) {
        return with_place(pair(), place).node("SequenceAt", {"s", "place"}, {"z"}).output("z");
    };
    CHECK(imported_body(at(0)) == "%x");
    CHECK(imported_body(at(-1)) == "%y");
    CHECK(import_refused(at(2)) == "m.onnx, node `z` (SequenceAt): place 2 of a sequence of 2; expected -2 to 1");
    CHECK(import_refused(at(-3)).find("place -3") != std::string::npos);
    made_model computed = pair();
    computed.input("p", {}, 7).node("SequenceAt", {"s", "p"}, {"z"}).output("z");
    CHECK(import_refused(computed).find("a position in a sequence that is computed at run time") != std::string::npos);
    CHECK(import_refused(made_model().input("x", {2}).node("SequenceLength", {"x"}, {"n"}).output("n"))
              .find("input 0 is not a sequence; expected a sequence") != std::string::npos);
}

TEST_CASE("sequence: tensors are put in and taken out", "[relay][onnx][sequence]") {
    const auto insert = [](std::int64_t place) {
        return with_place(pair(), place).node("SequenceInsert", {"s", "x", "place"}, {"t"}).output("t");
    };
    CHECK(imported_body(insert(1)) == "(%x, %x, %y)");
    CHECK(imported_body(insert(2)) == "(%x, %y, %x)");
    CHECK(imported_body(insert(-1)) == "(%x, %x, %y)");
    CHECK(import_refused(insert(3)).find("place 3 of a sequence of 2; expected -2 to 2") != std::string::npos);
    CHECK(imported_body(pair().node("SequenceErase", {"s"}, {"t"}).output("t")) == "(%x,)");
    CHECK(imported_body(with_place(pair(), 0).node("SequenceErase", {"s", "place"}, {"t"}).output("t")) == "(%y,)");
    made_model none = made_model().input("x", {1}).node("SequenceEmpty", {}, {"s"});
    CHECK(imported_body(made_model(none).node("SequenceInsert", {"s", "x"}, {"t"}).output("t")) == "(%x,)");
    CHECK(import_refused(made_model(none).node("SequenceErase", {"s"}, {"t"}).output("t")).find("an empty sequence") !=
          std::string::npos);
    CHECK(import_refused(none.node("ConcatFromSequence", {"s"}, {"t"}, {integer_attribute("axis", 0)}).output("t"))
              .find("an empty sequence") != std::string::npos);
}

TEST_CASE("sequence: a tensor is split into one, and one is joined", "[relay][onnx][sequence]") {
    const auto split = [](std::initializer_list<wire> attributes) {
        made_model m;
        m.input("x", {5, 2}).initializer(int64_tensor("two", {}, {2})).initializer(int64_tensor("sizes", {2}, {1, 4}));
        return m.node("SplitToSequence", {"x"}, {"s"}, attributes).output("s");
    };
    const std::string rows = imported(split({integer_attribute("axis", 1), integer_attribute("keepdims", 0)}));
    CHECK(rows.find("split(%x, indices_or_sections=[1], axis=1)") != std::string::npos);
    CHECK(rows.find("-> (Tensor[(5), float32], Tensor[(5), float32])") != std::string::npos);
    const auto by = [](std::string_view sizes) {
        made_model m;
        m.input("x", {5, 2}).initializer(int64_tensor("two", {}, {2})).initializer(int64_tensor("sizes", {2}, {1, 4}));
        return m.node("SplitToSequence", {"x", sizes}, {"s"}).output("s");
    };
    CHECK(imported(by("two")).find("indices_or_sections=[2, 4]") != std::string::npos);
    CHECK(imported(by("sizes")).find("indices_or_sections=[1]") != std::string::npos);
    made_model unknown;
    unknown.input("x", {-1}).input("sizes", {3}, 7).node("SplitToSequence", {"x", "sizes"}, {"s"});
    CHECK(imported_body(unknown.node("SequenceLength", {"s"}, {"n"}).output("n")).find("3i64") != std::string::npos);
    const auto joined = [](std::int64_t axis, std::int64_t new_axis) {
        made_model m;
        m.input("x", {2, 3}).node("SequenceConstruct", {"x", "x"}, {"s"});
        return m
            .node("ConcatFromSequence", {"s"}, {"y"},
                  {integer_attribute("axis", axis), integer_attribute("new_axis", new_axis)})
            .output("y");
    };
    CHECK(imported(joined(1, 0)).find("-> Tensor[(2, 6), float32]") != std::string::npos);
    CHECK(imported(joined(-1, 1)).find("-> Tensor[(2, 3, 2), float32]") != std::string::npos);
}

TEST_CASE("sequence: a body is made for each tensor", "[relay][onnx][sequence]") {
    made_model body;
    body.input("a", {2}).input("b", {2}).node("Add", {"a", "b"}, {"c"}).output("c");
    made_model m;
    m.input("x", {2}).input("y", {2}).input("z", {2}).node("SequenceConstruct", {"x", "y"}, {"s"});
    m.node("SequenceMap", {"s", "z"}, {"t"}, {graph_attribute("body", body.graph)}).output("t");
    CHECK(imported_body(m) == "%0 = add(%x, %z);\n%1 = add(%y, %z);\n(%0, %1)");
}

TEST_CASE("sequence: an optional holds one or none", "[relay][onnx][sequence]") {
    const auto has = [](std::initializer_list<std::string_view> inputs) {
        return imported_body(made_model()
                                 .input("x", {1})
                                 .node("Optional", inputs, {"o"})
                                 .node("OptionalHasElement", {"o"}, {"y"})
                                 .output("y"));
    };
    CHECK(has({"x"}) == "True");
    CHECK(has({}) == "False");
    made_model m = made_model().input("x", {1}).node("Optional", {"x"}, {"o"});
    CHECK(imported_body(m.node("OptionalGetElement", {"o"}, {"y"}).output("y")) == "%x");
    made_model none = made_model().input("x", {1}).node("Optional", {}, {"o"});
    CHECK(import_refused(none.node("OptionalGetElement", {"o"}, {"y"}).output("y"))
              .find("an optional that holds nothing; expected one that holds something") != std::string::npos);
}
