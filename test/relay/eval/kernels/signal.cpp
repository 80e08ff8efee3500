#include <tutti/relay/eval/kernels/signal.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::signal_kernels<>, inputs, build).front();
}

} // namespace

TEST_CASE("kernels/signal: both take their attributes", "[relay][eval]") {
    CHECK(same(result({tensor({1, 5}, {1, 2, 3, 4, 5})},
                      [](builder&, arguments e) {
                          return relay::sliding_window(e[0], {.axis = 1, .window_shape = {3}, .strides = {2}});
                      }),
               tensor({1, 2, 3}, {1, 2, 3, 3, 4, 5})));
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({2, 11});
    const tensor window = random.filled<float>({4});
    tensor expected;
    kernel::stft(data, window, {.size = 6, .hop = 2, .window = 4, .normalized = true, .onesided = false}, expected);
    CHECK(same(result({data, window},
                      [](builder&, arguments e) {
                          return relay::stft(
                              e[0], e[1],
                              {.n_fft = 6, .hop_length = 2, .win_length = 4, .normalized = true, .onesided = false});
                      }),
               expected));
}
