#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/pixel_gather.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

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

public:
    constexpr explicit conv_blocks(const conv_plan& p) : p_(p), row_(p.weight), gather_(p) {}

    constexpr void run_group(const Sum* data, const Sum* weight, Sum* out, std::int64_t n, std::int64_t group) {
        const std::int64_t out_channels = p_.out_channels();
        image_ = data + p_.in.outer.at(n);
        first_channel_ = group * p_.weight.channel.size;
        for (std::int64_t first = 0; first < gather_.places(); first += pixels) {
            const std::int64_t count = std::min(pixels, gather_.places() - first);
            gather_.find_runs(first, count);
            for (std::int64_t c = 0; c < out_channels; c += channels) {
                const std::int64_t channel = group * out_channels + c;
                const std::int64_t block = std::min(channels, out_channels - c);
                multiply(weight + channel * p_.weight.outer.stride(), block, count);
                gather_.store(sums_, pixels, out + p_.out.outer.at(n), channel, block);
            }
        }
    }

private:
    /// The products of a block of output channels with a block of pixels, summed over all weights, into
    /// `sums_`.
    constexpr void multiply(const Sum* weight, std::int64_t block, std::int64_t count) {
        const std::int64_t total = p_.weight.channel.size * p_.weight.places();
        const std::int64_t rows = (block + tile_rows - 1) / tile_rows * tile_rows;
        const std::int64_t padded = (count + tile_columns - 1) / tile_columns * tile_columns;
        for (std::int64_t c = 0; c < rows; ++c) std::fill_n(sums_ + c * pixels, pixels, Sum{});
        for (std::int64_t k = 0; k < total; k += depth) {
            const std::int64_t deep = std::min(depth, total - k);
            gather_.gather(image_, first_channel_, row_.channels_first, k, deep, padded, patch_, pixels);
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

    conv_plan p_;
    weight_row row_;
    pixel_gather<Sum, pixels> gather_;
    const Sum* image_ = nullptr;
    std::int64_t first_channel_ = 0;
    alignas(64) Sum patch_[depth * pixels];
    alignas(64) Sum sums_[channels * pixels];
};

/// A convolution with few output channels in a group, such as one of each channel by itself: each weight times
/// all the inputs that it meets in a row of the result.
template <class Sum>
class conv_rows {
    static constexpr std::int64_t columns = 512; // of a row at a time

public:
    constexpr explicit conv_rows(const conv_plan& p) : p_(p) {}

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
    alignas(64) Sum sums_[columns];
};

/// Where in their tensors a convolution's operands and its result begin.
struct conv_places {
    std::int64_t data = 0;
    std::int64_t weight = 0;
    std::int64_t out = 0;
};

/// Requires: all are of one type that is summed in; the weights are in rows (`weight_row`), or there are fewer than
///           `tile_rows` output channels in a group.
constexpr void convolve(const conv_plan& p, const tensor& data, const tensor& weight, tensor& out,
                        const conv_places& at = {}) {
    if (p.out.outer.size * p.out.channel.size * p.out.places() == 0) return;
    with_sum_type(out.type(), [&]<class Sum>(std::type_identity<Sum>) {
        const auto run = [&](auto&& blocks) {
            for (std::int64_t n = 0; n < p.out.outer.size; ++n)
                for (std::int64_t g = 0; g < p.groups; ++g)
                    blocks.run_group(data.data<Sum>() + at.data, weight.data<Sum>() + at.weight,
                                     out.mutable_data<Sum>() + at.out, n, g);
        };
        if (p.out_channels() < tile_rows)
            run(conv_rows<Sum>(p));
        else
            run(conv_blocks<Sum>(p));
    });
}

} // namespace tutti::kernel::detail
