#include <tutti/relay/onnx/write/shape_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::string_view x = "%x: Tensor[(2, 3, 4), T]", open = "%x: Tensor[(2, ?, 4), T]",
                           all_open = "%x: Tensor[(?, ?, ?), T]", image = "%x: Tensor[(1, 8, 4, 6), T]",
                           image_last = "%x: Tensor[(1, 4, 6, 8), T]";
constexpr std::string_view types = "float32 int64 uint8 bool", numbers = "float16 float32 int32 int64";

constexpr round_trip rows[]{
    {"", "arange(2i64, 20i64, 3i64, dtype=\"int64\")"},
    {"", "arange(0f, 2f, 0.5f, dtype=\"float32\")"},
    {"", "arange(5, 0, -1, dtype=\"int32\")"},
    {"%n: T", "arange(0, %n, 1, dtype=\"int32\")", "int32", elements::positive},
    {x, "broadcast_to(%x, shape=[5, 2, 3, 4])", types},
    {"%x: T", "broadcast_to(%x, shape=[2, 3])", types},
    {"%x: Tensor[(1, 3), T]", "broadcast_to(%x, shape=[0, 3])", "float32"},
    {"%x: Tensor[(3, 1), T], %y: Tensor[(2, 3, 4), T]", "broadcast_to_like(%x, %y)", types},
    {"%x: Tensor[(3, 1), T], %y: Tensor[(2, ?, ?), float32]", "broadcast_to_like(%x, %y)", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %y: Tensor[(3, 1), T]", "collapse_sum_like(%x, %y)", "float32"},
    {"%x: Tensor[(2, 3, 4), T], %y: Tensor[(3, 1), T]",
     "collapse_sum_to(%x, shape_of(%y, dtype=\"int64\"), shape=[3, 1], dtype=\"T\")", "float32"},
    {"%x: Tensor[(2, 3), T]", "dyn.expand_dims(%x, 1i64)", "float32"},
    {"%x: Tensor[(2, 1, 3), T]", "dyn.squeeze(%x, full(1i64, shape=[1]), axis=[1])", "float32"},
    {"%x: Tensor[(2), T], %y: Tensor[(3), T]", "meshgrid((%x, %y))", "float32 int64"},
    {"%x: Tensor[(2, 3), T], %y: Tensor[(2, ?), T]", "concatenate((%x, %y), axis=1)", types},
    {"%x: Tensor[(2, 3), T], %y: Tensor[(0, 3), T]", "concatenate((%x, %y, %x), axis=-2)", types},
    {"%x: Tensor[(2, 3), T]", "concatenate((%x,), axis=-1)", "float32"},
    {x, "contrib_reverse_reshape(%x, newshape=[-1, 0])", "float32"},
    {"%x: Tensor[(?, 3, 4), T]", "contrib_reverse_reshape(%x, newshape=[-1, 2, 2])", "float32"},
    {"%x: Tensor[(3, 1), T], %y: Tensor[(2, 3, 4), float32]",
     "dyn.broadcast_to(%x, shape_of(%y, dtype=\"int64\"), shape=[?, ?, ?])", types},
    {"%v: T, %y: Tensor[(2, ?), float32]",
     "dyn.full(%v, shape_of(%y, dtype=\"int64\"), shape=[?, ?], dtype=\"float32\")", "float32 int32"},
    {"%x: Tensor[(2, 3), T], %w: Tensor[(2, 2), int64]", "dyn.nn.pad(%x, %w, 5f, pad_width=[[?, ?], [?, ?]])",
     "float32", elements::positive},
    {"%x: Tensor[(5, 6), T], %w: Tensor[(2, 2), int32]",
     "dyn.nn.pad(%x, %w, cast(1, dtype=\"T\"), pad_width=[[?, ?], [?, ?]], pad_mode=\"reflect\")", "float32 int32",
     elements::positive},
    {"%y: Tensor[(2, ?), float32]", "dyn.ones(shape_of(%y, dtype=\"int64\"), shape=[?, ?], dtype=\"T\")",
     "float32 int8"},
    {"%x: Tensor[(2, 6), T], %y: Tensor[(3, 4), float32]",
     "dyn.reshape(%x, shape_of(%y, dtype=\"int64\"), newshape=[?, ?])", types},
    {"%x: Tensor[(0, 6), T], %y: Tensor[(3, 0), float32]",
     "dyn.reshape(%x, shape_of(%y, dtype=\"int64\"), newshape=[?, ?], allowzero=True)", "float32"},
    {"%x: Tensor[(9, 8), T], %b: Tensor[(2), int64]",
     "dyn.strided_slice(%x, %b, add(%b, 4i64), full(2i64, shape=[2]), begin=[?, ?], end=[?, ?], strides=[?, ?], "
     "axes=[0, 1])",
     types},
    {"%x: Tensor[(2, 3), T], %r: Tensor[(2), int64]", "dyn.tile(%x, %r, reps=[?, ?])", types, elements::positive},
    {"%y: Tensor[(2, ?), float32]", "dyn.zeros(shape_of(%y, dtype=\"int64\"), shape=[?, ?], dtype=\"T\")",
     "float32 int8"},
    {open, "expand_dims(%x, axis=1, num_newaxis=2)", types},
    {open, "expand_dims(%x, axis=-1)", types},
    {open, "expand_dims(%x, axis=-2, num_newaxis=2)", types},
    {open, "expand_dims(%x, axis=0, num_newaxis=0)", "float32"},
    {"%x: T", "expand_dims(%x, axis=0, num_newaxis=3)", "float32"},
    {"%v: T", "full(%v, shape=[2, 3])", types},
    {"%v: T", "full(%v, shape=[], dtype=\"float32\")", "float32 int32"},
    {"%v: T", "full(%v, shape=[0, 2], dtype=\"int8\")", "float32 int32"},
    {open, "full_like(%x, cast(3, dtype=\"T\"))", types},
    {open, "ndarray_size(%x, dtype=\"int32\")", types},
    {"%x: Tensor[(2, 3, 4, 5), T]", "nn.batch_flatten(%x)", "float32 int8"},
    {"%x: Tensor[(?, 3, 4, 5), T]", "nn.batch_flatten(%x)", "float32"},
    {image, "nn.depth_to_space(%x, block_size=2)", "float32 int8"},
    {image, "nn.depth_to_space(%x, block_size=2, mode=\"CRD\")", "float32"},
    {image_last, "nn.depth_to_space(%x, block_size=2, layout=\"NHWC\", mode=\"CRD\")", "float32"},
    {x, "nn.mirror_pad(%x, mode=\"REFLECT\", pad_width=[[0, 0], [1, 2], [3, 0]])", "float32 int32"},
    {x, "nn.pad(%x, 2.5f, pad_width=[[0, 0], [1, 2], [3, 0]])", "float32"},
    {x, "nn.pad(%x, cast(1, dtype=\"T\"), pad_width=[[1, 0], [1, 2], [3, 0]])", "float16 int8 int64"},
    {open, "nn.pad(%x, 0f, pad_width=[[0, 1], [1, 2], [3, 0]], pad_mode=\"edge\")", "float32 int8"},
    {x, "nn.pad(%x, 0f, pad_width=[[0, 1], [1, 2], [3, 0]], pad_mode=\"reflect\")", "float32 int64"},
    {"%x: Tensor[(0, 2), T]", "nn.pad(%x, 0f, pad_width=[[1, 1], [0, 1]])", "float32"},
    {image, "nn.space_to_depth(%x, block_size=2)", "float32 int8"},
    {image_last, "nn.space_to_depth(%x, block_size=2, layout=\"NHWC\")", "float32"},
    {"", "ones(shape=[2, 3], dtype=\"T\")", types},
    {open, "ones_like(%x)", types},
    {x, "repeat(%x, repeats=2, axis=1)", types},
    {x, "repeat(%x, repeats=3)", types},
    {open, "repeat(%x, repeats=3)", "float32"},
    {open, "repeat(%x, repeats=3, axis=-2)", "float32"},
    {open, "repeat(%x, repeats=2, axis=2)", "float32"},
    {"%x: Tensor[(2), T]", "repeat(%x, repeats=1, axis=0)", "float32"},
    {x, "reshape(%x, newshape=[4, -1])", types},
    {x, "reshape(%x, newshape=[0, -3, 1])", "float32"},
    {x, "reshape(%x, newshape=[-4, 1, 2, -2])", "float32"},
    {open, "reshape(%x, newshape=[4, -1])", types},
    {all_open, "reshape(%x, newshape=[0, 0, 1, -1])", "float32"},
    {all_open, "reshape(%x, newshape=[-3, -2])", "float32"},
    {all_open, "reshape(%x, newshape=[-2, 1])", "float32"},
    {"%x: Tensor[(?, 6, ?), T]", "reshape(%x, newshape=[0, -4, 2, -1, 0])", "float32"},
    {"%x: Tensor[(0, 3), T]", "reshape(%x, newshape=[3, 0, 2], allowzero=True)", "float32"},
    {"%x: T", "reshape(%x, newshape=[1, 1])", "float32"},
    {"%x: Tensor[(1, 1), T]", "reshape(%x, newshape=[])", "float32"},
    {"%x: Tensor[(2, 6), T], %y: Tensor[(3, 4), float32]", "reshape_like(%x, %y)", types},
    {"%x: Tensor[(9), T], %y: Tensor[(?, ?), float32]", "reshape_like(%x, %y)", "float32"},
    {"%x: Tensor[(2, 6), T], %y: Tensor[(5, 2, 3), float32]",
     "reshape_like(%x, %y, lhs_begin=1, rhs_begin=1, rhs_end=3)", "float32"},
    {"%x: Tensor[(?, 6), T], %y: Tensor[(5, 2, 3), float32]",
     "reshape_like(%x, %y, lhs_begin=1, rhs_begin=1, rhs_end=3)", "float32"},
    {open, "reverse(%x, axis=1)", types},
    {open, "reverse(%x, axis=-1)", types},
    {"%x: Tensor[(5, 4, 2), T], %n: Tensor[(4), int64]", "reverse_sequence(%x, %n, seq_axis=0, batch_axis=1)", types,
     elements::positive},
    {"%x: Tensor[(3, 5), T], %n: Tensor[(3), int32]", "reverse_sequence(%x, %n, seq_axis=-1, batch_axis=0)", types,
     elements::positive},
    {open, "shape_of(%x, dtype=\"int32\")", types},
    {"%x: T", "shape_of(%x, dtype=\"int64\")", "float32"},
    {"%x: Tensor[(5, 6), T], %y: Tensor[(2, 3), float32]", "slice_like(%x, %y, axes=None)", types},
    {"%x: Tensor[(5, ?, 6), T], %y: Tensor[(2, 9, 3), float32]", "slice_like(%x, %y, axes=[-1, 0])", types},
    {"%x: Tensor[(5, ?, 6), T], %y: Tensor[(2, ?), float32]", "slice_like(%x, %y, axes=None)", "float32"},
    {x, "split(%x, indices_or_sections=2, axis=2)", types},
    {x, "split(%x, indices_or_sections=[1, 3], axis=-1)", types},
    {x, "split(%x, indices_or_sections=1, axis=0)", "float32"},
    {"%x: Tensor[(1, ?, 1), T]", "squeeze(%x, axis=[0, -1])", types},
    {"%x: Tensor[(1, 3, 1), T]", "squeeze(%x)", types},
    {x, "squeeze(%x)", "float32"},
    {open, "stack((%x, %x), axis=1)", types},
    {open, "stack((%x, %x, %x), axis=-1)", types},
    {"%x: T", "stack((%x, %x), axis=0)", "float32"},
    {x, "stack((%x,), axis=0)", "float32"},
    {x, "strided_slice(%x, begin=[0, 1, 1], end=[2, 3, 4], strides=[1], axes=None)", types},
    {x, "strided_slice(%x, begin=[0, 2, -1], end=[2, -9, 0], strides=[1, -1, -2], axes=None)", types},
    {x, "strided_slice(%x, begin=[1, 0], end=[-1, 2], strides=[1], axes=[2, -2])", types},
    {x, "strided_slice(%x, begin=[0, 1, 1], end=[1, -1, 2], strides=[1], slice_mode=\"size\", axes=None)", types},
    {x, "strided_slice(%x, begin=[2, 0, 0], end=[2, 3, 4], strides=[1], axes=None)", "float32"},
    {open, "strided_slice(%x, begin=[0, 1], end=[2, 3], strides=[1], axes=None)", types},
    {open, "strided_slice(%x, begin=[0, -1, 0], end=[2, -9, 4], strides=[1, -1, 3], axes=None)", types},
    {open, "strided_slice(%x, begin=[0, 1], end=[2, -1], strides=[1, 1], slice_mode=\"size\", axes=None)", "float32"},
    {x, "tile(%x, reps=[2])", types},
    {open, "tile(%x, reps=[2, 1, 1, 3])", types},
    {"%x: T", "tile(%x, reps=[2, 3])", "float32"},
    {"%x: Tensor[(2, 3, 4, 5), T]", "layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NHWC\")", types},
    {"%x: Tensor[(2, 3, ?, 5), T]", "layout_transform(%x, src_layout=\"NHWC\", dst_layout=\"CHNW\")", "float32"},
    {"%x: Tensor[(2, 6, 3, 4), T]", "layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NHWC3c\")", "float32"},
    {"%x: Tensor[(2, 4, 3, 4, 3), T]", "layout_transform(%x, src_layout=\"NCHW3c\", dst_layout=\"NHWC\")", "float32"},
    {"%x: Tensor[(2, 4, 3, 4, 3), T]", "layout_transform(%x, src_layout=\"NCHW3c\", dst_layout=\"NW2wHC6c\")",
     "float32"},
    {"%x: Tensor[(2, 2, 3, 3, 2), T]", "layout_transform(%x, src_layout=\"HIO3i2o\", dst_layout=\"OIH\")", "float32"},
    {open, "transpose(%x, axes=[0, 2, 1])", types},
    {open, "transpose(%x, axes=[-1, 0, -2])", types},
    {open, "transpose(%x, axes=None)", types},
    {open, "transpose(%x, axes=[0, 1, 2])", "float32"},
    {"", "zeros(shape=[2, 3], dtype=\"T\")", types},
    {"", "zeros(shape=[], dtype=\"T\")", types},
    {open, "zeros_like(%x)", types},
};

std::string nodes(const std::string& parameters, const std::string& body) {
    return nodes_of(program_of("def @main(" + parameters + ") { " + body + " }"));
}
std::string refusal(const std::string& parameters, const std::string& body) {
    return refused([&] { nodes(parameters, body); });
}
std::string constants(const std::string& parameters, const std::string& body) {
    return constants_of(program_of("def @main(" + parameters + ") { " + body + " }"));
}

} // namespace

TEST_CASE("shape_rules: written operators compute the same", "[relay][onnx][shape_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("shape_rules: every rule has a program", "[relay][onnx][shape_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::shape_rules, rows) == "");
}

TEST_CASE("shape_rules: slices have exact bounds, of the axes that change", "[relay][onnx][shape_rules]") {
    const auto bounds = [](const std::string& how) {
        return constants("%x: Tensor[(4, 5), float32]", "strided_slice(%x, " + how + ", axes=None)");
    };
    CHECK(
        nodes("%x: Tensor[(4, 5), float32]", "strided_slice(%x, begin=[0, 1], end=[9, -1], strides=[1], axes=None)") ==
        "Slice(x, constant, constant_1, constant, constant) -> out_0\n");
    CHECK(bounds("begin=[0, 1], end=[9, -1], strides=[1]") == "[1][4]");
    CHECK(bounds("begin=[-3, -2], end=[9, 9], strides=[2, 1]") == "[1, 3][5, 5][0, 1][2, 1]");
    CHECK(bounds("begin=[-1], end=[-9], strides=[-1]") == "[3][-1152921504606846975][0][-1]");
    CHECK(nodes("%x: Tensor[(4, 5), float32]", "strided_slice(%x, begin=[0, 0], end=[4, 7], strides=[1], axes=None)") ==
          "Identity(x) -> out_0\n");
}

TEST_CASE("shape_rules: a reshape to known sizes is one node", "[relay][onnx][shape_rules]") {
    CHECK(nodes("%x: Tensor[(2, 6), float32]", "reshape(%x, newshape=[-3])") == "Reshape(x, constant) -> out_0\n");
    CHECK(constants("%x: Tensor[(2, 6), float32]", "reshape(%x, newshape=[0, -4, 2, -1])") == "[2, 2, 3]");
    CHECK(constants("%x: Tensor[(?, 6), float32]", "reshape(%x, newshape=[0, -4, 2, -1])") == "[-1, 2, 3]");
}

TEST_CASE("shape_rules: equal parts of an unknown size need version 18", "[relay][onnx][shape_rules]") {
    const std::string parameters = "%x: Tensor[(2, ?), float32]";
    CHECK(nodes(parameters, "split(%x, indices_or_sections=3, axis=1)") == "Split(x) -> out_0 out_1 out_2\n");
    const auto split = program_of("def @main(" + parameters + ") { split(%x, indices_or_sections=3, axis=1) }");
    CHECK(model_of(model_bytes(split)).opset() == 18);
    CHECK(refusal(parameters, "split(%x, indices_or_sections=[1, 2], axis=1)") ==
          "cannot be written as ONNX: split: parts of unknown size; expected equal parts, or known sizes");
}

TEST_CASE("shape_rules: forms that ONNX does not have", "[relay][onnx][shape_rules]") {
    CHECK(refusal("%x: Tensor[(2, 3), float32]", "nn.mirror_pad(%x, mode=\"SYMMETRIC\", pad_width=[[1, 1], [0, 0]])") ==
          "cannot be written as ONNX: nn.mirror_pad: mode SYMMETRIC; expected constant, edge or reflect");
    CHECK(refusal("%x: Tensor[(1, 2, 4, 4), float32]", "nn.space_to_depth(%x, block_size=2, mode=\"CRD\")") ==
          "cannot be written as ONNX: nn.space_to_depth: mode CRD; expected DCR");
    CHECK(refusal("%x: Tensor[(2, ?, ?), float32]", "repeat(%x, repeats=2, axis=1)") ==
          "cannot be written as ONNX: repeat: unknown sizes after the axis; expected known ones");
}
