#include <tutti/relay/eval/evaluate.hpp>

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/invocation.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;

namespace {

/// A kernel that computes 42 for every subtraction.
constexpr relay::kernel_table stubborn{
    std::array{relay::kernel_for<relay::op::subtract>([](const relay::invocation& c, const auto&) {
        c.result().reset(c.input(0).type(), c.input(0).shape());
        for (float& x : c.result().mutable_elements<float>()) x = 42;
    })}};

} // namespace

TEST_CASE("evaluate: by position, by name, with custom kernels", "[relay][eval]") {
    const relay::ir_module m = tutti::test::program("def @main(%a: float32, %b: float32) { (subtract(%a, %b), %a) }");
    const std::vector<tensor> inputs{tensor::scalar(5.F), tensor::scalar(3.F)};
    const auto by_position = relay::evaluate(m, inputs);
    REQUIRE(by_position.size() == 2);
    CHECK(by_position[0].elements<float>()[0] == 2);
    CHECK(by_position[1].same_elements(inputs[0]));
    const relay::named_input named[]{{"b", &inputs[0]}, {"a", &inputs[1]}};
    CHECK(relay::evaluate(m, named)[0].elements<float>()[0] == -2);
    CHECK(relay::evaluate(m, inputs, relay::kernel_set(stubborn))[0].elements<float>()[0] == 42);
    CHECK(relay::evaluate(m, named, relay::kernel_set(stubborn))[0].elements<float>()[0] == 42);
}
