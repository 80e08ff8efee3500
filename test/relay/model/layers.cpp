#include <tutti/relay/model/layers.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <optional>

using namespace tutti;
using namespace tutti::test;

TEST_CASE("layers: parameters are named after the layer, in the order in which they are met, and typed",
          "[relay][layers]") {
    relay::builder b;
    relay::model::layers net(b);
    const auto x = net.batch_norm("bn", b.variable("data", {1, 3, 4, 4}), {.epsilon = 2e-5});
    const auto y = net.conv2d("conv", x, {.channels = relay::dim(8), .kernel_size = relay::dims{3, 3}});
    CHECK(
        bare_text(net.finish(net.dense("fc", y, 5))) ==
        "def @main(%data: Tensor[(1, 3, 4, 4), float32], %bn_gamma: Tensor[(3), float32], %bn_beta: Tensor[(3), float32], "
        "%bn_moving_mean: Tensor[(3), float32], %bn_moving_var: Tensor[(3), float32], "
        "%conv_weight: Tensor[(8, 3, 3, 3), float32], %fc_weight: Tensor[(5, 2), float32], %fc_bias: Tensor[(5), float32]) "
        "-> Tensor[(1, 8, 2, 5), float32] {\n"
        "  %0 = nn.batch_norm(%data, %bn_gamma, %bn_beta, %bn_moving_mean, %bn_moving_var, epsilon=2e-05f);\n"
        "  %1 = %0.0;\n"
        "  %2 = nn.conv2d(%1, %conv_weight, padding=[0, 0, 0, 0], channels=8, kernel_size=[3, 3]);\n"
        "  %3 = nn.dense(%2, %fc_weight, units=5);\n"
        "  nn.bias_add(%3, %fc_bias, axis=-1)\n"
        "}\n");
}
