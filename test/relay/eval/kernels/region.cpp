#include <tutti/relay/eval/kernels/region.hpp>

#include "support.hpp"

#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::region_kernels<>;

} // namespace

TEST_CASE("kernels/region: pooling takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 5, 6, 3});
    const tensor regions({2, 5}, {1.F, 0.F, 2.F, 8.F, 9.F, 0.F, 3.F, 1.F, 5.F, 10.F});
    const std::string attributes = "pooled_size=[2, 3], spatial_scale=0.5f64, layout=\"NHWC\"";
    tensor expected;
    for (const std::string mode : {"avg", "max"})
        for (const std::int64_t samples : {-1, 3}) {
            kernel::roi_align(
                data, regions,
                {.size = {2, 3}, .scale = 0.5, .samples = samples, .greatest = mode == "max", .layout = "NHWC"},
                expected);
            const std::string call = "vision.roi_align(%a, %b, " + attributes +
                                     ", sample_ratio=" + std::to_string(samples) + ", mode=\"" + mode + "\")";
            INFO(call);
            CHECK(same(first_of(kernels, call, {data, regions}), expected));
        }
    kernel::roi_pool(data, regions, {.size = {2, 3}, .scale = 0.5, .layout = "NHWC"}, expected);
    CHECK(same(first_of(kernels, "vision.roi_pool(%a, %b, " + attributes + ")", {data, regions}), expected));
}

TEST_CASE("kernels/region: yolo_reorg takes its stride", "[relay][eval]") {
    const tensor data({1, 4, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    tensor expected;
    kernel::yolo_reorg(data, 2, expected);
    CHECK(same(first_of(kernels, "vision.yolo_reorg(%a, stride=2)", {data}), expected));
}
