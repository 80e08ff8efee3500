#include <tutti/relay/eval/kernels/depth_to_space.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::depth_to_space_kernels<>;

} // namespace

TEST_CASE("kernels/depth_to_space: both ways take their attributes", "[relay][eval]") {
    const tensor x({1, 8, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
    const tensor image({1, 2, 2, 1}, {1, 2, 3, 4});
    const test::call_row rows[]{
        {R"(nn.depth_to_space(%a, block_size=2, mode="DCR"))", {x}, {1, 2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8}},
        {R"(nn.depth_to_space(%a, block_size=2, mode="CRD"))", {x}, {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}},
        {R"(nn.depth_to_space(%a, block_size=2, mode="CDR"))", {x}, {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}},
        {R"(nn.space_to_depth(%a, block_size=2, layout="NHWC", mode=""))", {image}, {1, 1, 1, 4}, {1, 2, 3, 4}},
    };
    test::check(kernels, rows);
    CHECK_THROWS_WITH(test::first_of(kernels, R"(nn.depth_to_space(%a, block_size=2, mode="RCD"))", {x}),
                      "nn.depth_to_space: the kernel does not know this case");
}
