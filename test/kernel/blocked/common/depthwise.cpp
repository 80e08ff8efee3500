#include <tutti/kernel/blocked/common/depthwise.hpp>

#include <tutti/kernel/conv.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string_view>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked::detail;
using kernel::tensor;
using test::shape_t;

namespace {

// Computes a convolution with the class `By`, even if the kernel would select another class. Describes the fault in the
// result, or returns "".
template <class By>
std::string difference(const tensor& data, const tensor& weight, kernel::conv_options options) {
    options = kernel::detail::with_layouts(options, data, weight);
    blocked::conv_plan p = kernel::detail::plan_conv("test", data, weight, options);
    const kernel::extents shape = kernel::place_result("test", options.out_layout, p.out);
    if (!blocked::is_depthwise(p) || !By::suits(p)) return "not suited";
    const tensor got = test::made([&](tensor& out) {
        tensor room;
        out.reset(kernel::dtype::float32, shape);
        By(p, room, {}).run(data.data<float>(), weight.data<float>(), out.mutable_data<float>());
    });
    const tensor expected = test::made([&](tensor& out) { kernel::conv(data, weight, options, out); });
    return test::difference(got, shape_t(shape.begin(), shape.end()), test::values(expected), 1e-6);
}

} // namespace

TEST_CASE("blocked/depthwise: rows and channels give the same, padding before, behind and beyond",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(60); round > 0; --round) {
        const std::int64_t channels = random.integer(2, 40);
        kernel::conv_options o{.strides = {random.integer(1, 4), random.integer(1, 4)},
                               .dilation = {random.integer(1, 3), random.integer(1, 3)},
                               .before = {random.integer(0, 9), random.integer(0, 9)},
                               .after = {random.integer(0, 9), random.integer(0, 9)},
                               .groups = channels};
        const std::int64_t height = random.integer(9, 12);
        const std::int64_t width = random.integer(9, 40);
        const std::int64_t tall = random.integer(1, 3);
        const std::int64_t wide = random.integer(1, 3);
        INFO(channels << " channels of " << height << " x " << width << ", " << tall << " x " << wide);
        const std::int64_t each = random.integer(1, 3);
        CHECK(difference<blocked::depthwise_rows<>>(random.filled<float>({2, channels, height, width}),
                                                    random.filled<float>({channels * each, 1, tall, wide}), o) == "");
        o.data_layout = "NHWC";
        const tensor data = random.filled<float>({1, height, width, channels});
        const tensor weight = random.filled<float>({channels, 1, tall, wide});
        CHECK(difference<blocked::depthwise_rows<>>(data, weight, o) == "");
        CHECK(difference<blocked::depthwise_channels>(data, weight, o) == "");
    }
}

TEST_CASE("blocked/depthwise: windows that would take much more room than the image are left", "[kernel][blocked]") {
    const tensor data(kernel::dtype::float32, {1, 2, 4, 4});
    const tensor weight(kernel::dtype::float32, {2, 1, 2, 2});
    CHECK(difference<blocked::depthwise_rows<>>(
              data, weight, {.dilation = {1, 1 << 20}, .before = {0, 1 << 20}, .groups = 2}) == "not suited");
    CHECK(difference<blocked::depthwise_rows<>>(data, weight, {.strides = {1, 9}, .before = {0, 9}, .groups = 2}) ==
          "not suited");
}
