#include <tutti/relay/onnx/model.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <memory>
#include <string>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("model: reads a file", "[relay][onnx][model]") {
    made_model made;
    made.input("x", {2, -1}).node("Relu", {"x"}, {"y"}, {integer_attribute("k", 4)}, "act").output("y");
    const onnx::model m = model_of(made);
    CHECK(m.opset() == 17);
    CHECK(m.ir_version() == 8);
    CHECK(m.opset("com.example") == 0);
    std::size_t nodes = 0;
    for (const wire_field& f : m.graph().nodes()) {
        const node_view n(f.payload);
        CHECK(n.label() == "node `act` (Relu)");
        CHECK(n.attribute("k").integer_value() == 4);
        CHECK(n.attribute("k").type() == attribute_type::integer);
        CHECK_FALSE(n.attribute("other").exists());
        ++nodes;
    }
    CHECK(nodes == 1);
    for (const wire_field& f : m.graph().inputs()) {
        const value_view v(f.payload);
        CHECK(v.name() == "x");
        CHECK(v.element() == 1);
        CHECK(v.has_shape());
    }
}

TEST_CASE("model: an invalid model is refused with the file's name", "[relay][onnx][model]") {
    const auto said = [](const std::string& bytes) { return refused([&] { model_of(bytes); }); };
    CHECK(said("") == "m.onnx: an empty file; expected an ONNX model");
    CHECK(said("this is a text\n").find("m.onnx: is not an ONNX model (byte 0: ") == 0);
    CHECK(said(wire().number(1, 8).bytes) == "m.onnx: has no graph; expected an ONNX model, which has one");
    CHECK(said(wire().message(7, wire()).bytes) == "m.onnx: has no ir_version; expected an ONNX model, which has one");
    const std::string whole = made_model().input("x", {2}).node("Relu", {"x"}, {"y"}).output("y").bytes();
    CHECK(said(whole.substr(0, 20)).find("m.onnx, byte ") == 0);
    made_model bad;
    bad.initializer(int64_tensor("w", {5}, {1}));
    CHECK(said(bad.bytes()) == "m.onnx, tensor `w`: 8 bytes of raw data; expected 40 for its shape and type");
    CHECK(refused([] { open_model("no such file.onnx"); }).find("no such file.onnx: cannot be opened") == 0);
}

TEST_CASE("model: in memory, in place, kept by its keeper", "[relay][onnx][model]") {
    made_model made;
    made.input("x", {2}).node("Add", {"x", "w"}, {"y"}).output("y").initializer(float_tensor("w", {2}, {1, 2}));
    auto bytes = std::make_shared<const std::string>(made.bytes());
    const std::weak_ptr<const std::string> there = bytes;
    {
        const onnx::model m = model_in_memory(*bytes, "net", bytes);
        CHECK(m.name() == "net");
        CHECK(m.file()->bytes().data() == bytes->data());
        bytes.reset();
        CHECK_FALSE(there.expired());
        CHECK(m.opset() == 17);
    }
    CHECK(there.expired());
    CHECK(refused([] { model_in_memory("text", "net"); }).find("net: is not an ONNX model") == 0);
}
