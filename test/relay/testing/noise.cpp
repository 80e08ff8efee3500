#include <tutti/relay/testing/noise.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("noise: only kernels that round have noise", "[relay][testing][noise]") {
    const relay::op_set all{relay::standard_ops};
    for (const char* name : {"add", "nn.conv2d", "exp"}) {
        const relay::op_def& op = *all.find(name);
        CHECK(relay::testing::noisy_kernels::find(op) != nullptr);
        CHECK(relay::testing::noisy_kernels::find(op) != relay::kernels::reference::find(op));
    }
    for (const char* name : {"nn.relu", "transpose", "floor"}) {
        const relay::op_def& op = *all.find(name);
        CHECK(relay::testing::noisy_kernels::find(op) == relay::kernels::reference::find(op));
    }
}
