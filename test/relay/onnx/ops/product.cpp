#include <tutti/relay/onnx/ops/product.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("product: a stack with a matrix", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {-1, 2, 5}).input("w", {5, 7}).node("MatMul", {"x", "w"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = transpose(%w, axes=[1, 0]);
nn.dense(%x, %0, units=None))");
}

TEST_CASE("product: stacks that broadcast", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {2, 1, 2, 5}).input("w", {3, 5, 7}).node("MatMul", {"x", "w"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = broadcast_to(%x, shape=[2, 3, 2, 5]);
%1 = broadcast_to(%w, shape=[2, 3, 5, 7]);
%2 = reshape(%0, newshape=[6, 2, 5], allowzero=True);
%3 = reshape(%1, newshape=[6, 5, 7], allowzero=True);
%4 = nn.batch_matmul(%2, %3);
reshape(%4, newshape=[2, 3, 2, 7], allowzero=True))");
}

TEST_CASE("product: with a factor and a bias", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {2, 5})
        .input("w", {5, 7})
        .input("b", {7})
        .node("Gemm", {"x", "w", "b"}, {"y"}, {real_attribute("alpha", 0.5)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = transpose(%w, axes=[1, 0]);
%1 = nn.dense(%x, %0, units=None);
%2 = multiply(%1, 0.5f);
nn.bias_add(%2, %b))");
}
