#include <tutti/relay/eval/kernels/block_steps.hpp>

#include <tutti/relay/eval/blocked.hpp>

#include "../programs.hpp"
#include "catch.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace kernels = tutti::relay::kernels;
using relay::tensor;

namespace {

struct watcher {
    void after_call(const relay::op_def&, const relay::invocation&) {}
};

std::vector<std::uint32_t> bits(std::span<const tensor> results) {
    std::vector<std::uint32_t> all;
    for (const float x : results[0].elements<float>()) all.push_back(std::bit_cast<std::uint32_t>(x));
    return all;
}

/// The call of an operator of %x and, if it has two operands, of %y, or along an axis of %z.
std::string call(const relay::block_step_entry& e) {
    const std::string name(e.op);
    if (name == "clip") return "clip(%x, a_min=-0.5f, a_max=0.75f)";
    if (name == "nn.leaky_relu") return "nn.leaky_relu(%x, alpha=0.3f)";
    if (name == "nn.bias_add" || name == "nn.prelu") return name + "(%x, %z)";
    return name + (e.what.two == nullptr ? "(%x)" : "(%x, %y)");
}

} // namespace

TEST_CASE("block_steps: each does what its operator's kernel does, to the bit", "[relay][eval][kernels]") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const float edges[]{0, -0.F, 1, -1, 0.5F, -2.5F, 1e-40F, infinity, -infinity, nan, 3e38F, 88.5F};
    constexpr std::int64_t count = std::size(edges);
    tensor x(relay::dtype::float32, {count, count});
    tensor y(relay::dtype::float32, {count, count});
    tensor z(relay::dtype::float32, {count});
    for (std::size_t i = 0; i < count; ++i) {
        z.mutable_elements<float>()[i] = edges[i];
        for (std::size_t j = 0; j < count; ++j) {
            x.mutable_elements<float>()[i * count + j] = edges[i];
            y.mutable_elements<float>()[i * count + j] = edges[j];
        }
    }
    for (const relay::block_step_entry& e : kernels::block_steps) {
        INFO(e.op);
        const std::string square = "Tensor[(12, 12), float32]";
        relay::evaluator<kernels::blocked> evaluate(tutti::test::program("def @main(%x: " + square + ", %y: " + square +
                                                                         ", %z: Tensor[(12), float32]) { negative(" +
                                                                         call(e) + ") }"));
        watcher seen;
        const std::vector<std::uint32_t> apart = bits(evaluate.run(std::vector{x, y, z}, seen));
        CHECK(bits(evaluate.run(std::vector{x, y, z})) == apart);
    }
}

TEST_CASE("block_steps: an operator of one's own that has a kernel is none of them", "[relay][eval][kernels]") {
    CHECK(kernels::find_block_step(relay::definition<relay::op::nn::relu>) != nullptr);
    relay::op_def own = relay::definition<relay::op::nn::relu>;
    own.evaluate = [](const relay::invocation&) { return true; };
    CHECK(kernels::find_block_step(own) == nullptr);
    CHECK(kernels::find_block_step(relay::definition<relay::op::sin>) == nullptr);
}
