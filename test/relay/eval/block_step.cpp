#include <tutti/relay/eval/block_step.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;

TEST_CASE("block_step: an entry has an operation for each type, perhaps none", "[relay][eval]") {
    const relay::block_step_entry* relu =
        relay::kernels::blocked::find_block_step(relay::definition<relay::op::nn::relu>);
    REQUIRE(relu != nullptr);
    CHECK(relu->op == "nn.relu");
    CHECK(&relu->of(relay::dtype::float32) == &relu->what);
    CHECK(&relu->of(relay::dtype::int32) == &relu->of_int32);
    CHECK(relay::kernels::blocked::find_block_step(relay::definition<relay::op::nn::softmax>) == nullptr);
}
