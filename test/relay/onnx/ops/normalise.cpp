#include <tutti/relay/onnx/ops/normalise.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("normalise: until version 13 along all axes from one on", "[relay][onnx][normalise]") {
    made_model m;
    m.opset = 11;
    m.input("x", {2, 3, 4}).node("Softmax", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(%x, newshape=[0, -1]);
%1 = nn.softmax(%0, axis=1);
reshape_like(%1, %x))");
}

TEST_CASE("normalise: by given statistics", "[relay][onnx][normalise]") {
    made_model m;
    m.input("x", {2, 3, 4}).input("s", {3}).node("BatchNormalization", {"x", "s", "s", "s", "s"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = nn.batch_norm(%x, %s, %s, %s, %s);
%0.0)");
}

TEST_CASE("normalise: LRN is nn.lrn with ONNX's defaults", "[relay][onnx][normalise]") {
    made_model m;
    m.input("x", {2, 3, 4}).node("LRN", {"x"}, {"y"}, {integer_attribute("size", 4)}).output("y");
    CHECK(imported_body(m) == "nn.lrn(%x, size=4, bias=1f)");
    made_model wrong;
    wrong.input("x", {2, 3, 4}).node("LRN", {"x"}, {"y"}, {integer_attribute("size", 0)}).output("y");
    CHECK_THROWS_WITH(imported_body(wrong), Catch::Contains("a window of 0 channels; expected 1 or more"));
}
