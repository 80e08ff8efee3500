#include <tutti/relay/testing/noise.hpp>

#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("noise: only kernels that round have noise", "[relay][testing][noise]") {
    const relay::op_set all{relay::standard_ops};
    const auto first = [&](const relay::kernel_set& kernels, const char* name) {
        return relay::detail::kernels_of(kernels, *all.find(name)).rows[0].run;
    };
    for (const char* name : {"add", "nn.conv2d", "exp"})
        CHECK(first(relay::testing::noisy_kernels(), name) != first(relay::kernels::reference(), name));
    for (const char* name : {"nn.relu", "transpose", "floor"})
        CHECK(first(relay::testing::noisy_kernels(), name) == first(relay::kernels::reference(), name));
}
