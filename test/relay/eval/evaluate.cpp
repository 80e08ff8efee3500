#include <tutti/relay/eval/evaluate.hpp>

#include <tutti/relay/op/invocation.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;

namespace {

/// Returns 42 for every call.
struct stubborn_kernels {
    static constexpr relay::kernel_function find(const relay::op_def&) {
        return [](const relay::invocation& c) {
            c.result().reset(c.input(0).type(), c.input(0).shape());
            for (float& x : c.result().mutable_elements<float>()) x = 42;
            return true;
        };
    }
};

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
    CHECK(relay::evaluate<stubborn_kernels>(m, inputs)[0].elements<float>()[0] == 42);
}
