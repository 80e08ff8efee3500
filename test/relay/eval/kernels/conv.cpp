#include <tutti/relay/eval/kernels/conv.hpp>

#include "support.hpp"

#include <string_view>

namespace kernel = tutti::kernel;
using test::dtype;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::conv_kernels<>;

} // namespace

TEST_CASE("kernels/conv: each convolution takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const struct {
        std::string_view call;
        test::shape_t data;
        test::shape_t weight;
        kernel::conv_options options;
    } rows[]{
        {R"(nn.conv1d(%a, %b, strides=[2], padding=[1, 3], dilation=[2], groups=2, data_layout="NWC",
                      kernel_layout="WIO", out_layout="NCW", out_dtype="float64"))",
         {2, 9, 4},
         {3, 2, 6},
         {.strides = {2},
          .dilation = {2},
          .before = {1},
          .after = {3},
          .groups = 2,
          .data_layout = "NWC",
          .weight_layout = "WIO",
          .out_layout = "NCW",
          .out = dtype::float64}},
        {"nn.conv2d(%a, %b, strides=[2, 1], padding=[1, 2, 0, 3], dilation=[1, 2])",
         {1, 4, 6, 7},
         {5, 4, 3, 2},
         {.strides = {2, 1}, .dilation = {1, 2}, .before = {1, 2}, .after = {0, 3}}},
        {"nn.conv3d(%a, %b, padding=[1, 0, 2, 1, 0, 2])",
         {1, 2, 3, 4, 5},
         {3, 2, 2, 3, 1},
         {.before = {1, 0, 2}, .after = {1, 0, 2}}},
        {R"(nn.contrib_depthwise_conv2d_NCHWc(%a, %b, padding=[1, 1, 1, 1], groups=8, channels=8, kernel_size=[3, 3],
                                              data_layout="NCHW4c", kernel_layout="OIHW1i4o", out_layout="NCHW4c"))",
         {1, 2, 5, 5, 4},
         {2, 1, 3, 3, 1, 4},
         {.before = {1, 1},
          .after = {1, 1},
          .groups = 8,
          .data_layout = "NCHW4c",
          .weight_layout = "OIHW1i4o",
          .out_layout = "NCHW4c"}},
    };
    for (const auto& row : rows) {
        INFO(row.call);
        const tensor data = random.filled<float>(row.data);
        const tensor weight = random.filled<float>(row.weight);
        tensor expected;
        kernel::conv(data, weight, row.options, expected);
        CHECK(test::same(test::first_of(kernels, row.call, {data, weight}), expected));
    }
}

TEST_CASE("kernels/conv: blocks of a spatial axis have no kernel", "[relay][eval]") {
    const tensor image(dtype::float32, {1, 2, 2, 4, 2});
    const tensor weight(dtype::float32, {3, 2, 1, 1});
    CHECK_THROWS_WITH(test::first_of(kernels, R"(nn.conv2d(%a, %b, data_layout="NCHW2h"))", {image, weight}),
                      "nn.conv2d: the kernel does not know this case");
}
