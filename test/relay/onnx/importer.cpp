#include <tutti/relay/onnx/importer.hpp>

#include "catch.hpp"
#include "made_model.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("importer: names of inputs become those of parameters, different from each other",
          "[relay][onnx][importer]") {
    made_model m;
    m.input("a/b:0", {2}).input("a_b_0", {2}).input("0", {2});
    m.node("Add", {"a/b:0", "a_b_0"}, {"s"}).node("Add", {"s", "0"}, {"y"}).output("y").output("s");
    const std::string text = imported(m);
    CHECK(text.find("%a_b_0: ") != std::string::npos);
    CHECK(text.find("%a_b_0_1: ") != std::string::npos);
    CHECK(text.find("%input_0: ") != std::string::npos);
    CHECK(text.find("(%1, %0)") != std::string::npos);
}

TEST_CASE("importer: what is wrong with a graph is said with file and node", "[relay][onnx][importer]") {
    const auto model_with = [](auto&&... add) {
        made_model m;
        m.input("x", {2});
        (add(m), ...);
        return m.output("y");
    };
    CHECK(
        import_refused(model_with([](made_model& m) { m.node("Relu", {"z"}, {"y"}, {}, "n"); })) ==
        "m.onnx, node `n` (Relu), input `z`: nothing defines it; expected an input, an initializer, or an output of a node");
    CHECK(import_refused(model_with([](made_model& m) {
              m.node("Relu", {"x"}, {"z"});
          })).find("m.onnx, output `y`: nothing defines it") == 0);
    CHECK(import_refused(model_with([](made_model& m) { m.node("Relu", {"x"}, {"y"}).node("Abs", {"x"}, {"y"}); })) ==
          "m.onnx, node `y` (Abs), output `y`: the name is defined twice; expected a name of its own for each value");
    CHECK(import_refused(model_with([](made_model& m) {
              m.input("x", {3});
          })).find("m.onnx, an input `x`: the name is defined twice") == 0);
    CHECK(import_refused(model_with([](made_model& m) {
              m.input("b", {3}).node("Add", {"x", "b"}, {"y"}, {}, "sum");
          })).find("m.onnx, node `sum` (Add), add") == 0);
    CHECK(import_refused(model_with([](made_model& m) { m.input("s", {3}, 8).node("Relu", {"x"}, {"y"}); })) ==
          "m.onnx, input `s`: elements of type string; expected a type of numbers, or bool");
    CHECK(import_refused(made_model().input("x", {1}).node("Relu", {"x"}, {"y"})).find("has no outputs") !=
          std::string::npos);
}

TEST_CASE("importer: inputs that are initialisers are no parameters", "[relay][onnx][importer]") {
    made_model m;
    m.input("x", {2}).input("w", {2}).initializer(float_tensor("w", {2}, {1, 2}));
    m.node("Mul", {"x", "w"}, {"y"}).output("y");
    CHECK(imported(m).find("%w") == std::string::npos);
}
