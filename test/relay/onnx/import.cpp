#include <tutti/relay/onnx/import.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("import: a model as a module, all types inferred", "[relay][onnx][import]") {
    made_model m;
    m.input("x", {2, 3}).node("Relu", {"x"}, {"a"}).node("Add", {"a", "x"}, {"y"}).output("y");
    CHECK(to_text(import_model(model_of(m))) == R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32] /* ty=Tensor[(2, 3), float32] */) -> Tensor[(2, 3), float32] {
  %0 = nn.relu(%x) /* ty=Tensor[(2, 3), float32] */;
  add(%0, %x) /* ty=Tensor[(2, 3), float32] */
}
)");
}

TEST_CASE("import: an error in a file has the file, the location, the problem and the expectation",
          "[relay][onnx][import]") {
    const auto read_refused = [](std::string bytes) {
        return refused([&] { import_model(model_of(std::move(bytes))); });
    };
    made_model good;
    good.input("x", {2}).node("Relu", {"x"}, {"y"}, {}, "act").output("y");
    // A truncated model, a file of another format and texts are refused.
    CHECK(read_refused(good.bytes().substr(0, 12)) ==
          "m.onnx, byte 4: 49 bytes where 8 are left; expected no more than are left");
    CHECK(read_refused("\x7F"
                       "ELF") ==
          "m.onnx: is not an ONNX model (byte 0: an unknown wire type); expected a file that begins with 0x08 "
          "(ir_version)");
    CHECK(read_refused("version https://git-lfs.github.com/spec/v1\n") ==
          "m.onnx: is a Git LFS pointer, not the model; expected the model: `git lfs pull` fetches it");
    CHECK(read_refused("def @main() { 1 }") ==
          "m.onnx: is not an ONNX model (byte 0: an unknown wire type); expected a file that begins with 0x08 "
          "(ir_version)");
    // Mismatched shapes are refused.
    made_model sum;
    sum.input("x", {2}).input("z", {3}).node("Add", {"x", "z"}, {"y"}, {}, "sum").output("y");
    CHECK(
        import_refused(sum) ==
        "m.onnx, node `sum` (Add), add, argument `rhs`: Tensor[(3), float32] does not fit `lhs`, Tensor[(2), float32]; expected a shape that broadcasts with it");
    // A version of the operator set below 1 is refused. Unknown later versions are read like the newest.
    made_model opset = good;
    opset.opset = -1;
    CHECK(import_refused(opset) == "m.onnx, opset_import: version -1; expected 1 or more");
    opset.opset = 1000;
    CHECK(imported(opset) == imported(good));
    // Cycles and duplicate names are refused.
    made_model cycle;
    cycle.input("x", {2}).node("Add", {"x", "b"}, {"a"}, {}, "first").node("Relu", {"a"}, {"b"}, {}, "second");
    CHECK(import_refused(cycle.output("b")) ==
          "m.onnx, node `first` (Add): depends on its own result; expected a graph without cycles");
    made_model twice = good;
    twice.node("Abs", {"x"}, {"y"}, {}, "other");
    CHECK(import_refused(twice) ==
          "m.onnx, node `other` (Abs), output `y`: the name is defined twice; expected a name of "
          "its own for each value");
    // A tensor is refused if its size does not match its bytes.
    made_model weights = good;
    CHECK(import_refused(weights.initializer(int64_tensor("w", {5}, {1, 2}))) ==
          "m.onnx, tensor `w`: 16 bytes of raw data; expected 40 for its shape and type");
    // External data is refused if it is outside of the model's folder or missing.
    const auto external = [&](std::string_view location) {
        made_model m;
        m.initializer(wire().number(1, 2).number(2, 1).text(8, "w").number(14, 1).message(
            13, wire().text(1, "location").text(2, location)));
        return import_refused(m.input("x", {2}).node("Add", {"x", "w"}, {"y"}, {}, "sum").output("y"));
    };
    CHECK(external("../w.bin") ==
          "m.onnx, node `sum` (Add), tensor `w`: external data at `../w.bin`; expected a file in the "
          "model's folder, named without `..`");
    CHECK(external("no-such.bin")
              .starts_with("m.onnx, node `sum` (Add), tensor `w`: external data: no-such.bin: cannot be opened"));
}
