#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// Convolution as a product of matrices: gathers the operands of the weights for a block of pixels.

namespace tutti::kernel::blocked::detail {

using kernel::detail::conv_plan;
using kernel::detail::places_inside;

/// Processes output pixels of a convolution, a block at a time: gathers each weight's operands and stores the sums.
///
/// Requires: a block has at most `Pixels` pixels; spatial axes are not in blocks.
template <class Sum, std::int64_t Pixels>
class pixel_gather {
    /// Pixels of a block that are adjacent in one row of the result.
    struct run {
        std::int64_t first;
        std::int64_t count;
        spatial begin;   // first cell of the first pixel's window
        std::int64_t to; // offset of the first pixel in a channel of the result
    };

public:
    /// Prepares to gather, with `outside` as the value outside the image.
    constexpr explicit pixel_gather(const conv_plan& p, Sum outside = {}) : p_(p), outside_(outside) {
        join(1, 2);
        join(0, 1);
    }

    /// Returns the number of output pixels of a channel.
    constexpr std::int64_t places() const { return p_.out.places(); }

    /// True if consecutive pixels are contiguous in a channel of the result.
    constexpr bool neighbours() const {
        std::int64_t count = 1;
        for (std::size_t i = 3; i-- > 0; count *= p_.out.space[i].size)
            if (p_.out.space[i].size != 1 && p_.out.space[i].stride() != count) return false;
        return true;
    }

    /// True if each output pixel depends only on the input pixel at its place, and the input pixels of a channel are
    /// contiguous.
    constexpr bool is_pointwise() const {
        const auto one = [](const lettered_axis& axis) { return axis.size == 1; };
        return p_.weight.places() == 1 && p_.in.channel.parts <= 1 &&
               p_.window == windows{window{}, {}, p_.window[2]} &&
               p_.window[2] == window{.extent = p_.out.space[2].size} && one(p_.in.space[0]) && one(p_.in.space[1]) &&
               p_.in.space[2].stride() == 1;
    }

    /// Selects `count` pixels from `first` on.
    constexpr void find_runs(std::int64_t first, std::int64_t count) {
        const std::array<lettered_axis, 3>& out = p_.out.space;
        run_count_ = 0;
        count_ = count;
        std::int64_t w = first % out[2].size;
        std::int64_t h = first / out[2].size % out[1].size;
        std::int64_t d = first / out[2].size / out[1].size;
        for (std::int64_t p = 0; p < count; w = 0) {
            const std::int64_t length = std::min(count - p, out[2].size - w);
            run& r = runs_[run_count_++];
            r.first = p;
            r.count = length;
            r.begin = {d * p_.window[0].stride - p_.window[0].before, h * p_.window[1].stride - p_.window[1].before,
                       w * p_.window[2].stride - p_.window[2].before};
            r.to = d * out[0].stride() + h * out[1].stride() + w * out[2].stride();
            p += length;
            if (++h == out[1].size) {
                h = 0;
                ++d;
            }
        }
    }

    /// Returns the offset of the first selected pixel in a channel of the result.
    constexpr std::int64_t first_place() const { return runs_[0].to; }

    /// Weights [first, first + count) of an output channel. They are ordered by input channel if `channels_first` is
    /// true, otherwise by place. `first_channel` is the first input channel of the group.
    struct weights {
        std::int64_t first_channel;
        bool channels_first;
        std::int64_t first;
        std::int64_t count;
    };
    /// Rows for gathered operands, `row` elements apart; each is padded with zeros to `padded` elements.
    struct patch {
        Sum* to;
        std::int64_t row;
        std::int64_t padded;
    };

    /// Gathers the operands of some weights for each pixel into rows of a patch.
    constexpr void gather(const Sum* image, const weights& of, const patch& made) const {
        const std::int64_t channels = p_.weight.channel.size;
        std::int64_t c = of.channels_first ? of.first / p_.weight.places() : of.first % channels;
        std::int64_t place = of.channels_first ? of.first % p_.weight.places() : of.first / channels;
        for (std::int64_t i = 0; i < of.count; ++i) {
            const std::int64_t width = p_.weight.space[2].size;
            const std::int64_t height = p_.weight.space[1].size;
            const std::int64_t line = width == 1 ? place : place / width;
            const std::int64_t w = (place - line * width) * p_.window[2].dilation;
            const std::int64_t deeper = height == 1 ? line : line / height;
            const std::int64_t h = (line - deeper * height) * p_.window[1].dilation;
            const Sum* channel = image + p_.in.channel.at(of.first_channel + c);
            Sum* row = made.to + i * made.row;
            for (std::int64_t r = 0; r < run_count_; ++r)
                gather_run(channel, runs_[r].begin[0] + deeper * p_.window[0].dilation, runs_[r].begin[1] + h,
                           runs_[r].begin[2] + w, row + runs_[r].first, runs_[r].count);
            std::fill(row + count_, row + made.padded, Sum{});
            if (of.channels_first && ++place == p_.weight.places()) {
                place = 0;
                ++c;
            } else if (!of.channels_first && ++c == channels) {
                c = 0;
                ++place;
            }
        }
    }

    /// Calls `f(offset)` with the offset of each selected pixel in a channel of the result.
    template <class F>
    constexpr void each_pixel(F f) const {
        const std::int64_t step = p_.out.space[2].stride();
        for (std::int64_t r = 0; r < run_count_; ++r)
            for (std::int64_t i = 0; i < runs_[r].count; ++i) f(runs_[r].to + i * step);
    }

    /// Stores the sums of `block` channels in the result, beginning with `channel`. Rows of `sums` are `sums_row`
    /// apart.
    constexpr void store(const Sum* sums, std::int64_t sums_row, Sum* image, std::int64_t channel,
                         std::int64_t block) const {
        const std::int64_t step = p_.out.space[2].stride();
        for (std::int64_t c = 0; c < block; ++c) {
            Sum* to = image + p_.out.channel.at(channel + c);
            const Sum* from = sums + c * sums_row;
            for (std::int64_t r = 0; r < run_count_; ++r)
                for (std::int64_t i = 0; i < runs_[r].count; ++i) to[runs_[r].to + i * step] = from[runs_[r].first + i];
        }
    }

private:
    /// Merges two neighbouring axes if they are contiguous and if the window has one cell along both and visits every
    /// place.
    constexpr void join(std::size_t a, std::size_t b) {
        lettered_axis& in = p_.in.space[b];
        lettered_axis& out = p_.out.space[b];
        if (p_.window[a] != window{.extent = p_.in.space[a].size} || p_.window[b] != window{.extent = in.size}) return;
        const auto apart = [](const lettered_axis& outer, const lettered_axis& inner) {
            return outer.size > 1 && outer.stride() != inner.stride() * inner.size;
        };
        if (out.size != in.size || apart(p_.in.space[a], in) || apart(p_.out.space[a], out)) return;
        in.size *= p_.in.space[a].size;
        out.size *= p_.out.space[a].size;
        p_.window[b].extent = in.size;
        p_.window[a] = {};
        p_.in.space[a].size = 1;
        p_.out.space[a].size = 1;
    }

    /// Gathers `count` inputs of row (d, h) from column `w` on, at the stride of the window. Inputs outside the image
    /// are `outside_`.
    constexpr void gather_run(const Sum* channel, std::int64_t d, std::int64_t h, std::int64_t w, Sum* to,
                              std::int64_t count) const {
        const std::int64_t stride = p_.window[2].stride;
        const bool outside = d < 0 || d >= p_.in.space[0].size || h < 0 || h >= p_.in.space[1].size;
        const places_inside inside(w, stride, outside ? 0 : p_.in.space[2].size, count);
        std::fill(to, to + inside.begin, outside_);
        if (inside.begin < inside.end) {
            const std::int64_t step = p_.in.space[2].stride();
            const Sum* from = channel + d * p_.in.space[0].stride() + h * p_.in.space[1].stride();
            if (stride * step == 1)
                for (std::int64_t i = inside.begin; i < inside.end; ++i) to[i] = from[w + i];
            else
                for (std::int64_t i = inside.begin; i < inside.end; ++i) to[i] = from[(w + i * stride) * step];
        }
        std::fill(to + inside.end, to + count, outside_);
    }

    conv_plan p_;
    Sum outside_;
    run runs_[Pixels];
    std::int64_t run_count_ = 0;
    std::int64_t count_ = 0;
};

} // namespace tutti::kernel::blocked::detail
