#include <tutti/relay/onnx/node_order.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

std::string order_of(const made_model& m) {
    const onnx::model parsed = model_of(m);
    std::string names;
    for (const file_part& part : in_order(parsed.graph().nodes())) names += node_view(part).name();
    return names;
}

} // namespace

TEST_CASE("node_order: nodes come behind those whose results they take, else as in the file",
          "[relay][onnx][node_order]") {
    made_model sorted;
    sorted.node("Relu", {"x"}, {"a"}, {}, "1")
        .node("Relu", {"x"}, {"b"}, {}, "2")
        .node("Add", {"b", "a"}, {"y"}, {}, "3");
    CHECK(order_of(sorted) == "123");
    made_model unsorted;
    unsorted.node("Add", {"b", "a"}, {"y"}, {}, "3")
        .node("Relu", {"b"}, {"a"}, {}, "1")
        .node("Relu", {"x"}, {"b"}, {}, "2");
    CHECK(order_of(unsorted) == "213");
}

TEST_CASE("node_order: a cycle is refused", "[relay][onnx][node_order]") {
    made_model m;
    m.node("Relu", {"b"}, {"a"}, {}, "1").node("Relu", {"a"}, {"b"}, {}, "2");
    CHECK(refused([&] { order_of(m); }) ==
          "node `1` (Relu): depends on its own result; expected a graph without cycles");
    made_model chain; // a long chain must not cause deep recursion
    for (int i = 0; i < 50'000; ++i) chain.node("Relu", {std::to_string(i + 1)}, {std::to_string(i)});
    CHECK(order_of(chain).empty());
}
