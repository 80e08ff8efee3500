#include <tutti/relay/onnx/write/model_node.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("model_node: attributes are messages of a node", "[relay][onnx][model_node]") {
    const auto message = [](const wire& attribute) { return wire().message(5, attribute).bytes; };
    CHECK(node_attributes().bytes().empty());
    CHECK(node_attributes().integer("axis", -1).bytes() == message(wire().text(1, "axis").number(20, 2).number(3, -1)));
    CHECK(node_attributes().real("alpha", 0.5).bytes() == message(wire().text(1, "alpha").number(20, 1).real(2, 0.5F)));
    CHECK(node_attributes().text("mode", "edge").bytes() ==
          message(wire().text(1, "mode").number(20, 3).text(4, "edge")));
    CHECK(node_attributes().integers("pads", {0, 2}).bytes() ==
          message(wire().text(1, "pads").number(20, 7).number(8, 0).number(8, 2)));
    CHECK(node_attributes().integers("perm", {}).bytes() == message(wire().text(1, "perm").number(20, 7)));
    CHECK(node_attributes().graph("body", wire_writer().text(2, "g")).bytes() ==
          message(wire().text(1, "body").number(20, 5).message(6, wire().text(2, "g"))));
    CHECK(node_attributes().integer("a", 1).integer("b", 2).bytes() ==
          node_attributes().integer("a", 1).bytes() + node_attributes().integer("b", 2).bytes());
}

TEST_CASE("model_node: a node is a message that can be read", "[relay][onnx][model_node]") {
    const model_node n{"Conv", {"x", "", "w"}, {"y"}, node_attributes().integer("group", 2).bytes(), "own", "first"};
    const std::string bytes = message_of(n).bytes();
    CHECK(bytes == wire()
                       .text(1, "x")
                       .text(1, "")
                       .text(1, "w")
                       .text(2, "y")
                       .text(3, "first")
                       .text(4, "Conv")
                       .message(5, wire().text(1, "group").number(20, 2).number(3, 2))
                       .text(7, "own")
                       .bytes);
    CHECK(message_of({"Relu", {"x"}, {"y"}}).bytes() == wire().text(1, "x").text(2, "y").text(4, "Relu").bytes);
}
