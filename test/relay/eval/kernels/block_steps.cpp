#include <tutti/relay/eval/kernels/block_steps.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/op_kernels.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
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

/// Returns a call of an operator with %x. A second operand is %y, or %z if it is a vector along an axis.
std::string call(const relay::block_step_entry& e) {
    const std::string name(e.op->name);
    if (name == "clip") return "clip(%x, a_min=-0.5f, a_max=0.75f)";
    if (name == "nn.leaky_relu") return "nn.leaky_relu(%x, alpha=0.3f)";
    if (name == "nn.bias_add" || name == "nn.prelu") return name + "(%x, %z)";
    return name + (e.what.two == nullptr ? "(%x)" : "(%x, %y)");
}

/// Checks that an operator's step gives the results of its kernel for all pairs of 12 numbers. `consumer` is a call
/// that takes the operator's result, %0.
template <class T>
void check_step(const relay::block_step_entry& e, const T (&edges)[12], const std::string& consumer) {
    INFO(e.op->name);
    constexpr relay::dtype type = tutti::kernel::dtype_of<T>;
    std::vector<tensor> inputs{tensor(type, {12, 12}), tensor(type, {12, 12}), tensor(type, {12})};
    for (std::size_t i = 0; i < 12; ++i) {
        inputs[2].mutable_elements<T>()[i] = edges[i];
        for (std::size_t j = 0; j < 12; ++j) {
            inputs[0].mutable_elements<T>()[i * 12 + j] = edges[i];
            inputs[1].mutable_elements<T>()[i * 12 + j] = edges[j];
        }
    }
    const std::string element(tutti::kernel::name(type));
    const std::string square = "Tensor[(12, 12), " + element + "]";
    relay::evaluator evaluate(tutti::test::program("def @main(%x: " + square + ", %y: " + square +
                                                   ", %z: Tensor[(12), " + element + "]) { %0 = " + call(e) + "; " +
                                                   consumer + " }"),
                              kernels::blocked());
    // Every NaN has the same bits, since IEEE 754 leaves its sign and payload open.
    const auto bits = [](std::span<const tensor> results) {
        std::vector<std::uint32_t> all;
        for (const T x : results[0].elements<T>())
            all.push_back(std::bit_cast<std::uint32_t>(std::isnan(x) ? std::numeric_limits<T>::quiet_NaN() : x));
        return all;
    };
    watcher seen;
    const std::vector<std::uint32_t> apart = bits(evaluate.run(inputs, seen));
    CHECK(bits(evaluate.run(inputs)) == apart);
}

} // namespace

TEST_CASE("block_steps: each gives bit-identical results to its operator's kernel", "[relay][eval][kernels]") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const float edges[]{0, -0.F, 1, -1, 0.5F, -2.5F, 1e-40F, infinity, -infinity, nan, 3e38F, 88.5F};
    for (const relay::block_step_entry& e : kernels::block_steps) check_step(e, edges, "negative(%0)");
}

TEST_CASE("block_steps: int32 steps match their operators' kernels", "[relay][eval][kernels]") {
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t greatest = std::numeric_limits<std::int32_t>::max();
    const std::int32_t edges[]{0, 1, -1, 2, -7, 123456, -65536, 46341, least, least + 1, greatest, greatest - 1};
    int found = 0;
    for (const relay::block_step_entry& e : kernels::block_steps) {
        if (e.of_int32.one == nullptr && e.of_int32.two == nullptr) continue;
        ++found;
        check_step(e, edges, "add(%0, 3)");
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
