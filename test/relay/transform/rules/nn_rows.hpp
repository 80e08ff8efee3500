#pragma once

#include "row.hpp"

namespace tutti::test {

/// Rows for passes that rewrite neural networks: padding, convolutions, normalisations, scales, layouts and precision.
inline constexpr rule_row nn_rows[]{
    // Finite padding of convolutions and averages.
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 5), $T], %w: Tensor[(3, 2, 2), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2]]); "
     "nn.conv1d(%0, %w, padding=[0, 0], strides=[2]) }",
     "numbers", "", 0, "c=0,-0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 3), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2], [3, "
     "0]]); nn.conv2d(%0, %w, padding=[1, 0, 2, 1]) }",
     "numbers", "", 0, "c=0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 3), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2], [3, "
     "0]]); nn.conv2d(%0, %w, padding=[1, 0, 2, 1]) }",
     "", "numbers", 0, "c=1,max"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 4, 5, 2), $T], %w: Tensor[(2, 3, 2, 3), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [1, 2], [3, 0], [0, "
     "0]]); nn.conv2d(%0, %w, padding=[0, 0, 0, 0], data_layout=\"NHWC\", kernel_layout=\"HWIO\", dilation=[2, 1], out_dtype=\"int32\") }",
     "", "", 0, "c=0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 3, 4, 3), $T], %w: Tensor[(2, 2, 2, 2, 2), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, "
     "0], [0, 2], [1, 1]]); nn.conv3d(%0, %w, padding=[0, 0, 0, 0, 1, 0]) }",
     "numbers", "", 0, "c=0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 3), int8], %c: $T, %w1: int32, %s: float32) { %0 = nn.pad(%x, %c, "
     "pad_width=[[0, 0], [0, 0], [1, 2], [3, 0]]); qnn.conv2d(%0, %w, %w1, 3, %s, 1f, padding=[0, 1, 0, 0], channels=3, kernel_size=[2, 3], "
     "out_dtype=\"int32\") }",
     "", "", 0, "c=0,1,lowest w1=0,1,-128,255 s=0.5"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 3), int8], %c: $T, %s: float32) { %0 = nn.pad(%x, %c, "
     "pad_width=[[0, 0], [0, 0], [1, 2], [3, 0]]); qnn.conv2d(%0, %w, %c, 3, %s, 1f, padding=[0, 1, 0, 0], channels=3, kernel_size=[2, 3], "
     "out_dtype=\"int32\") }",
     "int32", "", 0, "c=0,7,-100 s=0.5"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2]]); nn.avg_pool1d(%0, "
     "pool_size=[3], padding=[0, 0], strides=[2]) }",
     "numbers", "", 0, "c=0,-0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 3]]); nn.avg_pool1d(%0, "
     "pool_size=[2], padding=[0, 0], strides=[2], ceil_mode=True) }",
     "", "numbers", 0, "c=0,-0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7, 5), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2], [3, 0]]); nn.avg_pool2d(%0, "
     "pool_size=[3, 2], padding=[1, 0, 1, 1], strides=[2, 3], ceil_mode=True, count_include_pad=True) }",
     "numbers", "", 0, "c=0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7, 5), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [1, 2], [3, 0]]); nn.avg_pool2d(%0, "
     "pool_size=[3, 2], padding=[1, 0, 1, 1]) }",
     "", "numbers", 0, "c=0"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 3, 7, 5, 2), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [1, 2], [3, 0], [0, 4], [0, 0]]); "
     "nn.avg_pool3d(%0, pool_size=[3, 2, 1], padding=[0, 0, 0, 0, 0, 0], dilation=[1, 2, 1], layout=\"NDHWC\") }",
     "numbers", "", 0, "c=0"},
    // Padding of maxima with the smallest value.
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [3, 4]]); nn.max_pool1d(%0, "
     "pool_size=[3], padding=[0, 0], strides=[2], ceil_mode=True) }",
     "ints", "floats", 0, "c=lowest"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 7, 6), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [3, 4], [0, 1]]); nn.max_pool2d(%0, "
     "pool_size=[3, 2], padding=[0, 1, 0, 0], strides=[2, 2], ceil_mode=True) }",
     "floats", "ints", 0, "c=-inf"},
    {"FoldExplicitPadding", "explicit_padding",
     "def @main(%x: Tensor[(1, 2, 4, 7, 6), $T], %c: $T) { %0 = nn.pad(%x, %c, pad_width=[[0, 0], [0, 0], [2, 1], [3, 4], [0, 1]]); "
     "nn.max_pool3d(%0, pool_size=[2, 3, 2], padding=[0, 0, 0, 0, 0, 0], strides=[1, 2, 2]) }",
     "", "", 0, "c=lowest,-inf,0,-0,nan,max"},
    {"FlattenAtrousConv", "",
     "def @main(%x: Tensor[(1, 5, 5, 4), $T], %w: Tensor[(3, 3, 4, 1), $T]) { %0 = nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[2, "
     "3], [2, 3]]); %1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0], groups=4, channels=4, kernel_size=[3, 3], data_layout=\"NHWC\", "
     "kernel_layout=\"HWOI\"); nn.batch_to_space_nd(%1, block_shape=[2, 2], crops=[[0, 1], [0, 1]]) }",
     "numbers"},
    {"FlattenAtrousConv", "",
     "def @main(%x: Tensor[(1, 6, 4, 2), $T], %w: Tensor[(1, 3, 2, 3), int8], %w1: int32) { %0 = nn.space_to_batch_nd(%x, block_shape=[3, 2], "
     "paddings=[[0, 0], [2, 2]]); %1 = qnn.conv2d(%0, %w, %w1, 2, 1f, 1f, padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 3], "
     "data_layout=\"NHWC\", kernel_layout=\"HWIO\", out_dtype=\"int32\"); nn.batch_to_space_nd(%1, block_shape=[3, 2], crops=[[0, 0], [0, 0]]) }",
     "int8 uint8 int16", "", 0, "w1=0"},
    {"FlattenAtrousConv", "",
     "def @main(%x: Tensor[(1, 6, 4, 2), $T], %w: Tensor[(1, 3, 2, 3), int8], %w1: int32) { %0 = nn.space_to_batch_nd(%x, block_shape=[3, 2], "
     "paddings=[[0, 0], [2, 2]]); %1 = qnn.conv2d(%0, %w, %w1, 2, 1f, 1f, padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 3], "
     "data_layout=\"NHWC\", kernel_layout=\"HWIO\", out_dtype=\"int32\"); nn.batch_to_space_nd(%1, block_shape=[3, 2], crops=[[0, 0], [0, 0]]) }",
     "", "int8 uint8 int16", 0, "w1=1,-128,200"},
    {"FlattenAtrousConv", "",
     "def @main(%x: Tensor[(1, 6, 4, 2), $T], %w: Tensor[(1, 1, 2, 3), int8], %w1: int32) { %0 = nn.space_to_batch_nd(%x, block_shape=[3, 2], "
     "paddings=[[0, 0], [0, 0]]); %1 = qnn.conv2d(%0, %w, %w1, 2, 1f, 1f, padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 1], "
     "data_layout=\"NHWC\", kernel_layout=\"HWIO\", out_dtype=\"int32\"); nn.batch_to_space_nd(%1, block_shape=[3, 2], crops=[[0, 0], [0, 0]]) }",
     "int8 uint8 int16", "", 0, "w1=1,-128,200"},
    {"FlattenAtrousConv", "",
     "def @main(%x: Tensor[(1, 6, 4, 2), $T], %w: Tensor[(1, 3, 2, 3), $T]) { %0 = nn.space_to_batch_nd(%x, block_shape=[3, 2], "
     "paddings=[[0, 0], [2, 2]], pad_value=1f); %1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 3], "
     "data_layout=\"NHWC\", kernel_layout=\"HWIO\"); nn.batch_to_space_nd(%1, block_shape=[3, 2], crops=[[0, 0], [0, 0]]) }",
     "", "numbers"},

    // Strength reduction.
    {"DivToMul", "divide", "def @main(%x: Tensor[(5, 8), $T], %c: $T) { divide(%x, %c) }", "floats", "ints", 2,
     "c=3,-0.7,min,1e-3,100,inf,-inf"},
    {"DivToMul", "divide", "def @main(%x: Tensor[(5, 8), $T], %c: $T) { divide(%x, %c) }", "", "numbers", 0,
     "c=subnormal,max,lowest,0,-0"},
    {"DivToMul", "divide", "def @main(%x: Tensor[(2, 8), $T], %s: Tensor[(8), $T]) { divide(%x, %s) }", "floats",
     "ints"},
    {"DivToMul", "divide", "def @main(%x: Tensor[(5, 8), $T], %c: $T) { divide(%c, %x) }", "", "numbers"},
    {"CanonicalizeOps", "nn.bias_add",
     "def @main(%x: Tensor[(2, 4, 3), $T], %x1: Tensor[(4), $T]) { nn.bias_add(%x, %x1) }", "numbers"},
    {"CanonicalizeOps", "nn.bias_add",
     "def @main(%x: Tensor[(2, 4, 3), $T], %x1: Tensor[(3), $T]) { nn.bias_add(%x, %x1, axis=-1) }", "numbers"},
    {"CanonicalizeOps", "nn.bias_add",
     "def @main(%x: Tensor[(2, 4, 3), $T], %x1: Tensor[(2), $T]) { nn.bias_add(%x, %x1, axis=-3) }", "numbers"},
    {"CanonicalizeCast", "",
     "def @main(%x: Tensor[(5, 8), $T]) { %0 = cast(%x, dtype=\"float64\"); %1 = add(%0, %0); %2 = multiply(%1, %0); (%2, %0) }",
     "bool int8 int32 float16 float32", "float64"},
    {"CanonicalizeCast", "",
     "def @main(%x: Tensor[(5, 8), $T]) { %0 = cast(%x, dtype=\"$U\"); %1 = maximum(%0, %0); %2 = minimum(%1, %0); %2 }"},

    // Approximations. The bounds are those of the float32 polynomials, relative to 1 or to the results.
    {"FastMath", "exp", "def @main(%x: Tensor[(5, 8), $T]) { exp(%x) }", "floats", "", 64},
    {"FastMath", "erf", "def @main(%x: Tensor[(5, 8), $T]) { erf(%x) }", "floats", "", 4096},
    {"FastMath", "tanh", "def @main(%x: Tensor[(5, 8), $T]) { tanh(%x) }", "floats", "", 64},
    {"FastMath", "nn.softmax", "def @main(%i: Tensor[(5, 8), $T]) { nn.softmax(%i) }", "floats", "", 64},
    {"FastMath", "nn.softmax", "def @main(%x: Tensor[(5, 8), $T]) { nn.softmax(%x, axis=0) }", "floats", "", 64},

    // Normalisations.
    {"SimplifyInference", "nn.batch_norm",
     "def @main(%i: Tensor[(2, 3, 4), $T], %w: Tensor[(3), $T], %i1: Tensor[(3), $T], %i2: Tensor[(3), $T], %s: Tensor[(3), $T]) { %0 = "
     "nn.batch_norm(%i, %w, %i1, %i2, %s); %0.0 }",
     "floats", "", 16},
    {"SimplifyInference", "nn.batch_norm",
     "def @main(%i: Tensor[(2, 4, 3), $T], %w: Tensor[(3), $T], %i1: Tensor[(3), $T], %i2: Tensor[(3), $T], %s: Tensor[(3), $T]) { %0 = "
     "nn.batch_norm(%i, %w, %i1, %i2, %s, axis=-1, epsilon=0.01f, center=False, scale=False); %0.0 }",
     "floats", "", 16},
    {"SimplifyInference", "nn.batch_norm",
     "def @main(%i: Tensor[(2, 3, 4), $T], %w: Tensor[(3), $T], %i1: Tensor[(3), $T], %i2: Tensor[(3), $T], %s: Tensor[(3), $T]) { "
     "nn.batch_norm(%i, %w, %i1, %i2, %s) }",
     "", "floats", 16},
    {"SimplifyInference", "nn.dropout", "def @main(%x: Tensor[(2, 3, 4), $T]) { %0 = nn.dropout(%x); %0.0 }", "all"},
    {"SimplifyInference", "nn.instance_norm",
     "def @main(%i: Tensor[(2, 3, 4, 5), $T], %w: Tensor[(3), $T], %i1: Tensor[(3), $T]) { nn.instance_norm(%i, %w, %i1) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.instance_norm",
     "def @main(%i: Tensor[(2, 3, 4, 5), $T], %w: Tensor[(5), $T], %i1: Tensor[(5), $T]) { nn.instance_norm(%i, %w, %i1, axis=-1, "
     "epsilon=0.1f, scale=False) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.layer_norm",
     "def @main(%i: Tensor[(2, 3, 5), $T], %w: Tensor[(5), $T], %i1: Tensor[(5), $T]) { nn.layer_norm(%i, %w, %i1) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.layer_norm",
     "def @main(%i: Tensor[(2, 3, 4), $T], %w: Tensor[(3), $T], %i1: Tensor[(3), $T]) { nn.layer_norm(%i, %w, %i1, axis=1, "
     "epsilon=0.1f, center=False) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.group_norm",
     "def @main(%i: Tensor[(2, 6, 4, 3), $T], %w: Tensor[(6), $T], %i1: Tensor[(6), $T]) { nn.group_norm(%i, %w, %i1, num_groups=3) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.group_norm",
     "def @main(%i: Tensor[(2, 3, 4), $T], %w: Tensor[(4), $T], %i1: Tensor[(4), $T]) { nn.group_norm(%i, %w, %i1, num_groups=2, axis=-1, "
     "epsilon=0.1f, scale=False) }",
     "floats", "", 32},
    {"SimplifyInference", "nn.l2_normalize",
     "def @main(%i: Tensor[(2, 3, 4), $T]) { nn.l2_normalize(%i, eps=0.001f, axis=[1]) }", "floats", "", 16},
    {"SimplifyInference", "nn.l2_normalize",
     "def @main(%x: Tensor[(2, 3, 4), $T]) { nn.l2_normalize(%x, eps=0.001f, axis=[1, -1]) }", "floats", "", 16},

    // Scales.
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %w1: Tensor[(3, 1, 1), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); multiply(%0, %w1) }",
     "floats", "ints", 8},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %i1: Tensor[(3, 1, 1), $T], %s: Tensor[(3, 1, 1), $T]) { %0 = "
     "nn.conv2d(%i, %w, padding=[0, 0, 0, 0]); %1 = add(%0, %i1); %2 = nn.relu(%1); multiply(%2, %s) }",
     "float32 float64", "ints", 8},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(3, 1, 1), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); %1 = nn.relu(%0); multiply(%1, %c) }",
     "", "numbers", 8, "c=1,-1,2"},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(3, 1, 1), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); %1 = nn.relu(%0); multiply(%1, %c) }",
     "float32 float64", "", 8, "c=1,0,-0"},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(3, 1, 1), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); %1 = nn.relu(%0); multiply(%1, %c) }",
     "", "numbers", 8, "c=1,inf,nan"},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(3, 1, 1), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); multiply(%0, %c) }",
     "", "numbers", 8, "c=1,inf,nan,-inf"},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(4, 3), $T], %w: Tensor[(5, 3), $T], %c: Tensor[(5), $T]) { %0 = nn.dense(%i, %w, units=5); %1 = nn.leaky_relu(%0, "
     "alpha=0.5f); multiply(%c, %1) }",
     "float32 float64", "ints", 8, "c=1,0.5,2,3,0"},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(4, 3), $T], %w: Tensor[(5, 3), $T], %w1: $T) { %0 = nn.dense(%i, %w, units=5); multiply(%0, %w1) }",
     "floats", "ints", 8},
    {"BackwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %w1: Tensor[(3, 3, 3), $T]) { %0 = nn.conv2d(%i, %w, padding=[0, 0, "
     "0, 0]); multiply(%0, %w1) }",
     "", "numbers", 8},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %w1: Tensor[(2, 1, 1), $T]) { %0 = multiply(%i, %w1); "
     "nn.conv2d(%0, %w, padding=[1, 1, 1, 1]) }",
     "floats", "ints", 8},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %s: Tensor[(2, 1, 1), $T], %i1: Tensor[(2, 1, 1), $T]) { %0 = "
     "multiply(%i, %s); %1 = add(%0, %i1); %2 = nn.relu(%1); nn.conv2d(%2, %w, padding=[1, 1, 1, 1]) }",
     "float32 float64", "ints", 8},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(2, 1, 1), $T]) { %0 = multiply(%i, %c); %1 = "
     "nn.relu(%0); nn.conv2d(%1, %w, padding=[1, 1, 1, 1]) }",
     "", "numbers", 8, "c=1,-1"},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(2, 1, 1), $T]) { %0 = multiply(%i, %c); %1 = "
     "nn.relu(%0); nn.conv2d(%1, %w, padding=[1, 1, 1, 1]) }",
     "", "numbers", 8, "c=1,inf,nan"},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %c: Tensor[(2, 1, 1), $T], %i1: Tensor[(2, 1, 1), $T]) { %0 = "
     "multiply(%i, %c); %1 = add(%0, %i1); nn.conv2d(%1, %w, padding=[0, 0, 0, 0]) }",
     "", "", 8, "c=1,subnormal,0,max,inf,nan"},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(4, 3), $T], %w: Tensor[(5, 3), $T], %c: Tensor[(3), $T]) { %0 = multiply(%i, %c); nn.dense(%0, %w, units=5) }",
     "", "", 8, "c=1,inf,nan,0"},
    {"ForwardFoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %w1: Tensor[(2, 1, 4), $T]) { %0 = multiply(%i, %w1); "
     "nn.conv2d(%0, %w, padding=[1, 1, 1, 1]) }",
     "", "numbers", 8},
    {"FoldScaleAxis", "",
     "def @main(%i: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %w1: Tensor[(2, 1, 1), $T], %s: Tensor[(3, 1, 1), $T]) { %0 = "
     "multiply(%i, %w1); %1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0]); multiply(%1, %s) }",
     "floats", "ints", 16},

    // Parallel branches.
    {"CombineParallelConv2D{min_num_branches=2}", "",
     "def @main(%x: Tensor[(1, 2, 4, 4), $T], %w: Tensor[(3, 2, 1, 1), $T], %w1: Tensor[(5, 2, 1, 1), $T], %i: Tensor[(5, 1, 1), $T]) { %0 = "
     "nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=3, kernel_size=[1, 1]); %1 = nn.conv2d(%x, %w1, padding=[0, 0, 0, 0], channels=5, "
     "kernel_size=[1, 1]); %2 = add(%1, %i); %3 = nn.relu(%0); (%3, %2) }",
     "numbers"},
    {"CombineParallelDense{min_num_branches=2}", "",
     "def @main(%x: Tensor[(3, 4), $T], %w: Tensor[(5, 4), $T], %w1: Tensor[(5, 4), $T], %i: Tensor[(1), $T]) { %0 = nn.dense(%x, %w, "
     "units=5); %1 = nn.dense(%x, %w1, units=5); %2 = add(%0, %i); %3 = add(%1, %i); (%2, %3) }",
     "numbers"},
    {"CombineParallelDense{min_num_branches=2,to_batch=False}", "",
     "def @main(%x: Tensor[(3, 4), $T], %w: Tensor[(5, 4), $T], %w1: Tensor[(6, 4), $T], %i: Tensor[(1), $T], %i1: Tensor[(6), $T]) { %0 = "
     "nn.dense(%x, %w, units=5); %1 = nn.dense(%x, %w1, units=6); %2 = add(%0, %i); %3 = add(%1, %i1); (%2, %3) }",
     "numbers"},
    {"CombineParallelBatchMatmul{min_num_branches=2}", "",
     "def @main(%x: Tensor[(2, 3, 4), $T], %w: Tensor[(2, 5, 4), $T], %w1: Tensor[(2, 6, 4), $T]) { %0 = nn.batch_matmul(%x, %w, "
     "transpose_b=True); %1 = nn.batch_matmul(%x, %w1, transpose_b=True); (%0, %1) }",
     "numbers"},

    // Layouts.
    {"ConvertLayout{nn.conv2d=[NHWC,HWIO]}", "",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 2), $T], %i: Tensor[(3), $T]) { %0 = nn.conv2d(%x, %w, padding=[1, 0, 1, 0]); "
     "%1 = nn.bias_add(%0, %i); %2 = nn.relu(%1); nn.max_pool2d(%2, pool_size=[2, 2], padding=[0, 0, 0, 0], ceil_mode=True) }",
     "floats", "", 4},
    {"ConvertLayout{nn.conv2d=[NCHW,OIHW]}", "",
     "def @main(%i: Tensor[(1, 5, 4, 2), $T], %w: Tensor[(2, 2, 2, 4), $T]) { %0 = nn.conv2d(%i, %w, padding=[1, 0, 1, 0], channels=4, "
     "kernel_size=[2, 2], data_layout=\"NHWC\", kernel_layout=\"HWIO\"); mean(%0, axis=[-1], keepdims=True) }",
     "floats", "", 8},
    {"ConvertLayout{qnn.conv2d=[NHWC,HWIO]}", "",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(3, 2, 2, 2), int8], %w1: Tensor[(3), int32], %s: Tensor[(3), float32]) { %0 = "
     "qnn.conv2d(%x, %w, 3, %w1, 0.5f, %s, padding=[1, 0, 1, 0], channels=3, kernel_size=[2, 2], out_dtype=\"int32\"); qnn.requantize(%0, "
     "0.25f, 0, 0.5f, -3, axis=1, out_dtype=\"int8\") }",
     "int8 uint8"},
    {"AlterOpLayout", "",
     "def @main(%x: Tensor[(1, 2, 5, 4), $T], %w: Tensor[(4, 2, 2, 2), $T], %i: Tensor[(4, 1, 1), $T]) { %0 = nn.conv2d(%x, %w, padding=[1, 0, 1, "
     "0]); %1 = add(%0, %i); %2 = nn.relu(%1); nn.avg_pool2d(%2, pool_size=[2, 2], padding=[0, 0, 0, 0]) }",
     "floats", "", 4},

    // Mixed precision. The bound is eight float16 ulps, which are 65,536 float32 ulps.
    {"ToMixedPrecision", "",
     "def @main(%i: Tensor[(1, 2, 5, 4), float32], %w: Tensor[(4, 2, 2, 2), float32], %i1: Tensor[(4, 1, 1), float32]) { %0 = nn.conv2d(%i, %w, "
     "padding=[1, 0, 1, 0]); %1 = add(%0, %i1); %2 = nn.relu(%1); nn.avg_pool2d(%2, pool_size=[2, 2], padding=[0, 0, 0, 0]) }",
     "float32", "", 65536},
    {"ToMixedPrecision", "",
     "def @main(%i: Tensor[(3, 4), float32], %w: Tensor[(5, 4), float32]) { %0 = nn.dense(%i, %w, units=None); %1 = sigmoid(%0); nn.softmax(%1) }",
     "float32", "", 65536},
    {"ToMixedPrecision{mixed_precision_type=float64}", "",
     "def @main(%i: Tensor[(3, 4), float32], %w: Tensor[(5, 4), float32]) { nn.dense(%i, %w, units=None) }", "float32",
     "", 4},
    {"ToMixedPrecision", "",
     "def @main(%i: Tensor[(3, 4), $T], %w: Tensor[(5, 4), $T]) { nn.dense(%i, %w, units=None) }", "float32", "ints",
     65536},
    {"ToMixedPrecision", "", "def @main(%x: Tensor[(5, 8), $T]) { %0 = maximum(%x, %x); add(%0, %x) }", "", "ints",
     65536},
};

} // namespace tutti::test
