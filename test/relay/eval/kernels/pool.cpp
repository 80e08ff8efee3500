#include <tutti/relay/eval/kernels/pool.hpp>

#include "support.hpp"

#include <string_view>

namespace kernel = tutti::kernel;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::pool_kernels<>;

void check(std::string_view call, const tensor& input, const tensor& expected) {
    INFO(call);
    CHECK(test::same(test::first_of(kernels, call, {input}), expected));
}

} // namespace

TEST_CASE("kernels/pool: windows take their attributes along one to three axes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor row = random.filled<float>({2, 3, 8});
    kernel::max_pool(
        row, {.size = {3}, .strides = {2}, .dilation = {2}, .before = {1}, .after = {1}, .ceil_mode = true}, expected);
    check("nn.max_pool1d(%a, pool_size=[3], strides=[2], dilation=[2], padding=[1, 1], ceil_mode=True)", row, expected);
    kernel::avg_pool(row, {.size = {2}, .after = {3}, .layout = "NWC", .count_include_pad = true}, expected);
    check("nn.avg_pool1d(%a, pool_size=[2], padding=[0, 3], layout=\"NWC\", count_include_pad=True)", row, expected);

    const tensor image = random.filled<float>({1, 5, 6, 4});
    kernel::max_pool(
        image, {.size = {2, 3}, .before = {1, 2}, .after = {0, 1}, .layout = "NHWC", .out_layout = "NCHW2c"}, expected);
    check("nn.max_pool2d(%a, pool_size=[2, 3], padding=[1, 2, 0, 1], layout=\"NHWC\", out_layout=\"NCHW2c\")", image,
          expected);
    kernel::avg_pool(image, {.size = {3, 3}, .strides = {1, 2}, .before = {1, 1}, .after = {1, 1}}, expected);
    check("nn.avg_pool2d(%a, pool_size=[3, 3], strides=[1, 2], padding=[1, 1, 1, 1])", image, expected);
    kernel::avg_pool(image,
                     {.size = {3, 3}, .strides = {1, 2}, .before = {1, 1}, .after = {1, 1}, .count_include_pad = true},
                     expected);
    check("nn.avg_pool2d(%a, pool_size=[3, 3], strides=[1, 2], padding=[1, 1, 1, 1], count_include_pad=True)", image,
          expected);

    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    kernel::max_pool(volume, {.size = {2, 3, 4}}, expected);
    check("nn.max_pool3d(%a, pool_size=[2, 3, 4], padding=[0, 0, 0, 0, 0, 0])", volume, expected);
    kernel::avg_pool(volume, {.size = {1, 2, 2}, .dilation = {1, 2, 1}}, expected);
    check("nn.avg_pool3d(%a, pool_size=[1, 2, 2], dilation=[1, 2, 1], padding=[0, 0, 0, 0, 0, 0])", volume, expected);
}

TEST_CASE("kernels/pool: the whole image is pooled, in its layout", "[relay][eval]") {
    const tensor image({1, 2, 1, 2}, {1.F, 8.F, 3.F, 4.F});
    const test::call_row rows[]{
        {"nn.global_avg_pool2d(%a)", {image}, {1, 2, 1, 1}, {4.5, 3.5}},
        {"nn.global_avg_pool2d(%a, layout=\"NHWC\")", {image}, {1, 1, 1, 2}, {2, 6}},
        {"nn.global_max_pool2d(%a)", {image}, {1, 2, 1, 1}, {8, 4}},
        {"nn.global_max_pool2d(%a, layout=\"NHWC\")", {image}, {1, 1, 1, 2}, {3, 8}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/pool: adaptive pooling takes its sizes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor row = random.filled<float>({2, 3, 8});
    kernel::adaptive_max_pool(row, {.size = {3}, .layout = "NWC"}, expected);
    check("nn.adaptive_max_pool1d(%a, output_size=[3], layout=\"NWC\")", row, expected);
    const tensor image = random.filled<float>({1, 5, 6, 4});
    kernel::adaptive_avg_pool(image, {.size = {4, 4}, .out_layout = "NHWC"}, expected);
    check("nn.adaptive_avg_pool2d(%a, output_size=[4], out_layout=\"NHWC\")", image, expected);
    check("nn.adaptive_avg_pool2d(%a)", image, image);
    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    kernel::adaptive_avg_pool(volume, {.size = {2, 3, 1}}, expected);
    check("nn.adaptive_avg_pool3d(%a, output_size=[2, 3, 1])", volume, expected);
}
