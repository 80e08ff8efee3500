#include <tutti/relay/onnx/unsupported.hpp>

#include <tutti/relay/onnx/standard_rules.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("unsupported: all operators without a rule are named in one error", "[relay][onnx][unsupported]") {
    made_model m;
    m.input("x", {1});
    m.node("Mystery", {"x"}, {"a"}, {}, "first").node("Relu", {"a"}, {"b"}).node("Enigma", {"b"}, {"c"});
    for (const char* const name : {"d", "e", "f"}) m.node("Mystery", {"c"}, {name});
    m.output("f");
    CHECK(import_refused(m) == "m.onnx: operators that cannot be imported: Mystery (4 nodes: `first`, `d`, `e`, …), "
                               "Enigma (1 node: `c`); expected others, or rules for them in `import_options::rules`");
    const onnx::model read = model_of(m);
    const auto uses = operators_of(read, {}, standard_rules);
    REQUIRE(uses.size() == 3);
    CHECK(uses[1].op_type == "Relu");
    CHECK(uses[1].supported);
    CHECK_FALSE(uses[0].supported);
}

TEST_CASE("unsupported: operators of a version that does not exist are refused", "[relay][onnx][unsupported]") {
    made_model m;
    m.input("x", {1}).node("Relu", {"x"}, {"y"}).output("y");
    m.opset = -3;
    CHECK(import_refused(m) == "m.onnx, opset_import: version -3; expected 1 or more");
    m.opset = 0;
    CHECK(import_refused(m).find("no version of ONNX's own operators") != std::string::npos);
}
