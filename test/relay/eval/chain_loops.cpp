#include <tutti/relay/eval/chain_loops.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::tensor;

TEST_CASE("chain_loops: each block has at most 16,384 elements, and each element is in one", "[relay][eval]") {
    tutti::thread_pool pool(3);
    for (const std::int64_t all : {0, 1, 16'384, 16'385, 100'000}) {
        std::vector<int> seen(static_cast<std::size_t>(all), 0);
        eval::for_each_block(pool, all, [&](std::int64_t first, std::int64_t count) {
            if (count > 16'384) return;
            for (std::int64_t i = first; i < first + count; ++i) ++seen[static_cast<std::size_t>(i)];
        });
        CHECK(seen == std::vector<int>(static_cast<std::size_t>(all), 1));
    }
}

TEST_CASE("chain_loops: elements are read as the source says", "[relay][eval]") {
    const relay::block_step_entry* relu =
        eval::kernels_of(relay::kernels::blocked(), relay::definition<relay::op::nn::relu>).on_blocks;
    REQUIRE(relu != nullptr);
    const tutti::kernel::epilogue_step steps[]{{.what = relu->of(relay::dtype::float32)}};
    const tutti::kernel::epilogue chain(steps);
    const tensor row({3}, {-1.F, 2.F, 3.F});
    tensor out(relay::dtype::float32, {2, 3});
    tutti::kernel::extents shape, strides;
    for (const std::int64_t n : {2, 3}) shape.push_back(n);
    for (const std::int64_t n : {0, 1}) strides.push_back(n);
    eval::compute(chain, {shape, strides}, row, out, {});
    CHECK(std::vector<float>(out.elements<float>().begin(), out.elements<float>().end()) ==
          std::vector<float>{0, 2, 3, 0, 2, 3});
    for (float& x : out.mutable_elements<float>()) x = -x;
    eval::apply(chain, out, {});
    CHECK(std::vector<float>(out.elements<float>().begin(), out.elements<float>().end()) == std::vector<float>(6, 0));
}
