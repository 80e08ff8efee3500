#include <tutti/relay/eval/kernels/depth_to_space.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <string_view>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

} // namespace

TEST_CASE("kernels/depth_to_space: both ways take their attributes", "[relay][eval]") {
    const tensor x({1, 8, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto wide = [&](std::string_view mode) {
        return test::computed(relay::kernels::depth_to_space_kernels<>, {x}, [&](builder&, arguments e) {
            return relay::nn::depth_to_space(e[0], {.block_size = 2, .mode = mode});
        })[0];
    };
    CHECK(difference(wide("DCR"), {1, 2, 2, 2}, {1, 3, 5, 7, 2, 4, 6, 8}, 0) == "");
    CHECK(difference(wide("CRD"), {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 0) == "");
    CHECK(difference(wide("CDR"), {1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, 0) == "");
    CHECK_THROWS_WITH(wide("RCD"), "nn.depth_to_space: the kernel does not know this case");
    const tensor image({1, 2, 2, 1}, {1, 2, 3, 4});
    CHECK(difference(test::computed(relay::kernels::depth_to_space_kernels<>, {image},
                                    [](builder&, arguments e) {
                                        return relay::nn::space_to_depth(e[0], {.block_size = 2, .layout = "NHWC"});
                                    })[0],
                     {1, 1, 1, 4}, {1, 2, 3, 4}, 0) == "");
}
