#include <tutti/relay/onnx/ops/pool.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("pool: the greatest of windows", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {1, 2, 5, 5})
        .node("MaxPool", {"x"}, {"y"},
              {integers_attribute("kernel_shape", {2, 2}), integers_attribute("strides", {2, 2}),
               integer_attribute("ceil_mode", 1)})
        .output("y");
    CHECK(imported_body(m) == R"(nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 1, 1]))");
}

TEST_CASE("pool: a last window that would begin behind the data is none", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {2, 3, 6, 8})
        .node("MaxPool", {"x"}, {"y"},
              {integers_attribute("kernel_shape", {1, 2}), integers_attribute("strides", {2, 1}),
               integers_attribute("pads", {0, 0, 1, 0}), integer_attribute("ceil_mode", 1)})
        .output("y");
    CHECK(imported_body(m) == R"(nn.max_pool2d(%x, pool_size=[1, 2], strides=[2, 1], padding=[0, 0, 0, 0]))");
}

TEST_CASE("pool: cells added by rounding up do not count in a mean, padding does", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {1, 2, 4, 8})
        .node("AveragePool", {"x"}, {"y"},
              {integers_attribute("kernel_shape", {2, 3}), integers_attribute("strides", {1, 2}),
               integers_attribute("pads", {1, 0, 1, 0}), integer_attribute("ceil_mode", 1),
               integer_attribute("count_include_pad", 1)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [0, 0]]);
nn.avg_pool2d(%0, pool_size=[2, 3], strides=[1, 2], padding=[0, 0, 0, 1]))");
}

TEST_CASE("pool: the places of the greatest", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {1, 1, 2, 3})
        .node("MaxPool", {"x"}, {"y", "i"}, {integers_attribute("kernel_shape", {1, 2})})
        .output("i");
    CHECK(imported_body(m) == R"(%0 = nn.pad(%x, -inff, pad_width=[[0, 0], [0, 0], [0, 0], [0, 0]]);
%1 = strided_slice(%0, begin=[0, 1], end=[2, 3], strides=[1, 1], axes=[2, 3]);
%2 = strided_slice(%0, begin=[0, 0], end=[2, 2], strides=[1, 1], axes=[2, 3]);
%3 = greater(%1, %2);
%4 = broadcast_to(meta[relay.Constant][1], shape=[1, 1, 2, 2]);
%5 = where(%3, meta[relay.Constant][0], %4);
add(%5, meta[relay.Constant][2]))");
}

TEST_CASE("pool: over whole images", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {1, 2, 5, 5}).node("GlobalAveragePool", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(nn.global_avg_pool2d(%x))");
}

TEST_CASE("pool: over whole lines", "[relay][onnx][pool]") {
    made_model m;
    m.input("x", {1, 2, 5}).node("GlobalMaxPool", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(max(%x, axis=[2], keepdims=True))");
}

TEST_CASE("pool: elements go back to where MaxPool found them", "[relay][onnx][pool]") {
    const auto unpool = [](bool sized) {
        made_model m;
        m.input("x", {1, 1, 2, 2}).input("i", {1, 1, 2, 2}, 7).initializer(int64_tensor("s", {4}, {1, 1, 5, 5}));
        const auto window = {integers_attribute("kernel_shape", {2, 2}), integers_attribute("strides", {2, 2})};
        if (sized) return m.node("MaxUnpool", {"x", "i", "s"}, {"y"}, window).output("y");
        return m.node("MaxUnpool", {"x", "i"}, {"y"}, window).output("y");
    };
    CHECK(imported_body(unpool(false)) == R"(%0 = full(0f, shape=[16], dtype="float32");
%1 = reshape(%i, newshape=[-1]);
%2 = reshape(%x, newshape=[-1]);
%3 = scatter(%0, %1, %2);
reshape(%3, newshape=[1, 1, 4, 4], allowzero=True))");
    CHECK(imported_body(unpool(true)).find("newshape=[1, 1, 5, 5]") != std::string::npos);
    made_model at_run_time;
    at_run_time.input("x", {1, 1, 2, 2}).input("i", {1, 1, 2, 2}, 7).input("s", {4}, 7);
    at_run_time.node("MaxUnpool", {"x", "i", "s"}, {"y"}, {integers_attribute("kernel_shape", {2, 2})}).output("y");
    CHECK(imported_body(at_run_time).find("dyn.reshape(") != std::string::npos);
    made_model wrong;
    wrong.input("x", {1, 1, 2}).input("i", {1, 1, 2}, 7);
    wrong.node("MaxUnpool", {"x", "i"}, {"y"}, {integers_attribute("kernel_shape", {2, 2})}).output("y");
    CHECK(import_refused(wrong).find("a window of 2 axes over a tensor of rank 3") != std::string::npos);
}

TEST_CASE("pool: with unknown sizes, no window begins after the data", "[relay][onnx][pool]") {
    made_model whole;
    whole.input("x", {1, 2, -1, -2})
        .node("MaxPool", {"x"}, {"y"},
              {integers_attribute("kernel_shape", {3, 3}), integers_attribute("strides", {2, 2}),
               integer_attribute("ceil_mode", 1)})
        .output("y");
    CHECK(imported_body(whole) ==
          "nn.max_pool2d(%x, pool_size=[3, 3], strides=[2, 2], padding=[0, 0, 0, 0], ceil_mode=True)");
    made_model m;
    m.input("x", {1, 2, -1})
        .node("AveragePool", {"x"}, {"y"},
              {integers_attribute("kernel_shape", {1}), integers_attribute("strides", {3}),
               integers_attribute("pads", {1, 0}), integer_attribute("ceil_mode", 1),
               integer_attribute("count_include_pad", 1)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 0]]);
%1 = shape_of(%x, dtype="int64");
%2 = add(%1, meta[relay.Constant][1]);
%3 = nn.avg_pool1d(%0, pool_size=[1], strides=[3], padding=[0, 0], ceil_mode=True);
%4 = floor_divide(%2, meta[relay.Constant][2]);
dyn.strided_slice(%3, meta[relay.Constant][0], %4, meta[relay.Constant][3], begin=None, end=None, strides=None, axes=None))");
}
