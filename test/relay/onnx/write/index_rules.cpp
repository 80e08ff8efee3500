#include <tutti/relay/onnx/write/index_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::string_view x = "%x: Tensor[(2, 3, 4), T]", open = "%x: Tensor[(2, ?, 4), T]";
constexpr std::string_view numbers = "float16 float32 float64 int8 int32 int64 uint8",
                           wide = "float32 float64 int32 int64";

constexpr round_trip rows[]{
    {x, "all(%x, axis=[1])", "bool"},
    {x, "all(%x, axis=[1], keepdims=True, exclude=True)", "bool"},
    {x, "any(%x, axis=[-1], keepdims=True)", "bool"},
    {x, "any(%x)", "bool"},
    {x, "argmax(%x, axis=[1])", "float32 int32 int8"},
    {x, "argmax(%x, axis=[-1], keepdims=True, select_last_index=True)", "float32"},
    {x, "argmax(%x)", "float32"},
    {x, "argmax(%x, keepdims=True)", "float32"},
    {x, "argmax(%x, axis=[0, 2], exclude=True)", "float32"},
    {open, "argmin(%x, axis=[1])", "float32 int32 int8"},
    {x, "argmin(%x, axis=[0], keepdims=True, select_last_index=True)", "float32"},
    {open, "argsort(%x, axis=1, dtype=\"int32\")", "float32", elements::any},
    {x, "argsort(%x, axis=-1, is_ascend=False, dtype=\"int64\")", "float32 int32", elements::any},
    {x, "argsort(%x, axis=0, is_ascend=False, dtype=\"float32\")", "float64", elements::any},
    {x, "argwhere(%x)", "float32 bool int32"},
    {x, "cumprod(%x, axis=1)", "float32 int32 int64", elements::positive},
    {x, "cumprod(%x, axis=-1, exclusive=True)", "float32", elements::positive},
    {x, "cumsum(%x, axis=1)", "float32 float64 int32 int64"},
    {open, "cumsum(%x, axis=-1, exclusive=True)", "float32 int32"},
    {x, "cumsum(%x, axis=0, dtype=\"int64\")", "int32"},
    {x, "cumsum(%x)", "float32"},
    {"%i: Tensor[(2, 3), T], %n: int64", "dyn.one_hot(%i, 1f, 0f, %n, dtype=\"float32\")", "int32 int64",
     elements::positive},
    {"%i: Tensor[(2, 3), T], %n: int32", "dyn.one_hot(%i, 5, 2, %n, axis=0, dtype=\"int32\")", "int64",
     elements::positive},
    {"%x: Tensor[(6, 5), T], %k: int64", "dyn.topk(%x, %k, k=?, axis=0, dtype=\"int64\")", "float32",
     elements::positive},
    {"%x: Tensor[(5, 6), T], %k: Tensor[(1), int32]",
     "dyn.topk(%x, %k, k=?, axis=-1, ret_type=\"values\", is_ascend=True, dtype=\"int32\")", "float32 int32",
     elements::positive},
    {"%x: Tensor[(2, 3), T], %y: Tensor[(3, 4), T]", "einsum((%x, %y), equation=\"ij,jk->ik\")", "float32 bfloat16"},
    {"%x: Tensor[(2, 3, 3), T]", "einsum((%x,), equation=\"bii->bi\")", "float32"},
    {"%x: Tensor[(4, 6), T], %i: Tensor[(4, 2), int64]", "gather(%x, %i, axis=1)", "float32 int8 bool",
     elements::positive},
    {"%x: Tensor[(6, ?), T], %i: Tensor[(2, 3), int32]", "gather(%x, %i, axis=-2)", "float32", elements::positive},
    {"%x: Tensor[(5, 6), T], %i: Tensor[(2, 3, 4), int32]", "gather_nd(%x, %i)", "float32 int8", elements::positive},
    {"%x: Tensor[(5, 6, 2), T], %i: Tensor[(1, 3), int64]", "gather_nd(%x, %i)", "float32", elements::positive},
    {"%x: Tensor[(2, 5, 6), T], %i: Tensor[(1, 2, 3), int64]", "gather_nd(%x, %i, batch_dims=1)", "float32",
     elements::positive},
    {x, "max(%x, axis=[0, -1])", numbers},
    {open, "max(%x, axis=[1], keepdims=True)", numbers},
    {x, "max(%x, axis=[1], exclude=True)", "float32"},
    {"%x: float32", "max(%x)"},
    {x, "mean(%x, axis=[0, -1])", "float16 float32 float64"},
    {open, "mean(%x, axis=[1], keepdims=True)", "float32"},
    {x, "mean(%x, axis=[1], keepdims=True, exclude=True)", "float32", elements::small, 0, 18},
    {x, "min(%x, axis=[0, -1])", numbers},
    {x, "min(%x)", numbers},
    {x, "min(%x, axis=[-2], keepdims=True)", "float32 uint8", elements::small, 0, 20},
    {"%i: Tensor[(2, 3), T]", "one_hot(%i, 1f, 0f, depth=3, dtype=\"float32\")", "int32 int64"},
    {"%i: Tensor[(2, ?), T]", "one_hot(%i, 7, -1, depth=4, axis=1, dtype=\"int32\")", "int32 int8"},
    {"%i: T", "one_hot(%i, True, False, depth=4, dtype=\"bool\")", "int64", elements::positive},
    {x, "prod(%x, axis=[0, -1])", wide, elements::positive},
    {x, "prod(%x, axis=[1], keepdims=True)", "int8 uint8 float16", elements::positive},
    {"%x: Tensor[(4, 6), T], %i: Tensor[(1, 3), int64], %u: Tensor[(1, 3), T]",
     "scatter(%x, add(multiply(%i, 0i64), "
     "arange(1i64, 4i64, 1i64, dtype=\"int64\")), %u, axis=1)",
     "float32 int32 bool"},
    {"%x: Tensor[(6, 3), T], %i: Tensor[(1, 3), int32], %u: Tensor[(1, 3), T]", "scatter(%x, %i, %u, axis=-2)",
     "float32", elements::positive},
    {"%x: Tensor[(6, 3), T], %i: Tensor[(5, 3), int32], %u: Tensor[(5, 3), T]", "scatter_add(%x, %i, %u, axis=0)",
     "float32 int32", elements::positive},
    {"%x: Tensor[(3, 6), T], %i: Tensor[(3, 9), int64], %u: Tensor[(3, 9), T]", "scatter_add(%x, %i, %u, axis=-1)",
     "float32", elements::positive},
    {"%x: Tensor[(6, 5), T], %i: Tensor[(2, 1), int64], %u: Tensor[(1), T]", "scatter_nd(%x, %i, %u, mode=\"update\")",
     "float32 int32", elements::positive},
    {"%x: Tensor[(6, 5), T], %i: Tensor[(1, 7), int32], %u: Tensor[(7, 5), T]", "scatter_nd(%x, %i, %u, mode=\"add\")",
     "float32 int32", elements::positive},
    {"%x: Tensor[(6, 5), T], %i: Tensor[(1, 7), int32], %u: Tensor[(7, 5), T]", "scatter_nd(%x, %i, %u, mode=\"mul\")",
     "float32", elements::positive},
    {"%x: Tensor[(6, 5), T], %i: Tensor[(1, 7), int32], %u: Tensor[(7, 5), T]", "scatter_nd(%x, %i, %u, mode=\"max\")",
     "float32", elements::positive},
    {"%x: Tensor[(6, 5), T], %i: Tensor[(1, 7), int32], %u: Tensor[(7, 5), T]", "scatter_nd(%x, %i, %u, mode=\"min\")",
     "float32", elements::positive},
    {open, "sort(%x, axis=1)", "float32 int32 int64"},
    {x, "sort(%x, axis=-1, is_ascend=False)", "float32 float16"},
    {x, "sum(%x, axis=[0, -1])", "float16 float32 float64 int32 int64"},
    {x, "sum(%x, axis=[1], keepdims=True)", "int8 uint8"},
    {x, "sum(%x, axis=[1], exclude=True)", "float32"},
    {x, "sum(%x, axis=[])", "float32"},
    {"%x: Tensor[(0, 3), T]", "sum(%x, axis=[0])", "float32 int32"},
    {"%x: Tensor[(5, 3), T], %i: Tensor[(2, 4), int32]", "take(%x, %i, axis=0)", "float32 int8 bool"},
    {"%x: Tensor[(3, 5), T], %i: Tensor[(2, 4), int64]", "take(%x, %i, axis=-1, mode=\"wrap\")", "float32"},
    {"%x: Tensor[(3, 5), T], %i: Tensor[(4), int64]", "take(%x, %i, axis=-1, mode=\"fast\")", "float32",
     elements::positive},
    {"%x: Tensor[(2, ?), T], %i: Tensor[(4), int32]", "take(%x, %i, axis=1)", "float32"},
    {"%x: Tensor[(2, ?), T], %i: Tensor[(4), uint8]", "take(%x, %i, axis=1, mode=\"wrap\")", "float32"},
    {"%x: Tensor[(2, ?), T], %i: Tensor[(4), int64]", "take(%x, %i)", "float32"},
    {"%x: Tensor[(2, 3), T], %i: int64", "take(%x, %i, axis=1)", "float32"},
    {"%x: Tensor[(2, 3), T]", "take(%x, 1i64, axis=1)", "float32"},
    {"%x: Tensor[(2, 3), T]", "take(%x, -1, axis=1)", "float32"},
    {x, "topk(%x, k=2, dtype=\"int32\")", "float32 int32", elements::any},
    {x, "topk(%x, k=2, axis=1, ret_type=\"values\", is_ascend=True, dtype=\"int32\")", "float32 int64"},
    {x, "topk(%x, k=3, axis=-2, ret_type=\"indices\", dtype=\"int64\")", "float32", elements::any},
    {open, "topk(%x, k=0, axis=1, ret_type=\"values\", dtype=\"int64\")", "float32"},
    {x, "trilu(%x, 1, upper=True)", "float32 int32 bool"},
    {x, "trilu(%x, -1i64, upper=False)", "float32"},
    {"%x: Tensor[(12), T]", "unique(%x)", "int32 float32"},
    {"%x: Tensor[(12), T]", "unique(%x, sorted=True, return_counts=True)", "int32 int64"},
    {"%x: Tensor[(12), T]", "unique(%x, sorted=False, return_counts=True)", "int32"},
    {x, "variance(%x, mean(%x, axis=[1], keepdims=True), axis=[1])", "float32 float64"},
    {x, "variance(%x, mean(%x, axis=[1, 2], keepdims=True), axis=[0], keepdims=True, exclude=True)", "float32"},
    {"%b: Tensor[(1, 6, 4), float32], %s: Tensor[(1, 2, 6), float32]",
     "vision.all_class_non_max_suppression(%b, %s, 3i64, 0.4f, 0.3f)", "", elements::positive},
};

std::string nodes(const std::string& parameters, const std::string& body, std::int64_t opset = 0) {
    return nodes_of(program_of("def @main(" + parameters + ") { " + body + " }"), {.opset = opset});
}
std::string refusal(const std::string& parameters, const std::string& body) {
    return refused([&] { nodes(parameters, body); });
}

} // namespace

TEST_CASE("index_rules: written operators compute the same", "[relay][onnx][index_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("index_rules: every rule has a program", "[relay][onnx][index_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::index_rules, rows) == "");
}

TEST_CASE("index_rules: the axes of a reduction are an input since version 18", "[relay][onnx][index_rules]") {
    const std::string x_2_3 = "%x: Tensor[(2, 3), float32]";
    CHECK(nodes(x_2_3, "mean(%x, axis=[1])") == "ReduceMean(x) -> out_0\n");
    CHECK(nodes(x_2_3, "mean(%x, axis=[1])", 18) == "ReduceMean(x, constant) -> out_0\n");
    CHECK(nodes(x_2_3, "sum(%x, axis=[1])") == "ReduceSum(x, constant) -> out_0\n");
    CHECK(nodes(x_2_3, "sum(%x, axis=[0, 1], exclude=True)") == "Identity(x) -> out_0\n");
}

TEST_CASE("index_rules: indices that are within are taken as they are", "[relay][onnx][index_rules]") {
    const std::string x_2_3 = "%x: Tensor[(2, 3), float32]";
    CHECK(nodes(x_2_3, "take(%x, 2i64, axis=1)") == "Gather(x, constant) -> out_0\n");
    CHECK(nodes(x_2_3 + ", %i: int64", "take(%x, %i, axis=1, mode=\"fast\")") == "Gather(x, i) -> out_0\n");
    CHECK(
        nodes(x_2_3, "take(%x, 3i64, axis=1)") ==
        "Sub(constant, constant_1) -> Sub\nMin(constant, Sub) -> Min\nMax(Min, constant_2) -> Max\nGather(x, Max) -> out_0\n");
}

TEST_CASE("index_rules: forms that ONNX does not have", "[relay][onnx][index_rules]") {
    CHECK(refusal("%x: Tensor[(2, 3, 4), float32]", "argmax(%x, axis=[0, 1])") ==
          "cannot be written as ONNX: argmax: 2 axes; expected one, or all");
    CHECK(refusal("%x: Tensor[(2, 3), float32], %m: Tensor[(2, 1), float32]",
                  "variance(%x, %m, axis=[1], unbiased=True)") ==
          "cannot be written as ONNX: variance: an unbiased variance; expected unbiased=False");
    CHECK(refusal("%x: Tensor[(2, 3), float32], %i: Tensor[(2), int32]", "take(%x, %i, batch_dims=1, axis=1)") ==
          "cannot be written as ONNX: take: batch_dims; expected 0");
}
