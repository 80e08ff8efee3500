#include <tutti/relay/eval/kernels/region.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <string_view>
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
    return test::computed(relay::kernels::region_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/region: pooling takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 5, 6, 3});
    const tensor regions({2, 5}, {1.F, 0.F, 2.F, 8.F, 9.F, 0.F, 3.F, 1.F, 5.F, 10.F});
    for (const std::string_view mode : {"avg", "max"})
        for (const std::int64_t samples : {-1, 3}) {
            tensor expected;
            kernel::roi_align(
                data, regions,
                {.size = {2, 3}, .scale = 0.5, .samples = samples, .greatest = mode == "max", .layout = "NHWC"},
                expected);
            CHECK(same(result({data, regions},
                              [&](builder&, arguments e) {
                                  return relay::vision::roi_align(e[0], e[1],
                                                                  {.pooled_size = {2, 3},
                                                                   .spatial_scale = 0.5,
                                                                   .sample_ratio = samples,
                                                                   .layout = "NHWC",
                                                                   .mode = mode});
                              }),
                       expected));
        }
    tensor expected;
    kernel::roi_pool(data, regions, {.size = {2, 3}, .scale = 0.5, .layout = "NHWC"}, expected);
    CHECK(same(result({data, regions},
                      [&](builder&, arguments e) {
                          return relay::vision::roi_pool(
                              e[0], e[1], {.pooled_size = {2, 3}, .spatial_scale = 0.5, .layout = "NHWC"});
                      }),
               expected));
}

TEST_CASE("kernels/region: yolo_reorg takes its stride", "[relay][eval]") {
    const tensor data({1, 4, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    tensor expected;
    kernel::yolo_reorg(data, 2, expected);
    CHECK(same(result({data}, [&](builder&, arguments e) { return relay::vision::yolo_reorg(e[0], {.stride = 2}); }),
               expected));
}
