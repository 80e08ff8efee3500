#pragma once

#include <tutti/kernel/blocked/common/tile.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::kernel::blocked::detail {

using kernel::detail::conv_plan;

/// Divides a convolution among the lanes of an executor: the pixels of an image into blocks and, if there are few
/// blocks, the channels of each group into parts.
///
/// Each part gathers the operands of its block again. There are therefore only as many parts as it takes to keep the
/// lanes idle for at most a tenth of the time. Each part has at least 96 channels, unless the group has fewer.
class conv_division {
public:
    conv_division(const conv_plan& p, std::int64_t blocks, executor_ref on)
        : on_(on), groups_(p.groups), blocks_(blocks), channels_(p.out_channels()) {
        const auto at_once = static_cast<std::int64_t>(on.concurrency());
        const std::int64_t whole = p.out.outer.size * groups_ * blocks_;
        const std::int64_t most = at_once == 1 ? 1 : std::max<std::int64_t>(1, channels_ / 96);
        const auto idle = [&](std::int64_t parts) {
            const std::int64_t rounds = (whole * parts + at_once - 1) / at_once;
            return 1 - static_cast<double>(whole * parts) / static_cast<double>(rounds * at_once);
        };
        for (std::int64_t parts = 2; parts <= most && idle(parts_) > 0.1; ++parts)
            if (idle(parts) < idle(parts_)) parts_ = parts;
        part_ = rounded_up((channels_ + parts_ - 1) / parts_, tile_rows);
        count_ = static_cast<std::size_t>(whole * parts_);
    }

    /// Returns the number of lanes, each with its own scratch memory.
    std::int64_t lanes() const { return static_cast<std::int64_t>(tutti::lanes(on_, count_)); }
    /// Returns the maximum number of channels of a part, a multiple of `tile_rows`.
    std::int64_t most_channels() const { return part_; }

    /// A part of a block: `channels` channels of a group from `first` on.
    struct part {
        std::int64_t image;
        std::int64_t group;
        std::int64_t block;
        std::int64_t first;
        std::int64_t channels;
        std::int64_t lane;
    };

    /// Calls `f` with each part of each block.
    template <class F>
    void each(F f) const {
        const auto run = [&](std::size_t i, std::size_t lane) {
            const std::int64_t first = static_cast<std::int64_t>(i) % parts_ * part_;
            const std::int64_t block = static_cast<std::int64_t>(i) / parts_;
            const std::int64_t channels = std::min(part_, channels_ - first);
            if (channels > 0)
                f(part{block / blocks_ / groups_, block / blocks_ % groups_, block % blocks_, first, channels,
                       static_cast<std::int64_t>(lane)});
        };
        for_each_index(on_, count_, run, coarse_grain(on_, count_));
    }

private:
    executor_ref on_;
    std::int64_t groups_;
    std::int64_t blocks_;
    std::int64_t channels_;  // number of output channels of a group
    std::int64_t parts_ = 1; // number of parts of a group
    std::int64_t part_ = 0;  // channels in each part
    std::size_t count_ = 0;  // number of parts of all blocks
};

} // namespace tutti::kernel::blocked::detail
