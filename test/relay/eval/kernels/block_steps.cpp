#include <tutti/relay/eval/kernels/block_steps.hpp>

#include <tutti/relay/eval/blocked.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace kernels = tutti::relay::kernels;
using relay::tensor;

namespace {

struct watcher {
    void after_call(const relay::op_def&, const relay::invocation&) {}
};

// Returns the bits of all elements. Every NaN has the same bits, since IEEE 754 leaves its sign and payload open.
std::vector<std::uint32_t> bits(std::span<const tensor> results) {
    std::vector<std::uint32_t> all;
    for (const float x : results[0].elements<float>())
        all.push_back(std::bit_cast<std::uint32_t>(x == x ? x : std::numeric_limits<float>::quiet_NaN()));
    return all;
}

/// Returns a call of an operator with %x. A second operand is %y, or %z if it is a vector along an axis.
std::string call(const relay::block_step_entry& e) {
    const std::string name(e.op->name);
    if (name == "clip") return "clip(%x, a_min=-0.5f, a_max=0.75f)";
    if (name == "nn.leaky_relu") return "nn.leaky_relu(%x, alpha=0.3f)";
    if (name == "nn.bias_add" || name == "nn.prelu") return name + "(%x, %z)";
    return name + (e.what.two == nullptr ? "(%x)" : "(%x, %y)");
}

} // namespace

TEST_CASE("block_steps: each gives bit-identical results to its operator's kernel", "[relay][eval][kernels]") {
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
        relay::evaluator evaluate(tutti::test::program("def @main(%x: " + square + ", %y: " + square +
                                                       ", %z: Tensor[(12), float32]) { negative(" + call(e) + ") }"),
                                  kernels::blocked());
        watcher seen;
        const std::vector<std::uint32_t> apart = bits(evaluate.run(std::vector{x, y, z}, seen));
        CHECK(bits(evaluate.run(std::vector{x, y, z})) == apart);
    }
}

TEST_CASE("block_steps: int32 steps match their operators' kernels", "[relay][eval][kernels]") {
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();
    const std::int32_t edges[]{0, 1, -1, 2, -7, 123456, -65536, 46341, least, least + 1, greatest, greatest - 1};
    constexpr std::int64_t count = std::size(edges);
    tensor x(relay::dtype::int32, {count, count});
    tensor y(relay::dtype::int32, {count, count});
    tensor z(relay::dtype::int32, {count});
    for (std::size_t i = 0; i < count; ++i) {
        z.mutable_elements<std::int32_t>()[i] = edges[i];
        for (std::size_t j = 0; j < count; ++j) {
            x.mutable_elements<std::int32_t>()[i * count + j] = edges[i];
            y.mutable_elements<std::int32_t>()[i * count + j] = edges[j];
        }
    }
    int found = 0;
    for (const relay::block_step_entry& e : kernels::block_steps) {
        if (e.of_int32.one == nullptr && e.of_int32.two == nullptr) continue;
        ++found;
        INFO(e.op);
        const std::string square = "Tensor[(12, 12), int32]";
        relay::evaluator evaluate(tutti::test::program("def @main(%x: " + square + ", %y: " + square +
                                                       ", %z: Tensor[(12), int32]) { add(" + call(e) + ", 3) }"),
                                  kernels::blocked());
        const auto numbers = [](std::span<const tensor> results) {
            const auto all = results[0].elements<std::int32_t>();
            return std::vector<std::int32_t>(all.begin(), all.end());
        };
        watcher seen;
        const std::vector<std::int32_t> apart = numbers(evaluate.run(std::vector{x, y, z}, seen));
        CHECK(numbers(evaluate.run(std::vector{x, y, z})) == apart);
    }
    CHECK(found == 8);
}

TEST_CASE("block_steps: a custom operator with a kernel is not a block step", "[relay][eval][kernels]") {
    const auto on_blocks = [](const relay::op_def& op) {
        return relay::detail::kernels_of(kernels::blocked(), op).on_blocks;
    };
    CHECK(on_blocks(relay::definition<relay::op::nn::relu>) != nullptr);
    relay::op_def own = relay::definition<relay::op::nn::relu>;
    own.evaluate = [](const relay::invocation&) { return true; };
    CHECK(on_blocks(own) == nullptr);
    CHECK(on_blocks(relay::definition<relay::op::sin>) == nullptr);
}
