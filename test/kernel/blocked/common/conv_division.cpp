#include <tutti/kernel/blocked/common/conv_division.hpp>

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::blocked::tile_rows;
using kernel::blocked::detail::conv_division;

namespace {

// A plan for two images with this many output channels per group.
kernel::detail::conv_plan plan(std::int64_t groups, std::int64_t channels) {
    const kernel::tensor data(kernel::dtype::float32, {2, groups, 1, 1});
    const kernel::tensor weight(kernel::dtype::float32, {groups * channels, 1, 1, 1});
    const kernel::conv_options options{.groups = groups};
    return kernel::detail::plan_conv("test", data, weight, kernel::detail::with_layouts(options, data, weight));
}

} // namespace

TEST_CASE("blocked/conv_division: each channel of each block once, on any number of threads", "[kernel][blocked]") {
    for (const unsigned threads : {1U, 2U, 3U, 8U})
        for (const std::int64_t channels : {1, 95, 200, 1000})
            for (const std::int64_t blocks : {1, 3, 40}) {
                tutti::thread_pool pool(threads);
                const auto p = plan(3, channels);
                const conv_division division(p, blocks, pool);
                CHECK(division.most_channels() % tile_rows == 0);
                CHECK(division.lanes() <= threads);
                std::vector<int> done(static_cast<std::size_t>(2 * 3 * blocks * channels));
                division.each([&](const conv_division::part& part) {
                    if (part.lane >= division.lanes() || part.channels > division.most_channels()) return;
                    if (part.first % tile_rows != 0) return;
                    const std::int64_t at =
                        ((part.image * 3 + part.group) * blocks + part.block) * channels + part.first;
                    for (std::int64_t c = 0; c < part.channels; ++c) ++done[static_cast<std::size_t>(at + c)];
                });
                INFO(threads << " threads, " << channels << " channels, " << blocks << " blocks");
                CHECK(std::ranges::count(done, 1) == static_cast<std::ptrdiff_t>(done.size()));
            }
}

TEST_CASE("blocked/conv_division: channels are in parts only where lanes had nothing to do", "[kernel][blocked]") {
    tutti::thread_pool pool(2);
    const auto p = plan(1, 512); // two images
    const auto parts = [&](std::int64_t blocks, tutti::executor_ref on) {
        return (512 + conv_division(p, blocks, on).most_channels() - 1) / conv_division(p, blocks, on).most_channels();
    };
    CHECK(parts(1, {}) == 1);
    CHECK(parts(1, pool) == 1); // one image per part
    tutti::thread_pool four(4);
    CHECK(parts(1, four) == 2);
    CHECK(parts(3, four) == 2); // six blocks would take two rounds, with only two in the second
    CHECK(parts(100, four) == 1);
}
