#pragma once

#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstdint>

// Weights with a constant stride.

namespace tutti::kernel::blocked::detail {

/// The weights of an output channel as one row with stride `step`.
struct weight_row {
    bool good = false; ///< True if the weights have a constant stride.
    bool channels_first = true;
    std::int64_t step = 1;

    constexpr explicit weight_row(const lettered_axes& w) {
        if (w.outer.parts > 1 || w.channel.parts > 1 || w.space[0].parts > 1) return;
        good = follow({&w.space[2], &w.space[1], &w.space[0], &w.channel});
        if (good) return;
        channels_first = false;
        good = follow({&w.channel, &w.space[2], &w.space[1], &w.space[0]});
    }

private:
    constexpr bool follow(const std::array<const lettered_axis*, 4>& innermost_first) {
        std::int64_t count = 1;
        step = 1;
        for (const lettered_axis* axis : innermost_first) {
            if (axis->size == 1) continue;
            if (count == 1) step = axis->stride();
            if (axis->stride() != step * count) return false;
            count *= axis->size;
        }
        return true;
    }
};

/// Copies the weights described by `axes`, which begin at offset `first`, to `to` in the order O, I, D, H, W. Updates
/// `axes` to describe the copy.
constexpr const tensor& pack_weight(lettered_axes& axes, const tensor& from, std::int64_t first, tensor& to) {
    const std::array<lettered_axis, 3>& space = axes.space;
    const std::int64_t sizes[]{axes.outer.size, axes.channel.size, space[0].size, space[1].size, space[2].size};
    to.reset(from.type(), sizes);
    const kernel::detail::row_copier copy(from, to);
    std::int64_t next = 0;
    for (std::int64_t o = 0; o < axes.outer.size; ++o)
        for (std::int64_t i = 0; i < axes.channel.size; ++i)
            for (std::int64_t d = 0; d < space[0].size; ++d)
                for (std::int64_t h = 0; h < space[1].size; ++h, next += space[2].size)
                    copy(first + axes.outer.at(o) + axes.channel.at(i) + space[0].at(d) + h * space[1].stride(),
                         space[2].stride(), next, 1, space[2].size);
    axes = axes_in("conv", "weight", lettered::weight, "OIDHW", to.shape());
    return to;
}

} // namespace tutti::kernel::blocked::detail
