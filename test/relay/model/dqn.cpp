#include <tutti/relay/model/dqn.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::dqn;

TEST_CASE("dqn: a value for each action", "[relay][model]") {
    const relay::ir_module m = dqn({.batch = 2, .actions = 4});
    CHECK(result_type(m) == "Tensor[(2, 4), float32]");
    // In the paper of Mnih et al., the image of 84 x 84 pixels becomes 20 x 20, 9 x 9 and 7 x 7.
    CHECK(parameter_type(m, "dense1_weight") == "Tensor[(512, 3136), float32]");
    CHECK(trained(m) == (4 * 64 + 1) * 32 + (32 * 16 + 1) * 64 + (64 * 9 + 1) * 64 + (3136 + 1) * 512 + (512 + 1) * 4);
}

TEST_CASE("dqn: the smallest image leaves one place", "[relay][model]") {
    CHECK(parameter_type(dqn({.image_shape = {4, 36, 36}}), "dense1_weight") == "Tensor[(512, 64), float32]");
    CHECK_THAT(refused(dqn, {.image_shape = {4, 35, 84}}), Contains("35×84") && Contains("36×36 or more"));
    CHECK_THAT(refused(dqn, {.image_shape = {0, 84, 84}}), Contains("frames"));
    CHECK_THAT(refused(dqn, {.actions = 0}), Contains("actions"));
}
