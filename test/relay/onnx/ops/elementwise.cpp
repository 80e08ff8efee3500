#include <tutti/relay/onnx/ops/elementwise.hpp>

#include <tutti/kernel/support/numbers.hpp>

#include "../evaluated.hpp"
#include "../made_model.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("elementwise: operators of one element and of two", "[relay][onnx][elementwise]") {
    made_model m;
    m.input("x", {2, 3}).input("y", {3}).node("Erf", {"x"}, {"a"}).node("Sub", {"a", "y"}, {"z"}).output("z");
    CHECK(imported_body(m) == "%0 = erf(%x);\nsubtract(%0, %y)");
}

TEST_CASE("elementwise: between numbers that are known", "[relay][onnx][elementwise]") {
    made_model m;
    m.input("x", {2, 3})
        .initializer(float_tensor("l", {}, {0}))
        .initializer(float_tensor("h", {}, {6}))
        .node("Clip", {"x", "l", "h"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(clip(%x, a_min=0f, a_max=6f))");
}

TEST_CASE("elementwise: broadcast along an axis, as until version 7", "[relay][onnx][elementwise]") {
    made_model m;
    m.opset = 6;
    m.input("x", {2, 3, 4})
        .input("b", {3})
        .node("Add", {"x", "b"}, {"y"}, {integer_attribute("broadcast", 1), integer_attribute("axis", 1)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(%b, newshape=[3, 1]);
add(%x, %0))");
}

TEST_CASE("elementwise: casts to narrow types saturate unless told not to", "[relay][onnx][elementwise]") {
    const auto cast = [](std::initializer_list<wire> attributes) {
        made_model m;
        m.opset = 25;
        return m.input("x", {6}).node("Cast", {"x"}, {"y"}, attributes, "c").output("y");
    };
    const auto values = [&](const made_model& m) {
        const tensor y =
            result_of(m, {tensor({6}, {0.3F, -0.0F, 1e6F, std::numeric_limits<float>::infinity(), 5.1F, 12.0F})});
        std::vector<double> all;
        for (std::int64_t i = 0; i < y.size(); ++i) all.push_back(kernel::number::at(y, i).real());
        return all;
    };
    const auto to = [](std::int64_t type) { return integer_attribute("to", type); };
    CHECK(values(cast({to(17)})) == std::vector<double>{0.3125, 0, 448, 448, 5, 12});
    CHECK(std::isnan(values(cast({to(17), integer_attribute("saturate", 0)}))[2]));
    CHECK(std::isinf(values(cast({to(19), integer_attribute("saturate", 0)}))[2]));
    CHECK(values(cast({to(19)})) == std::vector<double>{0.3125, 0, 57344, 57344, 5, 12});
    CHECK(values(cast({to(23)})) == std::vector<double>{0.5, 0, 6, 6, 6, 6}); // 5.1 is nearer to 6 than to 4
    CHECK(values(cast({to(22)}))[5] == -4);                                   // 12 wraps
    const auto powers = [&](std::string_view mode) {
        return values(cast({to(24), text_attribute("round_mode", mode)}));
    };
    CHECK(powers("up")[0] == 0.5);
    CHECK(powers("up")[1] == 0x1p-127);
    CHECK(powers("up")[2] == 0x1p20);
    CHECK(std::isnan(powers("up")[3]));
    CHECK(powers("up")[4] == 8);
    CHECK(powers("down")[4] == 4);
    CHECK(powers("nearest")[4] == 4);
    CHECK(powers("nearest")[5] == 16);
    CHECK(import_refused(cast({to(24), text_attribute("round_mode", "odd")})) ==
          "m.onnx, node `c` (Cast): round_mode `odd`; expected up, down or nearest");
}

TEST_CASE("elementwise: slopes that broadcast", "[relay][onnx][elementwise]") {
    made_model m;
    m.input("x", {2, 3}).input("s", {3}).node("PRelu", {"x", "s"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = less(%x, 0f);
%1 = multiply(%x, %s);
where(%0, %1, %x))");
}

TEST_CASE("elementwise: gated and smooth units of newer versions", "[relay][onnx][elementwise]") {
    made_model swiglu;
    swiglu.opset = 28;
    swiglu.input("a", {2}).input("b", {2}).node("SwiGLU", {"a", "b"}, {"y"}, {real_attribute("alpha", 2)}).output("y");
    CHECK(imported_body(swiglu) == R"(%0 = multiply(%a, 2f);
%1 = sigmoid(%0);
%2 = multiply(%a, %1);
multiply(%2, %b))");
    made_model gelu;
    gelu.opset = 20;
    gelu.input("x", {2}).node("Gelu", {"x"}, {"y"}, {text_attribute("approximate", "erf")}, "g").output("y");
    CHECK(import_refused(gelu) == "m.onnx, node `g` (Gelu): approximate `erf`; expected none or tanh");
}

TEST_CASE("elementwise: bits of another type of the same size", "[relay][onnx][elementwise]") {
    made_model m;
    m.opset = 26;
    m.input("x", {2}).node("BitCast", {"x"}, {"y"}, {integer_attribute("to", 6)}).output("y");
    CHECK(imported_body(m) == R"(reinterpret(%x, dtype="int32"))");
    made_model wide;
    wide.opset = 26;
    wide.input("x", {2}).node("BitCast", {"x"}, {"y"}, {integer_attribute("to", 7)}, "b").output("y");
    CHECK(import_refused(wide) == "m.onnx, node `b` (BitCast): elements of another size; expected a type of 4 bytes");
}
