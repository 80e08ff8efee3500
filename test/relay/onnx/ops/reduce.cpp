#include <tutti/relay/onnx/ops/reduce.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("reduce: the root of the sum of squares", "[relay][onnx][reduce]") {
    made_model m;
    m.input("x", {2, 5})
        .node("ReduceL2", {"x"}, {"y"}, {integers_attribute("axes", {-1}), integer_attribute("keepdims", 0)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = multiply(%x, %x);
%1 = sum(%0, axis=[-1]);
sqrt(%1))");
}

TEST_CASE("reduce: the place of the greatest", "[relay][onnx][reduce]") {
    made_model m;
    m.input("x", {2, 5}).node("ArgMax", {"x"}, {"y"}, {integer_attribute("axis", 1)}).output("y");
    CHECK(imported_body(m) == R"(%0 = argmax(%x, axis=[1], keepdims=True);
cast(%0, dtype="int64"))");
}

TEST_CASE("reduce: along axes that are computed while the program runs", "[relay][onnx][reduce]") {
    made_model m;
    m.input("x", {2, 3}).input("a", {1}, 7).node("ReduceSum", {"x", "a"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(%a, newshape=[-1, 1]);
%1 = less(%0, 0i64);
%2 = add(%0, 2i64);
%3 = where(%1, %2, %0);
%4 = equal(%3, meta[relay.Constant][0]);
%5 = any(%4, axis=[0]);
%6 = take(%5, 0i64, axis=0);
%7 = sum(%x, axis=[0], keepdims=True);
%8 = where(%6, %7, %x);
%9 = take(%5, 1i64, axis=0);
%10 = sum(%8, axis=[1], keepdims=True);
%11 = where(%9, %10, %8);
%12 = where(%5, 1i64, meta[relay.Constant][2]);
dyn.strided_slice(%11, meta[relay.Constant][1], %12, meta[relay.Constant][3], begin=None, end=None, strides=None, axes=None))");
}

TEST_CASE("reduce: axes of which some are unknown are all taken at run time", "[relay][onnx][reduce]") {
    made_model m;
    m.input("x", {2, 1, 3}).input("a", {-1, 1}).node("Shape", {"a"}, {"axes"}).node("ReduceSum", {"x", "axes"}, {"y"});
    const tensor x({2, 1, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F}), two(dtype::float32, {2, 1});
    CHECK(shape_and_floats(result_of(m.output("y"), {x, two})) == shape_and_floats({2, 1, 1}, {6, 15}));
}

TEST_CASE("reduce: axes that are computed, of a tensor that may have no elements", "[relay][onnx][reduce]") {
    for (const std::int64_t rows : {0, 3})
        for (const std::int64_t axis : {0, 1, -2}) {
            made_model m;
            m.input("x", {-1, -2}).input("a", {1}, 7).node("ReduceSum", {"x", "a"}, {"y"}).output("y");
            const std::int64_t columns = 2;
            tensor x(dtype::float32, {rows, columns});
            for (std::int64_t i = 0; i < x.size(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i);
            tensor a(dtype::int64, {1});
            *a.mutable_data<std::int64_t>() = axis;
            const tensor y = result_of(m, {x, a});
            CAPTURE(rows, axis);
            const std::vector<float> got(y.data<float>(), y.data<float>() + y.size());
            if (axis == 1)
                CHECK(got == (rows == 0 ? std::vector<float>{} : std::vector<float>{1, 5, 9}));
            else
                CHECK(got == (rows == 0 ? std::vector<float>{0, 0} : std::vector<float>{6, 9}));
            CHECK(y.shape()[0] == (axis == 1 ? rows : 1));
            CHECK(y.shape()[1] == (axis == 1 ? 1 : columns));
        }
}
