#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/epilogue.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Convolution as such: sizes and strides are known and fit, all elements are of the type that is summed in.

namespace tutti::kernel::detail {

/// The weights of an output channel as one row whose neighbours are all `step` apart.
struct weight_row {
    bool good = false; ///< Whether they are.
    bool channels_first = true;
    std::int64_t step = 1;

    constexpr explicit weight_row(const lettered_axes& w) {
        if (w.outer.parts > 1 || w.channel.parts > 1) return;
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

/// Which of `count` places from w on, `stride` apart, are inside of an axis of that size.
struct places_inside {
    std::int64_t begin;
    std::int64_t end;

    constexpr places_inside(std::int64_t w, std::int64_t stride, std::int64_t size, std::int64_t count)
        : begin(std::min(count, w < 0 ? (stride - 1 - w) / stride : 0))
        , end(std::max(begin, w < size ? std::min(count, (size - 1 - w) / stride + 1) : 0)) {}
};

/// A convolution as products of matrices. A block of output pixels is a matrix whose row k holds, for each
/// pixel, the input that the k-th weight meets there (padding is zero); the weights of the output channels
/// are the other. What is gathered is used for many channels, and the gathering knows about strides, padding,
/// dilation and layouts so that the product need not.
///
/// Requires: the weights are in rows (`weight_row`).
template <class Sum>
class conv_blocks {
    static constexpr std::int64_t pixels = 64;
    static constexpr std::int64_t depth = 128;
    static constexpr std::int64_t channels = 128;
    static_assert(pixels % tile_columns == 0 && channels % tile_rows == 0);

    /// Pixels of a block that are neighbours in one row of the result.
    struct run {
        std::int64_t first;
        std::int64_t count;
        spatial begin;   // of their windows
        std::int64_t to; // the offset of the first in a channel of the result
    };

public:
    /// `after` is done to what is stored, if it is not null. Requires: then, `takes_epilogue`.
    constexpr conv_blocks(const conv_plan& p, const epilogue* after) : p_(p), row_(p.weight), after_(after) {
        join(1, 2);
        join(0, 1);
    }

    constexpr void run_group(const Sum* data, const Sum* weight, Sum* out, std::int64_t n, std::int64_t group) {
        const std::int64_t out_channels = p_.out_channels();
        image_ = data + p_.in.outer.at(n);
        first_channel_ = group * p_.weight.channel.size;
        for (std::int64_t first = 0; first < p_.out.places(); first += pixels) {
            const std::int64_t count = std::min(pixels, p_.out.places() - first);
            find_runs(first, count);
            for (std::int64_t c = 0; c < out_channels; c += channels) {
                const std::int64_t channel = group * out_channels + c;
                const std::int64_t block = std::min(channels, out_channels - c);
                multiply(weight + channel * p_.weight.outer.stride(), block, count);
                store(out + p_.out.outer.at(n), channel, block);
                if constexpr (std::is_same_v<Sum, float>)
                    if (after_ != nullptr) finish(out, p_.out.outer.at(n), channel, block);
            }
        }
    }

private:
    /// Makes one axis of two neighbours where windows of one cell go through all of both.
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

    constexpr void find_runs(std::int64_t first, std::int64_t count) {
        const std::array<lettered_axis, 3>& out = p_.out.space;
        run_count_ = 0;
        for (std::int64_t p = 0; p < count;) {
            const std::int64_t w = (first + p) % out[2].size;
            const std::int64_t h = (first + p) / out[2].size % out[1].size;
            const std::int64_t d = (first + p) / out[2].size / out[1].size;
            const std::int64_t length = std::min(count - p, out[2].size - w);
            run& r = runs_[run_count_++];
            r.first = p;
            r.count = length;
            r.begin = {d * p_.window[0].stride - p_.window[0].before, h * p_.window[1].stride - p_.window[1].before,
                       w * p_.window[2].stride - p_.window[2].before};
            r.to = d * out[0].stride() + h * out[1].stride() + w * out[2].stride();
            p += length;
        }
    }

    /// The products of a block of output channels with a block of pixels, summed over all weights, into
    /// `sums_`.
    constexpr void multiply(const Sum* weight, std::int64_t block, std::int64_t count) {
        const std::int64_t total = p_.weight.channel.size * p_.weight.places();
        const std::int64_t rows = (block + tile_rows - 1) / tile_rows * tile_rows;
        for (std::int64_t c = 0; c < rows; ++c) std::fill_n(sums_ + c * pixels, pixels, Sum{});
        for (std::int64_t k = 0; k < total; k += depth) {
            const std::int64_t deep = std::min(depth, total - k);
            gather(k, deep, count);
            for (std::int64_t c = 0; c < block; c += tile_rows) {
                std::array<const Sum*, tile_rows> row{}; // the last tile repeats its last row
                for (std::int64_t r = 0; r < tile_rows; ++r)
                    row[static_cast<std::size_t>(r)] =
                        weight + std::min(c + r, block - 1) * p_.weight.outer.stride() + k * row_.step;
                for (std::int64_t p = 0; p < count; p += tile_columns)
                    multiply_tile(row, row_.step, deep, patch_ + p, pixels, sums_ + c * pixels + p, pixels);
            }
        }
    }

    /// The inputs that weights k … k + deep meet at each pixel of the block, into `patch_`.
    constexpr void gather(std::int64_t k, std::int64_t deep, std::int64_t count) {
        const std::int64_t padded = (count + tile_columns - 1) / tile_columns * tile_columns;
        for (std::int64_t i = 0; i < deep; ++i) {
            const auto [c, d, h, w] = weight_at(k + i);
            const Sum* channel = image_ + p_.in.channel.at(first_channel_ + c);
            Sum* row = patch_ + i * pixels;
            for (std::int64_t r = 0; r < run_count_; ++r)
                gather_run(channel, runs_[r].begin[0] + d * p_.window[0].dilation,
                           runs_[r].begin[1] + h * p_.window[1].dilation, runs_[r].begin[2] + w * p_.window[2].dilation,
                           row + runs_[r].first, runs_[r].count);
            std::fill(row + count, row + padded, Sum{});
        }
    }

    /// Which channel, and which place in the window, the k-th weight of a row is at.
    constexpr std::array<std::int64_t, 4> weight_at(std::int64_t k) const {
        const std::int64_t height = p_.weight.space[1].size;
        const std::int64_t width = p_.weight.space[2].size;
        const std::int64_t c = row_.channels_first ? k / p_.weight.places() : k % p_.weight.channel.size;
        const std::int64_t place = row_.channels_first ? k % p_.weight.places() : k / p_.weight.channel.size;
        return {c, place / width / height, place / width % height, place % width};
    }

    /// `count` inputs of row (d, h), a window's stride apart, from column w on; zero outside of the image.
    constexpr void gather_run(const Sum* channel, std::int64_t d, std::int64_t h, std::int64_t w, Sum* to,
                              std::int64_t count) const {
        const std::int64_t stride = p_.window[2].stride;
        const bool outside = d < 0 || d >= p_.in.space[0].size || h < 0 || h >= p_.in.space[1].size;
        const places_inside inside(w, stride, outside ? 0 : p_.in.space[2].size, count);
        std::fill(to, to + inside.begin, Sum{});
        if (inside.begin < inside.end) {
            const std::int64_t step = p_.in.space[2].stride();
            const Sum* from = channel + d * p_.in.space[0].stride() + h * p_.in.space[1].stride();
            if (stride * step == 1)
                for (std::int64_t i = inside.begin; i < inside.end; ++i) to[i] = from[w + i];
            else
                for (std::int64_t i = inside.begin; i < inside.end; ++i) to[i] = from[(w + i * stride) * step];
        }
        std::fill(to + inside.end, to + count, Sum{});
    }

    constexpr void store(Sum* image, std::int64_t channel, std::int64_t block) const {
        const std::int64_t step = p_.out.space[2].stride();
        for (std::int64_t c = 0; c < block; ++c) {
            Sum* to = image + p_.out.channel.at(channel + c);
            const Sum* from = sums_ + c * pixels;
            for (std::int64_t r = 0; r < run_count_; ++r)
                for (std::int64_t i = 0; i < runs_[r].count; ++i) to[runs_[r].to + i * step] = from[runs_[r].first + i];
        }
    }

    /// The epilogue of what was stored, in runs of neighbours.
    constexpr void finish(float* out, std::int64_t image, std::int64_t channel, std::int64_t block) const {
        const std::int64_t step = p_.out.space[2].stride();
        if (step == 1) {
            for (std::int64_t c = 0; c < block; ++c)
                for (std::int64_t r = 0; r < run_count_; ++r) {
                    const std::int64_t first = image + p_.out.channel.at(channel + c) + runs_[r].to;
                    after_->apply(out + first, first, runs_[r].count);
                }
        } else {
            for (std::int64_t r = 0; r < run_count_; ++r)
                for (std::int64_t i = 0; i < runs_[r].count; ++i) {
                    const std::int64_t first = image + p_.out.channel.at(channel) + runs_[r].to + i * step;
                    after_->apply(out + first, first, block);
                }
        }
    }

    conv_plan p_;
    weight_row row_;
    const epilogue* after_ = nullptr;
    const Sum* image_ = nullptr;
    std::int64_t first_channel_ = 0;

    run runs_[pixels];
    std::int64_t run_count_ = 0;
    alignas(64) Sum patch_[depth * pixels];
    alignas(64) Sum sums_[channels * pixels];
};

/// A convolution with few output channels in a group, such as one of each channel by itself: each weight times
/// all the inputs that it meets in a row of the result.
template <class Sum>
class conv_rows {
    static constexpr std::int64_t columns = 512; // of a row at a time

public:
    /// `after` is done to what is stored, if it is not null. Requires: then, `takes_epilogue`.
    constexpr conv_rows(const conv_plan& p, const epilogue* after) : p_(p), after_(after) {}

    constexpr void run_group(const Sum* data, const Sum* weight, Sum* out, std::int64_t n, std::int64_t group) {
        const auto& [depth, height, width] = p_.out.space;
        for (std::int64_t o = group * p_.out_channels(); o < (group + 1) * p_.out_channels(); ++o) {
            Sum* to = out + p_.out.outer.at(n) + p_.out.channel.at(o);
            for (std::int64_t d = 0; d < depth.size; ++d)
                for (std::int64_t h = 0; h < height.size; ++h)
                    for (std::int64_t w = 0; w < width.size; w += columns) {
                        const std::int64_t count = std::min(columns, width.size - w);
                        std::fill_n(sums_, count, Sum{});
                        for (std::int64_t c = 0; c < p_.weight.channel.size; ++c)
                            add_channel(data + p_.in.outer.at(n) + p_.in.channel.at(group * p_.weight.channel.size + c),
                                        weight + p_.weight.outer.at(o) + p_.weight.channel.at(c), {d, h, w}, count);
                        Sum* row = to + d * depth.stride() + h * height.stride() + w * width.stride();
                        for (std::int64_t i = 0; i < count; ++i) row[i * width.stride()] = sums_[i];
                        if constexpr (std::is_same_v<Sum, float>)
                            if (after_ != nullptr) after_->apply(row, row - out, count);
                    }
        }
    }

private:
    /// Adds what the weights of one channel make of `count` pixels from `place` on.
    constexpr void add_channel(const Sum* channel, const Sum* weight, const spatial& place, std::int64_t count) {
        const std::array<lettered_axis, 3>& taps = p_.weight.space;
        for (std::int64_t i = 0; i < taps[0].size; ++i)
            for (std::int64_t j = 0; j < taps[1].size; ++j) {
                const std::int64_t d = at(0, place, i);
                const std::int64_t h = at(1, place, j);
                const bool outside = d < 0 || d >= p_.in.space[0].size || h < 0 || h >= p_.in.space[1].size;
                const Sum* row =
                    outside ? nullptr : channel + d * p_.in.space[0].stride() + h * p_.in.space[1].stride();
                for (std::int64_t k = 0; k < taps[2].size; ++k)
                    add_row(row, weight[i * taps[0].stride() + j * taps[1].stride() + k * taps[2].stride()],
                            at(2, place, k), count);
            }
    }

    constexpr std::int64_t at(std::size_t axis, const spatial& place, std::int64_t tap) const {
        const window& w = p_.window[axis];
        return place[axis] * w.stride - w.before + tap * w.dilation;
    }

    /// Adds a weight times the inputs of a row from column w on; those outside of the image are zero, and so
    /// is the whole row if it is null.
    constexpr void add_row(const Sum* row, Sum weight, std::int64_t w, std::int64_t count) {
        const std::int64_t stride = p_.window[2].stride;
        const auto [begin, end] = places_inside(w, stride, row == nullptr ? 0 : p_.in.space[2].size, count);
        const Sum nothing = weight * Sum{0};
        if (nothing != Sum{0}) { // NaN
            for (std::int64_t i = 0; i < begin; ++i) sums_[i] += nothing;
            for (std::int64_t i = end; i < count; ++i) sums_[i] += nothing;
        }
        const std::int64_t step = stride * p_.in.space[2].stride();
        const std::int64_t from = w * p_.in.space[2].stride();
        if (step == 1)
            for (std::int64_t i = begin; i < end; ++i) sums_[i] += weight * row[from + i];
        else
            for (std::int64_t i = begin; i < end; ++i) sums_[i] += weight * row[from + i * step];
    }

    conv_plan p_;
    const epilogue* after_ = nullptr;
    alignas(64) Sum sums_[columns];
};

/// Where in their tensors a convolution's operands and its result begin.
struct conv_places {
    std::int64_t data = 0;
    std::int64_t weight = 0;
    std::int64_t out = 0;
};

/// Whether a convolution stores what are neighbours in memory together, so that an epilogue can be done to it.
constexpr bool takes_epilogue(const conv_plan& p) {
    if (p.out.space[2].stride() == 1) return true;
    return p.out_channels() >= tile_rows && p.out.channel.parts == 1 && p.out.channel.stride() == 1;
}

/// `after` is done to what is stored, if it is not null. Requires: then, `takes_epilogue`, and all begins at the tensors' beginning.
///
/// Requires: all are of one type that is summed in; the weights are in rows (`weight_row`), or there are fewer than
///           `tile_rows` output channels in a group.
constexpr void convolve(const conv_plan& p, const tensor& data, const tensor& weight, tensor& out,
                        const conv_places& at = {}, const epilogue* after = nullptr) {
    if (p.out.outer.size * p.out.channel.size * p.out.places() == 0) return;
    with_sum_type(out.type(), [&]<class Sum>(std::type_identity<Sum>) {
        const auto run = [&](auto&& blocks) {
            for (std::int64_t n = 0; n < p.out.outer.size; ++n)
                for (std::int64_t g = 0; g < p.groups; ++g)
                    blocks.run_group(data.data<Sum>() + at.data, weight.data<Sum>() + at.weight,
                                     out.mutable_data<Sum>() + at.out, n, g);
        };
        if (p.out_channels() < tile_rows)
            run(conv_rows<Sum>(p, after));
        else
            run(conv_blocks<Sum>(p, after));
    });
}

} // namespace tutti::kernel::detail
