#include <tutti/relay/eval/kernels/conv_transpose.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::conv_transpose_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/conv_transpose: transposed and deformable convolutions take their attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor image = random.filled<float>({1, 4, 3, 5});
    const tensor weight = random.filled<float>({4, 3, 4, 2});
    kernel::conv_transpose_options spread;
    spread.strides = {2, 3};
    spread.before = {1, 0};
    spread.after = {2, 1};
    spread.groups = 2;
    spread.weight_layout = "IOHW";
    spread.output_padding = {1, 2};
    kernel::conv_transpose(image, weight, spread, expected);
    CHECK(same(result({image, weight},
                      [](builder&, arguments e) {
                          return relay::nn::conv2d_transpose(e[0], e[1],
                                                             {.strides = {2, 3},
                                                              .output_padding = {1, 2},
                                                              .padding = {1, 0, 2, 1},
                                                              .groups = 2,
                                                              .kernel_layout = "IOHW"});
                      }),
               expected));

    const tensor offset = random.filled<float>({1, 24, 3, 4});
    const tensor taps = random.filled<float>({2, 4, 3, 2});
    kernel::deformable_conv_options moved;
    moved.before = {1, 0};
    moved.after = {1, 0};
    moved.deformable_groups = 2;
    kernel::deformable_conv(image, offset, taps, moved, expected);
    CHECK(same(result({image, offset, taps},
                      [](builder&, arguments e) {
                          return relay::nn::deformable_conv2d(e[0], e[1], e[2],
                                                              {.padding = {1, 0},
                                                               .deformable_groups = 2,
                                                               .channels = relay::dim(2),
                                                               .kernel_size = relay::dims{3, 2}});
                      }),
               expected));
}

TEST_CASE("kernels/conv_transpose: along one axis and along three", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor row = random.filled<float>({2, 3, 5});
    const tensor taps = random.filled<float>({3, 2, 4});
    kernel::conv_transpose_options o;
    o.strides = {2, 1, 1};
    o.before = {1, 0, 0};
    o.weight_layout = "IOW";
    kernel::conv_transpose(row, taps, o, expected);
    CHECK(same(result({row, taps},
                      [](builder&, arguments e) {
                          return relay::nn::conv1d_transpose(e[0], e[1], {.strides = {2}, .padding = {1, 0}});
                      }),
               expected));
    const tensor volume = random.filled<float>({1, 3, 2, 3, 4});
    const tensor cube = random.filled<float>({3, 2, 2, 1, 3});
    kernel::conv_transpose_options p;
    p.output_padding = {0, 1, 0};
    p.weight_layout = "IODHW";
    kernel::conv_transpose(volume, cube, p, expected);
    CHECK(same(result({volume, cube},
                      [](builder&, arguments e) {
                          return relay::nn::conv3d_transpose(e[0], e[1], {.output_padding = {0, 1, 0}});
                      }),
               expected));
}
