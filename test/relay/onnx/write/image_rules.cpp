#include <tutti/relay/onnx/write/image_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::string_view line = "%x: Tensor[(1, 2, 5), T]", image = "%x: Tensor[(2, 3, 4, 5), T]",
                           image_last = "%x: Tensor[(2, 4, 5, 3), T]", volume = "%x: Tensor[(1, 2, 3, 4, 2), T]";

constexpr round_trip rows[]{
    {"%x: Tensor[(2, 3, 4, 5), T], %s: Tensor[(2), int64]",
     "dyn.image.resize2d(%x, %s, full(0f, shape=[0]), size=[?, ?], roi=[])", "float32", elements::positive},
    {"%x: Tensor[(2, 3, 4, 5), T], %s: Tensor[(2), int32]",
     "dyn.image.resize2d(%x, %s, full(0f, shape=[0]), size=[?, ?], roi=[], method=\"nearest_neighbor\", "
     "coordinate_transformation_mode=\"asymmetric\", rounding_method=\"floor\")",
     "float32", elements::positive},
    {"%x: Tensor[(2, 3, 4, 5), T], %s: Tensor[(2), int64], %r: Tensor[(4), float32]",
     "dyn.image.resize2d(%x, %s, multiply(%r, 0.25f), size=[?, ?], roi=[], "
     "coordinate_transformation_mode=\"tf_crop_and_resize\", extrapolation_value=1.5f64)",
     "float32", elements::positive},
    {"%x: Tensor[(2, 3, 4, 5), T], %g: Tensor[(2, 2, 3, 6), T]",
     "image.grid_sample(%x, multiply(%g, cast(0.25f, "
     "dtype=\"T\")))",
     "float32"},
    {"%x: Tensor[(2, 3, 4, 5), T], %g: Tensor[(2, 2, 3, 6), T]",
     "image.grid_sample(%x, %g, method=\"nearest\", padding_mode=\"border\", align_corners=False)", "float32",
     elements::any},
    {"%x: Tensor[(2, 3, 4, 5), T], %g: Tensor[(2, 2, 3, 6), T]",
     "image.grid_sample(%x, %g, method=\"bicubic\", padding_mode=\"reflection\")", "float32", elements::any},
    {"%x: Tensor[(2, 3, 4, 5), T], %g: Tensor[(2, 2, 3, 6), T]", "image.grid_sample(%x, %g)", "float32", elements::any,
     0, 20},
    {line, "image.resize1d(%x, size=[8], layout=\"NCW\")", "float32"},
    {line,
     "image.resize1d(%x, size=[3], layout=\"NCW\", method=\"nearest_neighbor\", rounding_method=\"round_prefer_floor\")",
     "float32"},
    {image, "image.resize2d(%x, size=[7, 3])", "float32 float64"},
    {image, "image.resize2d(%x, size=[7, 3], coordinate_transformation_mode=\"align_corners\")", "float32"},
    {image,
     "image.resize2d(%x, size=[8, 10], method=\"nearest_neighbor\", "
     "coordinate_transformation_mode=\"asymmetric\")",
     "float32 int8"},
    {image, "image.resize2d(%x, size=[3, 9], method=\"nearest_neighbor\", rounding_method=\"ceil\")", "float32"},
    {image, "image.resize2d(%x, size=[9, 4], method=\"nearest_neighbor\", rounding_method=\"\")", "float32"},
    {image,
     "image.resize2d(%x, size=[9, 4], method=\"nearest_neighbor\", rounding_method=\"\", "
     "coordinate_transformation_mode=\"align_corners\")",
     "float32"},
    {image, "image.resize2d(%x, size=[9, 4], method=\"bilinear\")", "float32 int8"},
    {image, "image.resize2d(%x, size=[9, 4], out_dtype=\"int8\")", "float32"},
    {image, "image.resize2d(%x, size=[6, 8], method=\"cubic\", cubic_alpha=-0.75f64)", "float32"},
    {image, "image.resize2d(%x, size=[3, 8], method=\"cubic\", cubic_exclude=1)", "float32"},
    {image_last, "image.resize2d(%x, size=[6, 8], layout=\"NHWC\", out_dtype=\"float32\")", "float32 int8"},
    {image,
     "image.resize2d(%x, size=[3, 4], roi=[0.25f64, 0.1f64, 0.75f64, 1.2f64], "
     "coordinate_transformation_mode=\"tf_crop_and_resize\", extrapolation_value=2f64)",
     "float32"},
    {volume, "image.resize3d(%x, size=[4, 4, 4])", "float32"},
    {volume,
     "image.resize3d(%x, size=[5, 2, 4], method=\"nearest_neighbor\", "
     "coordinate_transformation_mode=\"asymmetric\", rounding_method=\"floor\")",
     "float32"},
    {volume,
     "image.resize3d(%x, size=[3, 3, 3], roi=[0f64, 0.25f64, 0.5f64, 1f64, 0.75f64, 1.5f64], "
     "coordinate_transformation_mode=\"tf_crop_and_resize\")",
     "float32"},
    {image, "nn.upsampling(%x, scale_h=2f64, scale_w=3f64)", "float32 int8"},
    {image, "nn.upsampling(%x, scale_h=1.75f64, scale_w=1.4f64, align_corners=True)", "float32"},
    {image, "nn.upsampling(%x, scale_h=2f64, scale_w=1.5f64, method=\"bilinear\")", "float32"},
    {image, "nn.upsampling(%x, scale_h=2f64, scale_w=2f64, method=\"bilinear\", align_corners=True)", "float32"},
    {image_last, "nn.upsampling(%x, scale_h=2f64, scale_w=2f64, layout=\"NHWC\", method=\"bicubic\")", "float32"},
    {"%x: Tensor[(3, 2, 6, 8), T], %r: Tensor[(1, 5), T]",
     "vision.roi_align(%x, subtract(%r, cast(0.25f, dtype=\"T\")), pooled_size=[2, 3], spatial_scale=0.5f64)",
     "float32", elements::positive},
    {"%x: Tensor[(5, 2, 6, 8), T], %r: Tensor[(2, 5), T]",
     "vision.roi_align(%x, %r, pooled_size=[2, 2], spatial_scale=1f64, sample_ratio=2, mode=\"max\")", "float32",
     elements::positive},
    {"%x: Tensor[(5, 2, 6, 8), T], %r: Tensor[(2, 5), T]",
     "vision.roi_pool(%x, %r, pooled_size=[2, 3], spatial_scale=0.5f64)", "float32", elements::positive},
};

std::string refusal(const std::string& parameters, const std::string& body) {
    return refused([&] { nodes_of(program_of("def @main(" + parameters + ") { " + body + " }")); });
}

} // namespace

TEST_CASE("image_rules: written operators compute the same", "[relay][onnx][image_rules]") {
    for (const round_trip& row : rows) CHECK(change_of(row) == "");
}

TEST_CASE("image_rules: every rule has a program", "[relay][onnx][image_rules]") {
    CHECK(rules_without_row(relay::onnx::detail::written::image_rules, rows) == "");
}

TEST_CASE("image_rules: a resize to known sizes has no region and no scales", "[relay][onnx][image_rules]") {
    CHECK(nodes_of(program_of("def @main(%x: Tensor[(1, 2, 4, 5), float32]) { image.resize2d(%x, size=[7, 3]) }")) ==
          "Resize(x, , , constant) -> out_0\n");
    CHECK(nodes_of(program_of("def @main(%x: Tensor[(1, 4, 5, 2), float32]) "
                              "{ image.resize2d(%x, size=[7, 3], layout=\"NHWC\") }")) ==
          "Transpose(x) -> Transpose\nResize(Transpose, , , constant) -> Resize\nTranspose(Resize) -> out_0\n");
}

TEST_CASE("image_rules: volumes are sampled since version 20", "[relay][onnx][image_rules]") {
    const auto m = program_of("def @main(%x: Tensor[(1, 2, 3, 4, 5), float32], %g: Tensor[(1, 3, 2, 3, 4), float32]) "
                              "{ image.grid_sample(%x, %g, layout=\"NCDHW\") }");
    CHECK(nodes_of(m) == "Transpose(g) -> Transpose\nGridSample(x, Transpose) -> out_0\n");
    CHECK(model_of(model_bytes(m)).opset() == 20);
}

TEST_CASE("image_rules: forms that ONNX does not have", "[relay][onnx][image_rules]") {
    CHECK(refusal("%x: Tensor[(1, 2, ?, 5), float32]", "nn.upsampling(%x, scale_h=2f64, scale_w=3f64)") ==
          "cannot be written as ONNX: nn.upsampling: unknown sizes; expected known ones");
    CHECK(refusal("%x: Tensor[(1, 2, 4, 5), float32]",
                  "image.resize2d(%x, size=[2, 3], coordinate_transformation_mode=\"tf_half_pixel_for_nn\")") ==
          "cannot be written as ONNX: image.resize2d: tf_half_pixel_for_nn; expected half_pixel");
    CHECK(refusal("%x: Tensor[(1, 4, 5, 2), float32], %r: Tensor[(1, 5), float32]",
                  "vision.roi_align(%x, %r, pooled_size=[2, 2], spatial_scale=1f64, layout=\"NHWC\")") ==
          "cannot be written as ONNX: vision.roi_align: layout NHWC; expected NCHW");
}
