#include <tutti/relay/eval/kernels/correlation.hpp>

#include "support.hpp"

namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::correlation_kernels<>;

} // namespace

TEST_CASE("kernels/correlation: both operators take their attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor a = random.filled<float>({1, 2, 5, 6});
    const tensor b = random.filled<float>({1, 2, 5, 6});
    kernel::correlation_options o{.size = 3, .displacement = 2, .stride = 2, .multiplies = false};
    o.before = {1, 2, 0};
    o.after = {3, 0, 0};
    kernel::correlation(a, b, o, expected);
    CHECK(same(first_of(kernels,
                        "nn.correlation(%a, %b, kernel_size=3, max_displacement=2, stride1=2, padding=[1, 2, 3, 0], "
                        "is_multiply=False)",
                        {a, b}),
               expected));

    const tensor image = random.filled<float>({1, 5, 6, 2});
    const tensor weight = random.filled<float>({2, 3, 2});
    kernel::dilation2d_options d{
        .strides = {2, 1, 1}, .dilation = {1, 2, 1}, .data_layout = "NHWC", .weight_layout = "HWI"};
    d.before = {1, 1, 0};
    d.after = {1, 1, 0};
    kernel::dilation2d(image, weight, d, expected);
    CHECK(same(first_of(kernels,
                        "image.dilation2d(%a, %b, strides=[2, 1], padding=[1, 1], dilations=[1, 2], "
                        "data_layout=\"NHWC\", kernel_layout=\"HWI\")",
                        {image, weight}),
               expected));
}
