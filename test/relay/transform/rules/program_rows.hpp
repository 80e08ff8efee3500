#pragma once

#include "row.hpp"

namespace tutti::test {

/// Rows for passes that rewrite any program: constants, sharing, lets, functions, fusion and shapes.
inline constexpr rule_row program_rows[]{
    // Constants.
    {"FoldConstant", "",
     "def @main(%c: Tensor[(5, 8), $T], %c1: Tensor[(8), $T]) { %0 = add(%c, %c1); %1 = multiply(%0, %c); subtract(%1, %c1) }",
     "numbers"},
    {"FoldConstant", "", "def @main(%c: Tensor[(40), $T], %c1: Tensor[(40, 1), $T]) { divide(%c, %c1) }", "numbers"},
    {"FoldConstant", "",
     "def @main(%c: Tensor[(40), $T], %c1: Tensor[(40, 1), $T]) { %0 = maximum(%c, %c1); %1 = less(%c, %c1); where(%1, %0, %c) }",
     "numbers"},
    {"FoldConstant", "", "def @main(%c: Tensor[(40), $T]) { cast(%c, dtype=\"$U\") }"},
    {"FoldConstant", "", "def @main(%c: Tensor[(40), $T]) { %0 = clip(%c, a_min=-3f, a_max=100.5f); abs(%0) }",
     "floats"},
    {"FoldConstant", "", "def @main(%c: Tensor[(40), $T]) { %0 = exp(%c); %1 = sqrt(%0); %2 = tanh(%c); add(%1, %2) }",
     "floats"},
    {"FoldConstant", "",
     "def @main(%c: Tensor[(5, 8), $T]) { %0 = sum(%c, axis=[0]); %1 = max(%c, axis=[-1]); (%0, %1) }", "numbers"},
    {"FoldConstant", "",
     "def @main(%c: Tensor[(0, 8), $T], %x: Tensor[(8), $T]) { %0 = sum(%c, axis=[0]); add(%0, %x) }", "numbers"},
    {"FoldConstant", "",
     "def @main(%c: Tensor[(5, 8), $T], %w: Tensor[(2), int64]) { %0 = transpose(%c, axes=[1, 0]); %1 = reshape(%0, newshape=[-1, 4]); "
     "(%1, %1) }",
     "all"},
    {"FoldConstant", "",
     "def @main(%x: Tensor[(5, 8), $T]) { %0 = shape_of(%x, dtype=\"int64\"); %1 = ndarray_size(%x, dtype=\"int32\"); (%0, %1) }",
     "all"},
    {"FoldConstant", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: bool) { if (%w) { add(%x, %x) } else { subtract(%x, %x) } }", "all"},
    {"FoldConstant", "",
     "def @main(%x: Tensor[(5, 8), $T], %c: $T) { let %a = add(%c, %c); let %b = (%a, %x); %0 = %b.0; %1 = %b.1; maximum(%0, %1) }",
     "all"},
    {"FoldConstant{fold_qnn=True}", "",
     "def @main(%c: Tensor[(40), $T], %s: float32, %w: int32) { %0 = qnn.dequantize(%c, %s, %w); qnn.quantize(%0, 0.3f, 5, out_dtype=\"int8\") }",
     "int8 uint8 int32", "", 0, "w=0,-128,255 s=0.5,0.1,100000"},
    {"FoldConstant", "",
     "def @main(%c: Tensor[(40), $T], %s: float32, %w: int32) { %0 = qnn.dequantize(%c, %s, %w); qnn.quantize(%0, 0.3f, 5, out_dtype=\"int8\") }",
     "", "int8 uint8 int32", 0, "w=0 s=0.5"},

    // Sharing.
    {"EliminateCommonSubexpr", "",
     "def @main(%x: Tensor[(5, 8), $T], %x1: Tensor[(8), $T]) { %0 = add(%x, %x1); %1 = add(%x, %x1); %2 = multiply(%0, %1); %3 = multiply(%1, "
     "%0); subtract(%2, %3) }",
     "numbers"},
    {"EliminateCommonSubexpr", "",
     "def @main(%x: Tensor[(5, 8), $T], %c: $T, %c1: $T) { %0 = divide(%x, %c); %1 = divide(%x, %c1); %2 = (%0, %1); %2 }",
     "", "floats", 0, "c=0 c1=-0,nan,1"},
    {"EliminateCommonSubexpr", "",
     "def @main(%x: Tensor[(5, 8), $T], %c: $T, %c1: $T) { %0 = divide(%x, %c); %1 = divide(%x, %c1); %2 = (%0, %1); %2 }",
     "numbers", "", 0, "c=nan c1=nan"},
    {"EliminateCommonSubexpr", "",
     "def @main(%x: Tensor[(4, 8), $T]) { %0 = split(%x, indices_or_sections=2, axis=0); %1 = %0.0; %2 = %0.1; %3 = %0.0; %4 = add(%1, %2); add(%4, "
     "%3) }",
     "all"},
    {"EliminateCommonSubexpr", "",
     "def @main(%x: Tensor[(4, 8), $T]) { %0 = sum(%x, axis=[0]); %1 = sum(%x, axis=[0], keepdims=True); (%0, %1) }",
     "", "numbers"},

    // Lets and functions.
    {"ToANormalForm", "",
     "def @main(%x: Tensor[(5, 8), $T], %i: bool) { %0 = add(%x, %x); %1 = if (%i) { multiply(%0, %x) } else { %0 }; maximum(%1, "
     "%0) }",
     "all"},
    {"ToBasicBlockNormalForm", "",
     "def @main(%x: Tensor[(5, 8), $T], %i: bool) { %0 = add(%x, %x); if (%i) { multiply(%0, %x) } else { maximum(%0, %x) } }",
     "all"},
    {"ToGraphNormalForm", "",
     "def @main(%x: Tensor[(5, 8), $T]) { let %a = add(%x, %x); let %b = multiply(%a, %x); (%a, %b) }", "all"},
    {"DeadCodeElimination", "",
     "def @main(%x: Tensor[(5, 8), $T]) { let %a = add(%x, %x); let %b = multiply(%a, %x); maximum(%a, %x) }", "all"},
    {"DeadCodeElimination{inline_once=True}", "",
     "def @main(%x: Tensor[(5, 8), $T]) { let %a = add(%x, %x); let %b = multiply(%a, %x); maximum(%b, %x) }", "all"},
    {"Inline", "",
     "def @f(%x: Tensor[(5, 8), $T], Inline=1) -> Tensor[(5, 8), $T] { add(%x, %x) } def @main(%x: Tensor[(5, 8), $T]) -> Tensor[(5, 8), $T] { %0 = "
     "@f(%x); @f(%0) }",
     "all"},
    {"LambdaLift", "",
     "def @main(%x: Tensor[(5, 8), $T]) { %0 = fn (%a: Tensor[(5, 8), $T]) -> Tensor[(5, 8), $T] { maximum(%a, %x) }; let %f = %0; %1 = %f(%x); "
     "%f(%1) }",
     "all"},
    {"EtaExpand{expand_global_var=True}", "",
     "def @f(%x: Tensor[(5, 8), $T]) -> Tensor[(5, 8), $T] { add(%x, %x) } def @main(%x: Tensor[(5, 8), $T], %i: bool) -> Tensor[(5, 8), $T] { %0 = if "
     "(%i) { @f } else { @f }; %0(%x) }",
     "all"},
    {"RemoveUnusedFunctions", "",
     "def @f(%x: Tensor[(5, 8), $T]) -> Tensor[(5, 8), $T] { add(%x, %x) } def @main(%x: Tensor[(5, 8), $T]) -> Tensor[(5, 8), $T] { maximum(%x, %x) }",
     "all"},
    {"FuseOps{fuse_opt_level=2}", "",
     "def @main(%x: Tensor[(5, 8), $T], %x1: Tensor[(8), $T]) { %0 = add(%x, %x1); %1 = maximum(%0, %x); %2 = max(%1, axis=[0]); %3 = subtract(%1, "
     "%2); (%3, %0) }",
     "all"},
    {"DefuseOps", "",
     "def @main(%x: Tensor[(5, 8), $T]) { %0 = fn (%p: Tensor[(5, 8), $T], Primitive=1) -> Tensor[(5, 8), $T] { %1 = add(%p, %p); maximum(%1, %p) }; "
     "%2 = %0(%x); add(%2, %x) }",
     "all"},
    {"SplitArgs{max_function_args=3}", "",
     "def @main(%x: Tensor[(2, 3), $T], %x1: Tensor[(2, 4), $T]) { %0 = (%x, %x1, %x1, %x, %x1); concatenate(%0, axis=1) }",
     "all"},
    {"InferType", "", "def @main(%x: Tensor[(5, 8), $T]) { %0 = maximum(%x, %x); reshape(%0, newshape=[-1]) }", "",
     "all"},

    // Shapes as arguments.
    {"DynamicToStatic", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: Tensor[(3), int64]) { dyn.reshape(%x, %w, newshape=[]) }", "all", "", 0,
     "w=2,-1,10"},
    {"DynamicToStatic", "",
     "def @main(%x: Tensor[(5, 1), $T], %w: Tensor[(2), int32]) { dyn.broadcast_to(%x, %w, shape=[]) }", "all", "", 0,
     "w=5,8"},
    {"DynamicToStatic", "", "def @main(%x: Tensor[(5, 8), $T], %w: Tensor[(2), int64]) { dyn.tile(%x, %w, reps=[]) }",
     "all", "", 0, "w=2,1"},
    {"DynamicToStatic", "", "def @main(%x: $T, %w: Tensor[(2), int64]) { dyn.full(%x, %w, shape=[], dtype=\"$T\") }",
     "all", "", 0, "w=2,3"},
    {"DynamicToStatic", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: Tensor[(2), int64], %w1: Tensor[(2), int64], %w2: Tensor[(2), int64]) { dyn.strided_slice(%x, %w, %w1, %w2, "
     "begin=[], end=[], strides=[], axes=None) }",
     "all", "", 0, "w=4,1 w1=-9,1000000000 w2=-2,3"},
    {"DynamicToStatic", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: Tensor[(2, 2), int64], %c: $T) { dyn.nn.pad(%x, %w, %c, pad_width=[], pad_mode=\"constant\") }",
     "all", "", 0, "w=1,0,2,3"},
    {"DynamicToStatic", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: int32) { dyn.topk(%x, %w, k=None, axis=1, ret_type=\"both\", dtype=\"int32\") }",
     "numbers", "", 0, "w=1,3"},

    // Integers that represent real numbers. The scales are powers of two, so that nothing is rounded.
    {"FakeQuantizationToInteger", "",
     "def @main(%x: Tensor[(2, 6, 4), $T]) { %0 = qnn.dequantize(%x, 0.5f, 3); %1 = transpose(%0, axes=[2, 0, 1]); %2 = nn.relu(%1); %3 = "
     "max(%2, axis=[0]); qnn.quantize(%3, 0.5f, 3, out_dtype=\"$T\") }",
     "int8 int16 uint8 uint16"},
    {"FakeQuantizationToInteger", "",
     "def @main(%x: Tensor[(5, 8), $T], %w: Tensor[(3, 8), $T]) { %0 = qnn.dequantize(%x, 0.5f, 3); %1 = qnn.dequantize(%w, 2f, 1); %2 = "
     "nn.dense(%0, %1, units=3); qnn.quantize(%2, 1f, -5, out_dtype=\"int8\") }",
     "int8 uint8", "int16 int32 uint16"},
    {"FakeQuantizationToInteger{use_qat=True}", "",
     "def @main(%x: Tensor[(2, 6, 4), $T]) { %0 = qnn.dequantize(%x, 0.5f, 3); %1 = nn.relu(%0); %2 = sin(%1); qnn.quantize(%2, 0.5f, 3, "
     "out_dtype=\"int8\") }",
     "int8 int16 uint8 uint16"},
    {"FakeQuantizationToInteger", "",
     "def @main(%x: Tensor[(2, 6), $T]) { %0 = qnn.dequantize(%x, 0.5f, 3); %1 = add(%0, 1f); %2 = abs(%1); qnn.quantize(%2, 0.5f, 3, "
     "out_dtype=\"$T\") }",
     "", "int8 int16 uint8 uint16"},
};

} // namespace tutti::test
