#include <tutti/relay/eval/kernels/image_sampling.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <string_view>
#include <utility>
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
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::image_sampling_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/image_sampling: grid_sample takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 4, 5, 3});
    const tensor grid = random.filled<float>({2, 2, 3, 2}, -2, 2);
    const auto sampled = [&](const relay::grid_sample_attributes& a) {
        return result({data, grid}, [&](builder&, arguments e) { return relay::image::grid_sample(e[0], e[1], a); });
    };
    const std::pair<std::string_view, kernel::resize_method> methods[]{{"nearest", kernel::resize_method::nearest},
                                                                       {"bilinear", kernel::resize_method::linear},
                                                                       {"bicubic", kernel::resize_method::cubic}};
    const std::pair<std::string_view, kernel::sample_padding> paddings[]{
        {"zeros", kernel::sample_padding::zeros},
        {"border", kernel::sample_padding::border},
        {"reflection", kernel::sample_padding::reflection}};
    for (const auto& [name, method] : methods)
        for (const auto& [mode, padding] : paddings)
            for (const bool corners : {false, true}) {
                tensor expected;
                kernel::grid_sample(data, grid,
                                    {.layout = "NHWC", .method = method, .padding = padding, .align_corners = corners},
                                    expected);
                CHECK(same(sampled({.method = name, .layout = "NHWC", .padding_mode = mode, .align_corners = corners}),
                           expected));
            }
    CHECK_THROWS(sampled({.method = "lanczos", .layout = "NHWC"}));
    CHECK_THROWS(sampled({.layout = "NHWC", .padding_mode = "wrap"}));
}

TEST_CASE("kernels/image_sampling: affine_grid and crop_and_resize take their attributes", "[relay][eval]") {
    const tensor maps({1, 2, 3}, {1.F, 0.F, 0.F, 0.F, 1.F, 0.F});
    tensor expected;
    kernel::affine_grid(maps, 3, 2, expected);
    CHECK(
        same(result({maps}, [&](builder&,
                                arguments e) { return relay::image::affine_grid(e[0], {.target_shape = dims{3, 2}}); }),
             expected));

    const tensor data({2, 1, 1, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    const tensor boxes({2, 4}, {0.F, 0.F, 0.F, 1.F, 0.F, 0.5F, 0.F, 1.5F});
    const auto cropped = [&](const relay::crop_and_resize_attributes& a) {
        return result({data, boxes, tensor({2}, {1, 0})},
                      [&](builder&, arguments e) { return relay::image::crop_and_resize(e[0], e[1], e[2], a); });
    };
    CHECK(same(cropped({.crop_size = dims{1, 3}, .extrapolation_value = -7, .out_dtype = dtype::float64}),
               tensor({2, 1, 1, 3}, {4., 5., 6., 2., 3., -7.})));
    CHECK(same(cropped({.crop_size = dims{1, 2}, .method = "nearest_neighbor"}),
               tensor({2, 1, 1, 2}, {4.F, 6.F, 2.F, 0.F})));
    CHECK_THROWS(cropped({.crop_size = dims{1, 2}, .method = "lanczos"}));
}
