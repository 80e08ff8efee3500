#include <tutti/relay/eval/block_step.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;

TEST_CASE("block_step: an entry has an operation for each type, perhaps none", "[relay][eval]") {
    const relay::op_def& op = relay::definition<relay::op::nn::relu>;
    const relay::block_step_entry* relu = relay::detail::kernels_of(relay::kernels::blocked(), op).on_blocks;
    REQUIRE(relu != nullptr);
    CHECK(relu->op == &op);
    CHECK(&relu->of(relay::dtype::float32) == &relu->what);
    CHECK(&relu->of(relay::dtype::int32) == &relu->of_int32);
    const relay::op_def& softmax = relay::definition<relay::op::nn::softmax>;
    CHECK(relay::detail::kernels_of(relay::kernels::blocked(), softmax).on_blocks == nullptr);
}
