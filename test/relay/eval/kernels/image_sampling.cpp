#include <tutti/relay/eval/kernels/image_sampling.hpp>

#include "support.hpp"

#include <string>
#include <utility>
#include <vector>

namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::image_sampling_kernels<>;

} // namespace

TEST_CASE("kernels/image_sampling: grid_sample takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 4, 5, 3});
    const tensor grid = random.filled<float>({2, 2, 3, 2}, -2, 2);
    using enum kernel::resize_method;
    using enum kernel::sample_padding;
    const std::pair<std::string, kernel::resize_method> methods[]{
        {"nearest", nearest}, {"bilinear", linear}, {"bicubic", cubic}};
    const std::pair<std::string, kernel::sample_padding> paddings[]{
        {"zeros", zeros}, {"border", border}, {"reflection", reflection}};
    for (const auto& [name, method] : methods)
        for (const auto& [mode, padding] : paddings)
            for (const bool corners : {false, true}) {
                const std::string call = "image.grid_sample(%a, %b, method=\"" + name +
                                         "\", layout=\"NHWC\", padding_mode=\"" + mode +
                                         "\", align_corners=" + (corners ? "True" : "False") + ")";
                INFO(call);
                tensor expected;
                kernel::grid_sample(data, grid,
                                    {.layout = "NHWC", .method = method, .padding = padding, .align_corners = corners},
                                    expected);
                CHECK(same(first_of(kernels, call, {data, grid}), expected));
            }
    for (const std::string attribute : {R"(method="lanczos")", R"(padding_mode="wrap")"}) {
        INFO(attribute);
        CHECK_THROWS_WITH(
            first_of(kernels, R"(image.grid_sample(%a, %b, layout="NHWC", )" + attribute + ")", {data, grid}),
            "image.grid_sample: the kernel does not know this case");
    }
}

TEST_CASE("kernels/image_sampling: affine_grid and crop_and_resize take their attributes", "[relay][eval]") {
    const tensor maps({1, 2, 3}, {1.F, 0.F, 0.F, 0.F, 1.F, 0.F});
    tensor expected;
    kernel::affine_grid(maps, 3, 2, expected);
    CHECK(same(first_of(kernels, "image.affine_grid(%a, target_shape=[3, 2])", {maps}), expected));

    const std::vector<tensor> inputs{tensor({2, 1, 1, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F}),
                                     tensor({2, 4}, {0.F, 0.F, 0.F, 1.F, 0.F, 0.5F, 0.F, 1.5F}), tensor({2}, {1, 0})};
    const auto cropped = [&](const std::string& attributes) {
        return first_of(kernels, "image.crop_and_resize(%a, %b, %c, " + attributes + ")", inputs);
    };
    CHECK(same(cropped(R"(crop_size=[1, 3], extrapolation_value=-7, out_dtype="float64")"),
               tensor({2, 1, 1, 3}, {4., 5., 6., 2., 3., -7.})));
    CHECK(same(cropped(R"(crop_size=[1, 2], method="nearest_neighbor")"), tensor({2, 1, 1, 2}, {4.F, 6.F, 2.F, 0.F})));
    CHECK_THROWS_WITH(cropped(R"(crop_size=[1, 2], method="lanczos")"),
                      "image.crop_and_resize: the kernel does not know this case");
}
