#include <tutti/relay/onnx/ops/index.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("index: indices from the end", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4})
        .input("i", {2}, 7)
        .node("Gather", {"x", "i"}, {"y"}, {integer_attribute("axis", -1)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = less(%i, 0i64);
%1 = add(%i, 4i64);
%2 = where(%0, %1, %i);
take(%x, %2, axis=1))");
}

TEST_CASE("index: values and places", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4})
        .initializer(int64_tensor("k", {1}, {2}))
        .node("TopK", {"x", "k"}, {"y", "i"})
        .output("y")
        .output("i");
    CHECK(imported_body(m) == R"(%0 = topk(%x, k=2, axis=1, dtype="int64");
%1 = %0.0;
%2 = %0.1;
(%1, %2))");
}

TEST_CASE("index: the upper triangle", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {2, 2}).node("Trilu", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(meta[relay.Constant][1], newshape=[2, 1], allowzero=True);
%1 = subtract(meta[relay.Constant][0], %0);
%2 = greater_equal(%1, 0i64);
where(%2, %x, 0f))");
}
