#include <tutti/relay/eval/kernels/image.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::dims;
using relay::expr;
using test::dtype;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const tensor& input, Build build) {
    return test::computed(relay::kernels::image_kernels<>, {input}, build).front();
}

/// Returns the result of a call whose input type has unknown sizes along the axes in the bit set `open`.
template <class Build>
tensor result_of_open(const tensor& input, unsigned open, Build build) {
    builder b;
    dims sizes;
    for (const std::int64_t n : input.shape())
        sizes.push_back((open >> sizes.size() & 1) != 0 ? relay::dim::any() : relay::dim(n));
    const expr x = b.variable("x", sizes, input.type());
    relay::ir_module m(b.function({x}, build(x)));
    relay::infer_types(m);
    const relay::graph& g = m.find("main")->graph;
    const relay::expr_id call = g.body(m.find("main")->root);
    const tensor* const inputs[]{&input};
    tensor results[1];
    for (const relay::kernel_row& entry : relay::kernels::image_kernels<>)
        if (entry.op == g.called_op(call))
            REQUIRE(entry.run({.program = &g,
                               .attributes = g.call_attributes(call),
                               .inputs = inputs,
                               .type = g.type(call),
                               .results = results}));
    return results[0];
}

} // namespace

TEST_CASE("kernels/image: resize2d takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor image = random.filled<float>({1, 5, 6, 2});
    using enum kernel::resize_coordinates;
    const auto check = [&](const relay::resize2d_attributes& attributes, const kernel::resize_options& options) {
        tensor expected;
        kernel::resize(image, options, expected);
        CHECK(same(result(image, [&](builder&, arguments e) { return relay::image::resize2d(e[0], attributes); }),
                   expected));
    };
    check({.size = dims{7, 3}, .layout = "NHWC"}, {.size = {7, 3}, .layout = "NHWC"});
    check({.size = dims{7, 3},
           .method = "cubic",
           .coordinate_transformation_mode = "align_corners",
           .cubic_alpha = -0.75,
           .cubic_exclude = 1,
           .out_dtype = dtype::float64},
          {.size = {7, 3},
           .method = kernel::resize_method::cubic,
           .coordinates = align_corners,
           .cubic_alpha = -0.75F,
           .cubic_exclude = true,
           .out = dtype::float64});
    check({.size = dims{7, 3},
           .roi = std::vector<double>{0.25, 0, 1.5, 1},
           .coordinate_transformation_mode = "tf_crop_and_resize",
           .extrapolation_value = 9},
          {.size = {7, 3},
           .coordinates = crop_and_resize,
           .extrapolation = 9,
           .crop_begin = {0.25F, 0},
           .crop_end = {1.5F, 1}});
    const std::pair<std::string_view, kernel::resize_coordinates> modes[]{
        {"half_pixel", half_pixel},
        {"asymmetric", asymmetric},
        {"pytorch_half_pixel", pytorch_half_pixel},
        {"tf_half_pixel_for_nn", half_pixel_for_nearest}};
    const std::pair<std::string_view, kernel::resize_rounding> roundings[]{
        {"round", kernel::resize_rounding::round},
        {"round_prefer_floor", kernel::resize_rounding::prefer_floor},
        {"round_prefer_ceil", kernel::resize_rounding::prefer_ceil},
        {"floor", kernel::resize_rounding::floor},
        {"ceil", kernel::resize_rounding::ceil},
        {"", kernel::resize_rounding::floor}};
    for (const auto& [mode, coordinates] : modes)
        for (const auto& [name, rounding] : roundings)
            check({.size = dims{10, 3},
                   .method = "nearest_neighbor",
                   .coordinate_transformation_mode = mode,
                   .rounding_method = name},
                  {.size = {10, 3},
                   .method = kernel::resize_method::nearest,
                   .coordinates = coordinates,
                   .rounding = rounding});
}

TEST_CASE("kernels/image: upsampling repeats pixels, or goes between them", "[relay][eval]") {
    using numbers = std::vector<double>;
    const tensor row({1, 1, 1, 3}, {0.F, 3.F, 6.F});
    const auto larger = [&](const relay::upsampling_attributes& a) {
        return test::values(result(row, [&](builder&, arguments e) { return relay::nn::upsampling(e[0], a); }));
    };
    CHECK(larger({.scale_h = 1.0, .scale_w = 2.0}) == numbers{0, 0, 3, 3, 6, 6});
    CHECK(larger({.scale_h = 1.0, .scale_w = 3.0, .method = "bilinear"}) == numbers{0, 1, 2, 3, 4, 5, 6, 6, 6});
    CHECK(larger({.scale_h = 1.0, .scale_w = 2.0, .method = "bilinear", .align_corners = true})[1] == Approx(1.2));

    const tensor volume({1, 1, 1, 1, 3}, {0.F, 3.F, 6.F});
    const auto deeper = [&](const relay::upsampling3d_attributes& a) {
        return test::values(result(volume, [&](builder&, arguments e) { return relay::nn::upsampling3d(e[0], a); }));
    };
    CHECK(deeper({.scale_d = 1.0, .scale_h = 1.0, .scale_w = 2.0}) == numbers{0, 0, 0, 3, 3, 6});
    CHECK(deeper({.scale_d = 2.0, .scale_h = 1.0, .scale_w = 1.0, .method = "trilinear"}) == numbers{0, 3, 6, 0, 3, 6});
    CHECK(deeper({.scale_d = 1.0,
                  .scale_h = 1.0,
                  .scale_w = 2.0,
                  .method = "trilinear",
                  .coordinate_transformation_mode = "asymmetric"}) == numbers{0, 1.5, 3, 4.5, 6, 6});
}

TEST_CASE("kernels/image: open sizes do not change upsampling", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [&](const tensor& input, auto build) {
        const tensor expected = result(input, [&](builder&, arguments e) { return build(e[0]); });
        for (unsigned open = 0; open < 1U << input.rank(); ++open) {
            INFO("open " << open);
            CHECK(same(result_of_open(input, open, build), expected));
        }
    };
    for (const std::string_view layout : {"NCHW", "NHWC"})
        for (const std::string_view method : {"nearest_neighbor", "bilinear"})
            check(random.filled<float>({2, 3, 4, 5}), [&](expr x) {
                return relay::nn::upsampling(x, {.scale_h = 2.0, .scale_w = 1.5, .layout = layout, .method = method});
            });
    check(random.filled<float>({1, 2, 2, 3, 4}),
          [](expr x) { return relay::nn::upsampling3d(x, {.scale_d = 2.0, .scale_h = 1.0, .scale_w = 1.7}); });
}

TEST_CASE("kernels/image: a method that is not known has no kernel", "[relay][eval]") {
    const tensor image(dtype::float32, {1, 1, 2, 2});
    for (const relay::resize2d_attributes& a :
         {relay::resize2d_attributes{.size = dims{2, 2}, .method = "lanczos"},
          relay::resize2d_attributes{.size = dims{2, 2}, .coordinate_transformation_mode = "elsewhere"},
          relay::resize2d_attributes{.size = dims{2, 2}, .method = "nearest_neighbor", .rounding_method = "up"},
          relay::resize2d_attributes{.size = dims{2, 2},
                                     .roi = std::vector<double>{0},
                                     .coordinate_transformation_mode = "tf_crop_and_resize"}})
        CHECK_THROWS(result(image, [&](builder&, arguments e) { return relay::image::resize2d(e[0], a); }));
}

TEST_CASE("kernels/image: lines and volumes are resized; a volume's region is read from its innermost axis",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor line = random.filled<float>({2, 5, 3});
    tensor expected;
    kernel::resize(line, {.size = {7}, .layout = "NWC", .method = kernel::resize_method::cubic}, expected);
    CHECK(same(result(line,
                      [&](builder&, arguments e) {
                          return relay::image::resize1d(e[0], {.size = dims{7}, .layout = "NWC", .method = "cubic"});
                      }),
               expected));
    kernel::resize(line,
                   {.size = {4},
                    .layout = "NCW",
                    .coordinates = kernel::resize_coordinates::crop_and_resize,
                    .crop_begin = {0.25F},
                    .crop_end = {0.75F}},
                   expected);
    CHECK(same(result(line,
                      [&](builder&, arguments e) {
                          return relay::image::resize1d(e[0], {.size = dims{4},
                                                               .roi = std::vector<double>{0.25, 0.75},
                                                               .coordinate_transformation_mode = "tf_crop_and_resize"});
                      }),
               expected));

    // The reference reads the region in the order columns, rows, planes. By mistake, it never extrapolates along
    // planes. This kernel extrapolates along every axis.
    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    kernel::resize(volume,
                   {.size = {2, 3, 4},
                    .coordinates = kernel::resize_coordinates::crop_and_resize,
                    .extrapolation = 9,
                    .crop_begin = {0.5F, 0.25F, 0},
                    .crop_end = {1.5F, 1, 0.75F}},
                   expected);
    CHECK(same(result(volume,
                      [&](builder&, arguments e) {
                          return relay::image::resize3d(e[0], {.size = dims{2, 3, 4},
                                                               .roi = std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.5},
                                                               .coordinate_transformation_mode = "tf_crop_and_resize",
                                                               .extrapolation_value = 9});
                      }),
               expected));
}
