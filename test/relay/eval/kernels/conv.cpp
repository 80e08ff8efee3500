#include <tutti/relay/eval/kernels/conv.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::dtype;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::conv_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/conv: each convolution takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;

    const tensor row = random.filled<float>({2, 9, 4});
    const tensor row_weight = random.filled<float>({3, 2, 6});
    kernel::conv(row, row_weight,
                 {.strides = {2},
                  .dilation = {2},
                  .before = {1},
                  .after = {3},
                  .groups = 2,
                  .data_layout = "NWC",
                  .weight_layout = "WIO",
                  .out_layout = "NCW",
                  .out = dtype::float64},
                 expected);
    CHECK(same(result({row, row_weight},
                      [](builder&, arguments e) {
                          return relay::nn::conv1d(e[0], e[1],
                                                   {.strides = {2},
                                                    .padding = {1, 3},
                                                    .dilation = {2},
                                                    .groups = 2,
                                                    .data_layout = "NWC",
                                                    .kernel_layout = "WIO",
                                                    .out_layout = "NCW",
                                                    .out_dtype = dtype::float64});
                      }),
               expected));

    const tensor image = random.filled<float>({1, 4, 6, 7});
    const tensor weight = random.filled<float>({5, 4, 3, 2});
    kernel::conv(image, weight, {.strides = {2, 1}, .dilation = {1, 2}, .before = {1, 2}, .after = {0, 3}}, expected);
    CHECK(same(result({image, weight},
                      [](builder&, arguments e) {
                          return relay::nn::conv2d(e[0], e[1],
                                                   {.strides = {2, 1}, .padding = {1, 2, 0, 3}, .dilation = {1, 2}});
                      }),
               expected));

    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    const tensor volume_weight = random.filled<float>({3, 2, 2, 3, 1});
    kernel::conv(volume, volume_weight, {.before = {1, 0, 2}, .after = {1, 0, 2}}, expected);
    CHECK(same(result({volume, volume_weight},
                      [](builder&, arguments e) { return relay::nn::conv3d(e[0], e[1], {.padding = {1, 0, 2}}); }),
               expected));

    const tensor blocks = random.filled<float>({1, 2, 5, 5, 4});
    const tensor by = random.filled<float>({2, 1, 3, 3, 1, 4});
    kernel::conv(blocks, by,
                 {.before = {1, 1},
                  .after = {1, 1},
                  .groups = 8,
                  .data_layout = "NCHW4c",
                  .weight_layout = "OIHW1i4o",
                  .out_layout = "NCHW4c"},
                 expected);
    CHECK(same(result({blocks, by},
                      [](builder&, arguments e) {
                          return relay::nn::contrib_depthwise_conv2d_nchwc(e[0], e[1],
                                                                           {.padding = {1, 1},
                                                                            .groups = 8,
                                                                            .channels = relay::dim(8),
                                                                            .kernel_size = relay::dims{3, 3},
                                                                            .data_layout = "NCHW4c",
                                                                            .kernel_layout = "OIHW1i4o",
                                                                            .out_layout = "NCHW4c"});
                      }),
               expected));
}

TEST_CASE("kernels/conv: blocks of a spatial axis have no kernel", "[relay][eval]") {
    const tensor image(dtype::float32, {1, 2, 2, 4, 2});
    const tensor weight(dtype::float32, {3, 2, 1, 1});
    CHECK_THROWS(result({image, weight}, [](builder&, arguments e) {
        return relay::nn::conv2d(e[0], e[1], {.data_layout = "NCHW2h"});
    }));
}
