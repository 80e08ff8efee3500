#include <tutti/relay/eval/kernels/conv_transpose.hpp>

#include "support.hpp"

namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::conv_transpose_kernels<>;

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
    CHECK(same(first_of(kernels,
                        "nn.conv2d_transpose(%a, %b, strides=[2, 3], output_padding=[1, 2], padding=[1, 0, 2, 1], "
                        "groups=2, kernel_layout=\"IOHW\")",
                        {image, weight}),
               expected));

    const tensor offset = random.filled<float>({1, 24, 3, 4});
    const tensor taps = random.filled<float>({2, 4, 3, 2});
    kernel::deformable_conv_options moved;
    moved.before = {1, 0};
    moved.after = {1, 0};
    moved.deformable_groups = 2;
    kernel::deformable_conv(image, offset, taps, moved, expected);
    CHECK(same(first_of(kernels,
                        "nn.deformable_conv2d(%a, %b, %c, padding=[1, 0, 1, 0], deformable_groups=2, channels=2, "
                        "kernel_size=[3, 2])",
                        {image, offset, taps}),
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
    CHECK(same(first_of(kernels, "nn.conv1d_transpose(%a, %b, strides=[2], padding=[1, 0])", {row, taps}), expected));

    const tensor volume = random.filled<float>({1, 3, 2, 3, 4});
    const tensor cube = random.filled<float>({3, 2, 2, 1, 3});
    kernel::conv_transpose_options p;
    p.output_padding = {0, 1, 0};
    p.weight_layout = "IODHW";
    kernel::conv_transpose(volume, cube, p, expected);
    CHECK(same(first_of(kernels, "nn.conv3d_transpose(%a, %b, output_padding=[0, 1, 0], padding=[0, 0, 0, 0, 0, 0])",
                        {volume, cube}),
               expected));
}
