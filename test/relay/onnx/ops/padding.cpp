#include <tutti/relay/onnx/ops/padding.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("padding: negative padding crops", "[relay][onnx][padding]") {
    made_model m;
    m.input("x", {10, 3}).initializer(int64_tensor("p", {4}, {1, 0, -2, 3})).node("Pad", {"x", "p"}, {"y"}).output("y");
    CHECK(imported_body(m) ==
          R"(%0 = strided_slice(%x, begin=[0, 0], end=[-2, 1099511627776], strides=[1, 1], axes=None);
nn.pad(%0, 0f, pad_width=[[1, 0], [0, 3]]))");
}

TEST_CASE("padding: padding of some axes, and around", "[relay][onnx][padding]") {
    made_model some;
    some.opset = 18;
    some.input("x", {2, 3}).initializer(int64_tensor("p", {2}, {1, 2})).initializer(int64_tensor("a", {1}, {-1}));
    some.node("Pad", {"x", "p", "", "a"}, {"y"}).output("y");
    CHECK(imported_body(some) == R"(nn.pad(%x, 0f, pad_width=[[0, 0], [1, 2]]))");
    made_model wrap;
    wrap.opset = 19;
    wrap.input("x", {3}).initializer(int64_tensor("p", {2}, {1, 4}));
    wrap.node("Pad", {"x", "p"}, {"y"}, {text_attribute("mode", "wrap")}).output("y");
    CHECK(imported_body(wrap) == R"(take(%x, meta[relay.Constant][0], axis=0))");
    made_model cut;
    cut.opset = 19;
    cut.input("x", {3}).initializer(int64_tensor("p", {2}, {-1, 4}));
    cut.node("Pad", {"x", "p"}, {"y"}, {text_attribute("mode", "wrap")}, "n").output("y");
    CHECK(import_refused(cut) == "m.onnx, node `n` (Pad): mode `wrap` with negative pads; expected pads of 0 or more");
}

TEST_CASE("padding: around, by pads computed at run time", "[relay][onnx][padding]") {
    const auto wraps = [](std::int64_t pads) {
        made_model m;
        m.opset = 19;
        m.input("x", {-1, 3}).input("p", {pads}, 7);
        return m.node("Pad", {"x", "p"}, {"y"}, {text_attribute("mode", "wrap")}, "n").output("y");
    };
    const tensor x({2, 3}, {0.F, 1.F, 2.F, 3.F, 4.F, 5.F});
    const tensor by({4}, {std::int64_t{1}, std::int64_t{0}, std::int64_t{0}, std::int64_t{4}});
    CHECK(shape_and_floats(result_of(wraps(4), {x, by})) ==
          shape_and_floats({3, 7}, {3, 4, 5, 3, 4, 5, 3, 0, 1, 2, 0, 1, 2, 0, 3, 4, 5, 3, 4, 5, 3}));
    CHECK(import_refused(wraps(3)) == "m.onnx, node `n` (Pad): pads of the wrong shape; expected two for each axis, 4");

    made_model some;
    some.opset = 19;
    some.input("x", {2, 3}).input("p", {2}, 7).input("a", {1}, 7);
    some.node("Pad", {"x", "p", "", "a"}, {"y"}, {text_attribute("mode", "wrap")}).output("y");
    const tensor one({2}, {std::int64_t{1}, std::int64_t{0}}), last({1}, {std::int64_t{-1}});
    CHECK(shape_and_floats(result_of(some, {x, one, last})) == shape_and_floats({2, 4}, {2, 0, 1, 2, 5, 3, 4, 5}));
}

TEST_CASE("padding: the centre of a tensor", "[relay][onnx][padding]") {
    made_model m;
    m.opset = 18;
    m.input("x", {5, 2})
        .initializer(int64_tensor("s", {2}, {2, 5}))
        .node("CenterCropPad", {"x", "s"}, {"y"})
        .output("y");
    CHECK(imported_body(m) ==
          R"(%0 = strided_slice(%x, begin=[1, 0], end=[3, 1099511627776], strides=[1, 1], axes=None);
nn.pad(%0, 0f, pad_width=[[0, 0], [1, 2]]))");
}

TEST_CASE("padding: a few bytes cannot ask for a long list", "[relay][onnx][padding]") {
    made_model m;
    m.opset = 19;
    m.input("x", {std::int64_t{1} << 30}).initializer(int64_tensor("p", {2}, {1, 1}));
    m.node("Pad", {"x", "p"}, {"y"}, {text_attribute("mode", "wrap")}, "n").output("y");
    CHECK(import_refused(m) ==
          "m.onnx, node `n` (Pad): an axis of 1073741826 elements to wrap around; expected 2^24 at most");
    made_model s;
    s.opset = 18;
    s.input("x", {8, 1 << 30}).input("i", {1, 1 << 30}, 7).input("u", {1, 1 << 30});
    s.node("ScatterElements", {"x", "i", "u"}, {"y"}, {text_attribute("reduction", "mul")}, "n").output("y");
    CHECK(import_refused(s) ==
          "m.onnx, node `n` (ScatterElements): an axis of 1073741824 elements; expected 2^24 at most");
}
