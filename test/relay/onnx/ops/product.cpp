#include <tutti/relay/onnx/ops/product.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cmath>

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

TEST_CASE("product: stacks that broadcast, of sizes that are not known", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {-1, 1, 2, 5}).input("w", {-2, 5, 7}).node("MatMul", {"x", "w"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = shape_of(%x, dtype="int64");
%1 = strided_slice(%0, begin=[0], end=[2], strides=[1], axes=[0]);
%2 = shape_of(%w, dtype="int64");
%3 = strided_slice(%2, begin=[0], end=[1], strides=[1], axes=[0]);
%4 = (meta[relay.Constant][0], %3);
%5 = equal(%1, 1i64);
%6 = concatenate(%4);
%7 = where(%5, %6, %1);
%8 = strided_slice(%0, begin=[2], end=[4], strides=[1], axes=[0]);
%9 = (%7, %8);
%10 = concatenate(%9);
%11 = (meta[relay.Constant][1], %8);
%12 = dyn.broadcast_to(%x, %10, shape=None);
%13 = concatenate(%11);
%14 = strided_slice(%2, begin=[1], end=[3], strides=[1], axes=[0]);
%15 = (%7, %14);
%16 = concatenate(%15);
%17 = (meta[relay.Constant][2], %14);
%18 = dyn.broadcast_to(%w, %16, shape=None);
%19 = concatenate(%17);
%20 = dyn.reshape(%12, %13, newshape=[]);
%21 = dyn.reshape(%18, %19, newshape=[]);
%22 = strided_slice(%0, begin=[2], end=[3], strides=[1], axes=[0]);
%23 = strided_slice(%2, begin=[2], end=[3], strides=[1], axes=[0]);
%24 = (%7, %22, %23);
%25 = nn.batch_matmul(%20, %21);
%26 = concatenate(%24);
dyn.reshape(%25, %26, newshape=[]))");
}

TEST_CASE("product: determinants of matrices that are not square", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {2, 3}).node("Det", {"x"}, {"y"}, {}, "d").output("y");
    CHECK(import_refused(m) ==
          "m.onnx, node `d` (Det): matrices of 2 rows and 3 columns; expected square ones of 1 to 64 rows");
}

TEST_CASE("product: determinants need the greatest element of a column", "[relay][onnx][product]") {
    made_model m;
    m.input("x", {-1, 3, 3}).node("Det", {"x"}, {"y"}).output("y");
    tensor x(dtype::float32, {3, 3, 3});
    const float numbers[]{0, 2, 0, 1, 0, 0, 0, 0, 3,  // needs an exchange of rows
                          1, 2, 3, 2, 4, 6, 1, 0, 1,  // singular
                          2, 1, 0, 1, 3, 1, 0, 1, 4}; // 2 * 11 - 1 * 4
    for (int i = 0; i < 27; ++i) x.mutable_data<float>()[i] = numbers[i];
    const tensor y = result_of(m, {x});
    REQUIRE(y.size() == 3);
    CHECK(y.data<float>()[0] == -6);
    CHECK(y.data<float>()[1] == 0);
    CHECK(std::abs(y.data<float>()[2] - 18) < 1e-4F);
}
