#include <tutti/relay/eval/kernels/signal.hpp>

#include "support.hpp"

using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::signal_kernels<>;

} // namespace

TEST_CASE("kernels/signal: both take their attributes", "[relay][eval]") {
    CHECK(same(first_of(kernels, "sliding_window(%a, axis=1, window_shape=[3], strides=[2])",
                        {tensor({1, 5}, {1, 2, 3, 4, 5})}),
               tensor({1, 2, 3}, {1, 2, 3, 3, 4, 5})));
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 11});
    const tensor window = random.filled<float>({4});
    tensor expected;
    tutti::kernel::stft(data, window, {.size = 6, .hop = 2, .window = 4, .normalized = true, .onesided = false},
                        expected);
    CHECK(same(first_of(kernels, "stft(%a, %b, n_fft=6, hop_length=2, win_length=4, normalized=True, onesided=False)",
                        {data, window}),
               expected));
}
