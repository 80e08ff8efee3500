#include <tutti/relay/testing/noisy_evaluation.hpp>

#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <cmath>

using namespace tutti;

TEST_CASE("noisy_evaluation: only rounded results vary, by some units in the last place",
          "[relay][testing][noisy_evaluation]") {
    const relay::ir_module m = relay::parse("def @main(%x: Tensor[(3), float32]) { (multiply(%x, 3f), nn.relu(%x)) }");
    const kernel::tensor x({3}, {0.1F, -2.F, 7.F});
    const relay::testing::tensors inputs{x};
    const auto exact = relay::testing::evaluated(m, inputs);
    REQUIRE(exact.size() == 2);
    int different = 0;
    for (const auto& noisy : relay::testing::evaluated_with_noise(m, inputs, 4, 7))
        for (std::size_t i = 0; i < 3; ++i) {
            const float a = exact[0].elements<float>()[i], b = noisy[0].elements<float>()[i];
            different += a != b ? 1 : 0;
            CHECK(std::abs(a - b) < 1e-5F * std::abs(a));
            CHECK(exact[1].elements<float>()[i] == noisy[1].elements<float>()[i]);
        }
    CHECK(different > 6);
}
