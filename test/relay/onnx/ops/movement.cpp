#include <tutti/relay/onnx/ops/movement.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;

TEST_CASE("movement: shapes that are computed of shapes", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {-1, 3, 4})
        .node("Shape", {"x"}, {"s"})
        .initializer(int64_tensor("z", {1}, {0}))
        .initializer(int64_tensor("m", {1}, {12}))
        .node("Gather", {"s", "z"}, {"n"})
        .node("Concat", {"n", "m"}, {"t"}, {integer_attribute("axis", 0)})
        .node("Reshape", {"x", "t"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(reshape(%x, newshape=[-1, 12]))");
}

TEST_CASE("movement: to a shape that is computed while the program runs", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {2, 3}).input("s", {2}, 7).node("Reshape", {"x", "s"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(dyn.reshape(%x, %s, newshape=[]))");
    made_model zeros;
    zeros.input("x", {2, 0}).input("s", {2}, 7);
    zeros.node("Reshape", {"x", "s"}, {"y"}, {integer_attribute("allowzero", 1)}).output("y");
    CHECK(imported_body(zeros) == R"(dyn.reshape(%x, %s, newshape=[], allowzero=True))");
}

TEST_CASE("movement: backwards, beyond the ends", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {10, 3})
        .initializer(int64_tensor("b", {1}, {-1}))
        .initializer(int64_tensor("e", {1}, {-1000}))
        .initializer(int64_tensor("a", {1}, {0}))
        .initializer(int64_tensor("p", {1}, {-2}))
        .node("Slice", {"x", "b", "e", "a", "p"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(strided_slice(%x, begin=[9], end=[-11], strides=[-2], axes=[0]))");
}

TEST_CASE("movement: a slice that ends before it begins is empty", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {2, 5})
        .initializer(int64_tensor("b", {1}, {3}))
        .initializer(int64_tensor("e", {1}, {-4}))
        .initializer(int64_tensor("a", {1}, {1}))
        .node("Slice", {"x", "b", "e", "a"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(full(0f, shape=[2, 0]))");
}

TEST_CASE("movement: parts of given sizes", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {10}).initializer(int64_tensor("p", {2}, {4, 6})).node("Split", {"x", "p"}, {"y", "z"}).output("z");
    CHECK(imported_body(m) == R"(%0 = split(%x, indices_or_sections=[4]);
%0.1)");
}

TEST_CASE("movement: both broadcast", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {3, 1}).initializer(int64_tensor("p", {3}, {2, 1, 6})).node("Expand", {"x", "p"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(broadcast_to(%x, shape=[2, 3, 6]))");
}

TEST_CASE("movement: several new axes", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {3, 4}).initializer(int64_tensor("p", {2}, {0, -1})).node("Unsqueeze", {"x", "p"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = expand_dims(%x, axis=0);
expand_dims(%0, axis=3))");
}

TEST_CASE("movement: an unknown number of rows", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {-1, 3, 4}).node("Flatten", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(reshape(%x, newshape=[-1, 12], allowzero=True))");
}

TEST_CASE("movement: a slice without elements is one along its axis only, of any size of the others",
          "[relay][onnx][movement]") {
    const auto sliced = [](std::int64_t size, std::int64_t begin, std::int64_t end, std::int64_t step) {
        made_model m;
        m.input("x", {-1, size})
            .initializer(int64_tensor("b", {1}, {begin}))
            .initializer(int64_tensor("e", {1}, {end}));
        m.initializer(int64_tensor("a", {1}, {1})).initializer(int64_tensor("s", {1}, {step}));
        m.node("Slice", {"x", "b", "e", "a", "s"}, {"y"}).output("y");
        const std::string text = imported(m);
        return text.substr(text.find("-> ") + 3, text.find(" {") - text.find("-> ") - 3);
    };
    CHECK(sliced(5, 3, 1, 1) == "Tensor[(?, 0), float32]");
    CHECK(sliced(5, -1, -5, 2) == "Tensor[(?, 0), float32]");
    CHECK(sliced(0, 0, 5, 1) == "Tensor[(?, 0), float32]");
    // The size of the data is unknown, but the slice is empty for any size.
    CHECK(sliced(-2, 3, 1, 1) == "Tensor[(?, 0), float32]");
    CHECK(sliced(-2, -3, -1, -1) == "Tensor[(?, 0), float32]");
    // A start before the first element is clamped to the first element, even if the step is negative.
    CHECK(sliced(2, -3, -100, -2) == "Tensor[(?, 1), float32]");
    CHECK(sliced(2, -3, 100, 1) == "Tensor[(?, 2), float32]");
}

TEST_CASE("movement: no repeats at all", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {2, -1}).initializer(int64_tensor("n", {2}, {0, 3})).node("Tile", {"x", "n"}, {"y"}).output("y");
    CHECK(imported(m).find("-> Tensor[(0, ?), float32]") != std::string::npos);
}

TEST_CASE("movement: a number of parts that does not divide the axis", "[relay][onnx][movement]") {
    made_model m;
    m.opset = 18;
    m.input("x", {7, 2}).node("Split", {"x"}, {"a", "b", "c"}, {integer_attribute("num_outputs", 3)}).output("c");
    CHECK(imported_body(m) == R"(%0 = split(%x, indices_or_sections=[3, 6]);
%0.2)");
    made_model wrong;
    wrong.opset = 18;
    wrong.input("x", {7}).node("Split", {"x"}, {"a", "b"}, {integer_attribute("num_outputs", 3)}, "s").output("a");
    CHECK(import_refused(wrong) == "m.onnx, node `s` (Split): num_outputs of 3; expected 2, as many");
}

TEST_CASE("movement: equal parts of an axis of unknown size", "[relay][onnx][movement]") {
    const auto split = [](std::int64_t parts) {
        made_model m;
        m.opset = 18;
        m.input("x", {-1, 2}).node("Split", {"x"}, {"a", "b", "c"}, {integer_attribute("num_outputs", parts)}, "s");
        return m.output("a").output("b").output("c");
    };
    const ir_module m = import_model(model_of(split(3)));
    const auto part = [&](std::int64_t rows, std::size_t i) {
        tensor x(dtype::float32, {rows, 2});
        for (std::int64_t k = 0; k < x.size(); ++k) x.mutable_data<float>()[k] = static_cast<float>(k);
        return shape_and_floats(evaluate(m, std::span<const tensor>(&x, 1))[i]);
    };
    CHECK(part(6, 1) == shape_and_floats({2, 2}, {4, 5, 6, 7}));
    CHECK(part(5, 0) == shape_and_floats({2, 2}, {0, 1, 2, 3}));
    CHECK(part(5, 2) == shape_and_floats({1, 2}, {8, 9}));
    CHECK(part(2, 1) == shape_and_floats({1, 2}, {2, 3}));
    CHECK(part(2, 2) == shape_and_floats({0, 2}, {}));
    CHECK(import_refused(split(2)) == "m.onnx, node `s` (Split): num_outputs of 2; expected 3, as many");

    made_model none;
    none.opset = 18;
    none.input("x", {2}).node("Split", {"x"}, {}, {integer_attribute("num_outputs", 0)}, "s").output("x");
    CHECK(import_refused(none) == "m.onnx, node `s` (Split): no outputs; expected one or more");
}

TEST_CASE("movement: sizes that are known keep being so if others are computed at run time",
          "[relay][onnx][movement]") {
    const auto expanded = [](std::int64_t last) {
        made_model m;
        m.input("x", {3, 1}).input("n", {1}, 7).initializer(int64_tensor("rest", {2}, {1, last}));
        m.node("Concat", {"n", "rest"}, {"p"}, {integer_attribute("axis", 0)});
        return m.node("Expand", {"x", "p"}, {"y"}, {}, "e").output("y");
    };
    CHECK_THAT(imported(expanded(4)), Contains("-> Tensor[(?, 3, 4), float32]"));
    CHECK_THAT(imported(expanded(0)), Contains("-> Tensor[(?, 3, ?), float32]"));
    CHECK(import_refused(expanded(-1)) == "m.onnx, node `e` (Expand): a size of -1; expected 0 or more");
    const tensor x({3, 1}, {1.F, 2.F, 3.F}), two({1}, {std::int64_t{2}});
    CHECK(shape_and_floats(result_of(expanded(2), {x, two})) ==
          shape_and_floats({2, 3, 2}, {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3}));
    CHECK(shape_and_floats(result_of(expanded(0), {x, two})) == shape_and_floats({2, 3, 0}, {}));
}

TEST_CASE("movement: axes of which some are unknown are all taken at run time", "[relay][onnx][movement]") {
    made_model m;
    m.input("x", {1, 2, 1}).input("a", {-1, 0}).node("Shape", {"a"}, {"axes"}).node("Squeeze", {"x", "axes"}, {"y"});
    const tensor x({1, 2, 1}, {1.F, 2.F}), two(dtype::float32, {2, 0});
    CHECK(shape_and_floats(result_of(m.output("y"), {x, two})) == shape_and_floats({2}, {1, 2}));
}
