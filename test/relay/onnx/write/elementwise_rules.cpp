#include <tutti/relay/onnx/write/elementwise_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::string_view x = "%x: Tensor[(2, ?), T]", xy = "%x: Tensor[(2, 1, 3), T], %y: Tensor[(4, 3), T]",
                           xs = "%x: Tensor[(2, 3), T], %y: T";
constexpr std::string_view floating = "float16 bfloat16 float32 float64",
                           integers = "int8 int16 int32 int64 uint8 uint16 uint32 uint64",
                           unsigned_integers = "uint8 uint16 uint32 uint64",
                           numbers = "float16 float32 float64 int8 int32 int64 uint8 uint32",
                           has_sign = "float16 float32 float64 int8 int16 int32 int64";

constexpr round_trip rows[]{
    {x, "abs(%x)", numbers},
    {x, "acos(%x)", floating, elements::any},
    {x, "acosh(%x)", floating, elements::positive},
    {xy, "add(%x, %y)", numbers},
    {xs, "add(%y, %x)", numbers},
    {"%x: Tensor[(0, 3), T], %y: Tensor[(3), T]", "add(%x, %y)", "float32 int64"},
    {"%x: T", "add(%x, %x)", "float32 int64"},
    {x, "annotation.stop_fusion(%x)", "float32"},
    {x, "asin(%x)", floating, elements::any},
    {x, "asinh(%x)", floating},
    {x, "atan(%x)", floating},
    {x, "atanh(%x)", floating, elements::any},
    {xy, "bitwise_and(%x, %y)", integers, elements::any},
    {xy, "bitwise_and(%x, %y)", "bool"},
    {x, "bitwise_not(%x)", integers, elements::any},
    {x, "bitwise_not(%x)", "bool"},
    {xy, "bitwise_or(%x, %y)", integers, elements::any},
    {xy, "bitwise_or(%x, %y)", "bool"},
    {xy, "bitwise_xor(%x, %y)", integers, elements::any},
    {xy, "bitwise_xor(%x, %y)", "bool"},
    {x, "cast(%x, dtype=\"int32\")", "float16 float32 float64 int8 int64 uint8 bool"},
    {x, "cast(%x, dtype=\"float32\")", "float16 bfloat16 float64 int8 int64 uint8 bool"},
    {x, "cast(%x, dtype=\"bool\")", "float32 int8 int64 uint8"},
    {x, "cast(%x, dtype=\"int8\")", "int32 int64 uint8", elements::any},
    {x, "cast(cast(%x, dtype=\"T\"), dtype=\"float32\")", "float16 bfloat16 float32 float64 int8"},
    {"%x: Tensor[(5, 4), float32]", "cast(cast(%x, dtype=\"T\"), dtype=\"float32\")",
     "float8_e4m3fn float8_e5m2 float4_e2m1fn int4"},
    {"%x: Tensor[(5, 4), float32]", "cast(cast(%x, dtype=\"T\"), dtype=\"float32\")", "float8_e8m0fnu uint4",
     elements::positive},
    {"%x: Tensor[(3), float32], %y: Tensor[(3), T]", "cast_like(%x, %y)", "int32 float64 float32"},
    {x, "ceil(%x)", "float16 float32 float64 int32"},
    {x, "clip(%x, a_min=-1f64, a_max=2f64)", "float16 float32 float64 int8 int32"},
    {x, "clip(%x, a_min=0f64, a_max=6f64)", numbers},
    {x, "clip(%x, a_min=-128f64, a_max=127f64)", "int8 int32 float32", elements::any},
    {x, "clip(%x, a_min=100f64, a_max=200f64)", "uint8 int16", elements::any},
    {x, "clip(%x, a_min=-2f64, a_max=-2f64)", "int8 uint8 uint16 uint32 int32", elements::any},
    {x, "clip(%x, a_min=-400f64, a_max=-300f64)", "int8 uint8 uint32 int16", elements::any},
    {x, "clip(%x, a_min=300f64, a_max=400f64)", "int8 uint8 int16", elements::any},
    {x, "clip(%x, a_min=400f64, a_max=300f64)", "int8 uint8 int16", elements::any},
    {x, "clip(%x, a_min=300f64, a_max=20f64)", "int8 uint8 int16", elements::any},
    {x, "copy(%x)", "float32 bool"},
    {x, "cos(%x)", floating},
    {x, "cosh(%x)", floating},
    {xy, "divide(%x, %y)", "float16 float32 float64", elements::positive},
    {xy, "divide(%x, %y)", "int32 int64 uint8", elements::positive},
    {xy, "equal(%x, %y)", numbers},
    {x, "erf(%x)", "float32 float64"},
    {x, "exp(%x)", floating},
    {x, "fast_erf(%x)", "float32"},
    {x, "fast_exp(%x)", "float32"},
    {x, "fast_tanh(%x)", "float32"},
    {x, "floor(%x)", "float16 float32 float64 int32"},
    {xy, "floor_divide(%x, %y)", "float32 float64 uint8 uint32", elements::positive},
    {xy, "floor_divide(subtract(%x, cast(3, dtype=\"T\")), %y)", "float32 int8 int32 int64", elements::positive},
    {xy, "floor_mod(subtract(%x, cast(3, dtype=\"T\")), %y)", "float32 float64 int8 int32 int64", elements::positive},
    {xy, "floor_mod(%x, negative(%y))", "float32 int32 int64", elements::positive},
    {xy, "floor_divide(%x, negative(%y))", "float32 int32 int64", elements::positive},
    // Dividends near the least integer.
    {xy, "floor_divide(add(%x, cast(-128, dtype=\"T\")), %y)", "int8", elements::positive},
    {xy, "floor_divide(subtract(%x, 9223372036854775807i64), %y)", "int64", elements::positive},
    {xy, "greater(%x, %y)", numbers},
    {xy, "greater_equal(%x, %y)", numbers},
    {x, "isfinite(%x)", "float16 float32 float64", elements::edges},
    {x, "isinf(%x)", "float16 float32 float64", elements::edges},
    {x, "isnan(%x)", "float16 float32 float64", elements::not_numbers},
    {xy, "left_shift(%x, %y)", unsigned_integers, elements::positive},
    {x, "left_shift(%x, cast(3, dtype=\"T\"))", unsigned_integers, elements::any},
    {x, "left_shift(%x, 3)", "int32", elements::any},
    {x, "left_shift(%x, 40i64)", "int64", elements::any},
    {xy, "less(%x, %y)", numbers},
    {xy, "less_equal(%x, %y)", numbers},
    {x, "log(%x)", floating, elements::positive},
    {x, "log10(%x)", "float16 float32 float64", elements::positive},
    {x, "log2(%x)", "float16 float32 float64", elements::positive},
    {xy, "logical_and(%x, %y)", "bool"},
    {x, "logical_not(%x)", "bool"},
    {xy, "logical_or(%x, %y)", "bool"},
    {xy, "logical_xor(%x, %y)", "bool"},
    {xy, "maximum(%x, %y)", "float16 float32 float64 int8 int32 int64 uint8 bool"},
    {xy, "minimum(%x, %y)", "float16 float32 float64 int8 int32 int64 uint8 bool"},
    {xy, "mod(%x, %y)", numbers, elements::positive},
    {xy, "mod(negative(%x), %y)", "float32 int32 int64", elements::positive},
    {xy, "multiply(%x, %y)", numbers},
    {x, "negative(%x)", has_sign},
    {x, "nn.leaky_relu(%x, alpha=0.25f64)", "float16 float32 float64"},
    {x, "nn.relu(%x)", "float16 float32 float64 int8 int32 int64"},
    {xy, "not_equal(%x, %y)", numbers},
    {xy, "not_equal(%x, %y)", "bool"},
    {xy, "power(%x, %y)", "float16 float32 float64 int32", elements::positive},
    {x, "reinterpret(%x, dtype=\"int32\")", "float32 int32 uint32", elements::any},
    {xy, "right_shift(%x, %y)", unsigned_integers, elements::positive},
    {x, "right_shift(%x, 3)", "int32", elements::any},
    {x, "right_shift(%x, 40i64)", "int64", elements::any},
    {x, "round(%x)", "float16 float32 float64 int32"},
    {x, "rsqrt(%x)", "float16 float32 float64", elements::positive},
    {x, "sigmoid(%x)", floating},
    {x, "sign(%x)", has_sign},
    {x, "sin(%x)", floating},
    {x, "sinh(%x)", floating},
    {x, "sqrt(%x)", floating, elements::positive},
    {xy, "subtract(%x, %y)", numbers},
    {x, "tan(%x)", "float32 float64", elements::any},
    {x, "tanh(%x)", floating},
    {x, "trunc(%x)", "float16 float32 float64 int32"},
    {xy, "trunc_divide(negative(%x), %y)", "float32 float64 int32 int64", elements::positive},
    {xy, "trunc_mod(negative(%x), %y)", "float32 float64 int32 int64", elements::positive},
    {"%c: Tensor[(2, 1), bool], %x: Tensor[(3), T], %y: T", "where(%c, %x, %y)", "float32 int64 bool"},
    {"%c: Tensor[(2, 1), T], %x: Tensor[(3), float32], %y: float32", "where(%c, %x, %y)", "int32 float32 uint8"},
};

} // namespace

TEST_CASE("elementwise_rules: written operators compute the same", "[relay][onnx][elementwise_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("elementwise_rules: every rule has a program", "[relay][onnx][elementwise_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::elementwise_rules, rows) == "");
}

TEST_CASE("elementwise_rules: bounds are within the element type", "[relay][onnx][elementwise_rules]") {
    const auto clip = [](std::string_view type, std::string_view bounds) {
        return program_of("def @main(%x: Tensor[(2), " + std::string(type) + "]) { clip(%x, " + std::string(bounds) +
                          ") }");
    };
    CHECK(nodes_of(clip("float32", "a_min=0f64, a_max=6f64")) == "Clip(x, constant, constant_1) -> out_0\n");
    CHECK(nodes_of(clip("float32", "a_min=-inff64, a_max=6f64")) == "Clip(x, , constant) -> out_0\n");
    CHECK(nodes_of(clip("float32", "a_min=-inff64, a_max=inff64")) == "Identity(x) -> out_0\n");
    CHECK(constants_of(clip("int8", "a_min=-200f64, a_max=5f64")) == "[-128][5]");
    CHECK(constants_of(clip("uint8", "a_min=-3f64, a_max=300f64")) == "[0][255]");
}
