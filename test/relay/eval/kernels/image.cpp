#include <tutti/relay/eval/kernels/image.hpp>

#include "support.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = relay::kernels::image_kernels<>;

/// Returns the result of a call whose input type has unknown sizes along the axes in the bit set `open`.
tensor result_of_open(const std::string& call, const tensor& input, unsigned open) {
    std::string sizes;
    for (std::size_t i = 0; i < input.rank(); ++i)
        sizes += (i == 0 ? "" : ", ") + ((open >> i & 1) != 0 ? "?" : std::to_string(input.shape()[i]));
    relay::ir_module m =
        relay::parse("#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(" + sizes + "), float32]) { " + call + " }");
    relay::infer_types(m);
    const relay::graph& g = m.find("main")->graph;
    const relay::expr_id body = g.body(m.find("main")->root);
    const tensor* const inputs[]{&input};
    tensor results[1];
    for (const relay::kernel_row& entry : kernels)
        if (entry.op == g.called_op(body))
            REQUIRE(entry.run({.program = &g,
                               .attributes = g.call_attributes(body),
                               .inputs = inputs,
                               .type = g.type(body),
                               .results = results}));
    return results[0];
}

void check_resized(std::string_view call, const tensor& image, const kernel::resize_options& options) {
    INFO(call);
    tensor expected;
    kernel::resize(image, options, expected);
    CHECK(same(first_of(kernels, call, {image}), expected));
}

} // namespace

TEST_CASE("kernels/image: resize2d takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor image = random.filled<float>({1, 5, 6, 2});
    using enum kernel::resize_coordinates;
    check_resized(R"(image.resize2d(%a, size=[7, 3], roi=[0f, 0f, 0f, 0f], layout="NHWC"))", image,
                  {.size = {7, 3}, .layout = "NHWC"});
    check_resized(R"(image.resize2d(%a, size=[7, 3], roi=[0f, 0f, 0f, 0f], method="cubic",
                                    coordinate_transformation_mode="align_corners", cubic_alpha=-0.75f,
                                    cubic_exclude=1, out_dtype="float64"))",
                  image,
                  {.size = {7, 3},
                   .method = kernel::resize_method::cubic,
                   .coordinates = align_corners,
                   .cubic_alpha = -0.75F,
                   .cubic_exclude = true,
                   .out = test::dtype::float64});
    check_resized(R"(image.resize2d(%a, size=[7, 3], roi=[0.25f, 0f, 1.5f, 1f],
                                    coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9f))",
                  image,
                  {.size = {7, 3},
                   .coordinates = crop_and_resize,
                   .extrapolation = 9,
                   .crop_begin = {0.25F, 0},
                   .crop_end = {1.5F, 1}});
    const std::pair<std::string, kernel::resize_coordinates> modes[]{{"half_pixel", half_pixel},
                                                                     {"asymmetric", asymmetric},
                                                                     {"pytorch_half_pixel", pytorch_half_pixel},
                                                                     {"tf_half_pixel_for_nn", half_pixel_for_nearest}};
    const std::pair<std::string, kernel::resize_rounding> roundings[]{
        {"round", kernel::resize_rounding::round},
        {"round_prefer_floor", kernel::resize_rounding::prefer_floor},
        {"round_prefer_ceil", kernel::resize_rounding::prefer_ceil},
        {"floor", kernel::resize_rounding::floor},
        {"ceil", kernel::resize_rounding::ceil},
        {"", kernel::resize_rounding::floor}};
    for (const auto& [mode, coordinates] : modes)
        for (const auto& [name, rounding] : roundings)
            check_resized("image.resize2d(%a, size=[10, 3], roi=[0f, 0f, 0f, 0f], method=\"nearest_neighbor\", "
                          "coordinate_transformation_mode=\"" +
                              mode + "\", rounding_method=\"" + name + "\")",
                          image,
                          {.size = {10, 3},
                           .method = kernel::resize_method::nearest,
                           .coordinates = coordinates,
                           .rounding = rounding});
}

TEST_CASE("kernels/image: upsampling repeats pixels, or goes between them", "[relay][eval]") {
    const tensor row({1, 1, 1, 3}, {0.F, 3.F, 6.F});
    const tensor volume({1, 1, 1, 1, 3}, {0.F, 3.F, 6.F});
    const test::call_row rows[]{
        {"nn.upsampling(%a, scale_h=1f, scale_w=2f)", {row}, {1, 1, 1, 6}, {0, 0, 3, 3, 6, 6}},
        {R"(nn.upsampling(%a, scale_h=1f, scale_w=3f, method="bilinear"))",
         {row},
         {1, 1, 1, 9},
         {0, 1, 2, 3, 4, 5, 6, 6, 6}},
        {R"(nn.upsampling(%a, scale_h=1f, scale_w=2f, method="bilinear", align_corners=True))",
         {row},
         {1, 1, 1, 6},
         {0, 1.2, 2.4, 3.6, 4.8, 6},
         1e-6},
        {"nn.upsampling3d(%a, scale_d=1f, scale_h=1f, scale_w=2f)", {volume}, {1, 1, 1, 1, 6}, {0, 0, 0, 3, 3, 6}},
        {R"(nn.upsampling3d(%a, scale_d=2f, scale_h=1f, scale_w=1f, method="trilinear"))",
         {volume},
         {1, 1, 2, 1, 3},
         {0, 3, 6, 0, 3, 6}},
        {R"(nn.upsampling3d(%a, scale_d=1f, scale_h=1f, scale_w=2f, method="trilinear",
                            coordinate_transformation_mode="asymmetric"))",
         {volume},
         {1, 1, 1, 1, 6},
         {0, 1.5, 3, 4.5, 6, 6}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/image: open sizes do not change upsampling", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [](const std::string& call, const tensor& input) {
        const tensor expected = first_of(kernels, call, {input});
        for (unsigned open = 0; open < 1U << input.rank(); ++open) {
            INFO(call << ", open " << open);
            CHECK(same(result_of_open(call, input, open), expected));
        }
    };
    for (const std::string layout : {"NCHW", "NHWC"})
        for (const std::string method : {"nearest_neighbor", "bilinear"})
            check("nn.upsampling(%a, scale_h=2f, scale_w=1.5f, layout=\"" + layout + "\", method=\"" + method + "\")",
                  random.filled<float>({2, 3, 4, 5}));
    check("nn.upsampling3d(%a, scale_d=2f, scale_h=1f, scale_w=1.7f64)", random.filled<float>({1, 2, 2, 3, 4}));
}

TEST_CASE("kernels/image: a method that is not known has no kernel", "[relay][eval]") {
    const tensor image(test::dtype::float32, {1, 1, 2, 2});
    for (const std::string attributes : {
             R"(roi=[0f, 0f, 0f, 0f], method="lanczos")",
             R"(roi=[0f, 0f, 0f, 0f], coordinate_transformation_mode="elsewhere")",
             R"(roi=[0f, 0f, 0f, 0f], method="nearest_neighbor", rounding_method="up")",
             R"(roi=[0f], coordinate_transformation_mode="tf_crop_and_resize")",
         })
        CHECK_THROWS_WITH(first_of(kernels, "image.resize2d(%a, size=[2, 2], " + attributes + ")", {image}),
                          "image.resize2d: the kernel does not know this case");
}

TEST_CASE("kernels/image: lines and volumes are resized; a volume's region is read from its innermost axis",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor line = random.filled<float>({2, 5, 3});
    check_resized(R"(image.resize1d(%a, size=[7], roi=[0f, 0f], layout="NWC", method="cubic"))", line,
                  {.size = {7}, .layout = "NWC", .method = kernel::resize_method::cubic});
    check_resized(R"(image.resize1d(%a, size=[4], roi=[0.25f, 0.75f],
                                    coordinate_transformation_mode="tf_crop_and_resize"))",
                  line,
                  {.size = {4},
                   .layout = "NCW",
                   .coordinates = kernel::resize_coordinates::crop_and_resize,
                   .crop_begin = {0.25F},
                   .crop_end = {0.75F}});

    // The reference reads the region in the order columns, rows, planes. By mistake, it never extrapolates along
    // planes. This kernel extrapolates along every axis.
    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    check_resized(R"(image.resize3d(%a, size=[2, 3, 4], roi=[0f, 0.25f, 0.5f, 0.75f, 1f, 1.5f],
                                    coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=9f))",
                  volume,
                  {.size = {2, 3, 4},
                   .coordinates = kernel::resize_coordinates::crop_and_resize,
                   .extrapolation = 9,
                   .crop_begin = {0.5F, 0.25F, 0},
                   .crop_end = {1.5F, 1, 0.75F}});
}
