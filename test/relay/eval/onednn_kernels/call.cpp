#include <tutti/relay/eval/onednn_kernels/call.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/onednn.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "../programs.hpp"
#include "../with_weights.hpp"
#include "by_onednn.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace kernels = relay::kernels;
using relay::expr;
using test::tensor;

namespace {

// The number of steps that follow the convolutions, and how many of them the primitive leaves to the caller.
std::size_t given = 0;
std::size_t left = 0;

bool count(const relay::invocation& c) {
    if (!test::any_onednn().rows_of(relay::definition<relay::op::nn::conv2d>)[0].run(c)) return false;
    if (c.after != nullptr) {
        given += c.after->steps().size();
        left += c.after->rest().steps().size();
    }
    return true;
}

constexpr relay::kernel_table counting{
    std::array{relay::kernel_row{.op = &relay::definition<relay::op::nn::conv2d>, .run = count}}};

tensor result_of(const relay::ir_module& m, const relay::kernel_set& kernels, unsigned seed) {
    relay::evaluator run(m, kernels);
    std::vector<tensor> inputs;
    for (const relay::parameter& p : run.parameters())
        inputs.push_back(relay::synthetic_input(p.name, run.types(), p.type, seed));
    run.run(inputs);
    return run.run(inputs)[0]; // the second run uses the state that the kernel keeps
}

constexpr std::string_view residual = R"(
def @main(%x: Tensor[(1, 9, 9, 16), float32], %w: Tensor[(16, 16, 3, 3), float32], %b: Tensor[(16), float32],
          %r: Tensor[(1, 9, 9, 16), float32], %s: Tensor[(1, 1, 1, 16), float32], %t: float32) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], data_layout="NHWC", kernel_layout="OIHW");
  %1 = nn.bias_add(%0, %b, axis=3);
  %2 = multiply(%s, %1);
  %3 = add(%r, %2);
  %4 = multiply(%3, %t);
  ACTIVATION
}
)";

} // namespace

TEST_CASE("onednn: the primitive computes the operators after a convolution, and the caller the rest",
          "[relay][eval]") {
    struct activation {
        std::string_view text;
        std::size_t left;        ///< steps left to the caller
        std::size_t watched = 0; ///< additional steps left without nan_watch
    };
    using kernels::detail::nan_watch;
    for (const auto& [end, always, watched] :
         {activation{"nn.relu(%4)", 0, 1}, activation{"clip(%4, a_min=-0.5f, a_max=0.25f)", 0, 1},
          activation{"nn.leaky_relu(%4, alpha=0.25f)", 0}, activation{"tanh(%4)", 0, 1},
          activation{"sigmoid(%4)", 0, 1}, activation{"%5 = floor(%4);\n  nn.relu(%5)", 2}}) {
        const std::size_t expected_left = always + (nan_watch::available ? 0 : watched);
        std::string text(residual);
        text.replace(text.find("ACTIVATION"), 10, end);
        relay::ir_module m = tutti::test::program(text);
        relay::infer_types(m);
        given = left = 0;
        const tensor got = result_of(m, relay::kernel_set(counting, test::any_onednn()), 3);
        const tensor expected = result_of(m, kernels::reference(), 3);
        INFO(end);
        CHECK(test::difference(got, {1, 9, 9, 16}, test::values(expected), 1e-5) == "");
        CHECK(given == (always == 0 ? 10 : 12));
        CHECK(left == 2 * expected_left);
    }
}

TEST_CASE("onednn: weights that are constants are packed when the evaluator is made; the results are the same",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [&](std::vector<std::int64_t> data, std::vector<std::int64_t> weight, auto build) {
        const tensor x = random.filled<float>(data);
        const tensor w = random.filled<float>(weight);
        const tensor packed = test::with_weights(test::any_onednn(), x, w, true, build);
        CHECK(test::values(packed) == test::values(test::with_weights(test::any_onednn(), x, w, false, build)));
    };
    check({3, 8}, {5, 8}, [](expr x, expr w) { return relay::nn::dense(x, w); });
    check({2, 3, 8}, {2, 40, 8}, [](expr x, expr w) { return relay::nn::batch_matmul(x, w); });
    check({1, 16, 6, 6}, {32, 16, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w); });
    check({1, 6, 6, 16}, {32, 16, 3, 3},
          [](expr x, expr w) { return relay::nn::conv2d(x, w, {.data_layout = "NHWC"}); });
    check({1, 16, 6, 6}, {16, 1, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w, {.groups = 16}); });
}
