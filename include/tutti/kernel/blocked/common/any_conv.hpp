#pragma once

#include <tutti/kernel/blocked/common/any_tile.hpp>
#include <tutti/kernel/blocked/common/pixel_gather.hpp>
#include <tutti/kernel/blocked/common/weight_row.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// Convolutions and products in any sum type, blocked for the cache and written for the compiler's vectoriser.

namespace tutti::kernel::blocked {

namespace detail {

/// A convolution as products of two matrices. Row k of the first matrix holds, for each pixel of a block of output
/// pixels, the operand of the k-th weight (padding is zero). The second matrix holds the weights of the output
/// channels. Gathered operands are reused for many channels, and only the gathering handles strides, padding, dilation
/// and layouts.
///
/// Requires: the weights are in rows (`weight_row`).
template <class Sum>
class conv_blocks {
    static constexpr std::int64_t pixels = 64;
    static constexpr std::int64_t depth = 128;
    static constexpr std::int64_t channels = 128;
    static_assert(pixels % any_tile_columns == 0 && channels % any_tile_rows == 0);

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
    /// Multiplies the weights of a block of output channels by the operands of a block of pixels. Stores the sums over
    /// all weights in `sums_`.
    constexpr void multiply(const Sum* weight, std::int64_t block, std::int64_t count) {
        const std::int64_t total = p_.weight.channel.size * p_.weight.places();
        const std::int64_t rows = (block + any_tile_rows - 1) / any_tile_rows * any_tile_rows;
        const std::int64_t padded = (count + any_tile_columns - 1) / any_tile_columns * any_tile_columns;
        for (std::int64_t c = 0; c < rows; ++c) std::fill_n(sums_ + c * pixels, pixels, Sum{});
        for (std::int64_t k = 0; k < total; k += depth) {
            const std::int64_t deep = std::min(depth, total - k);
            gather_.gather(image_, {first_channel_, row_.channels_first, k, deep}, {patch_, pixels, padded});
            for (std::int64_t c = 0; c < block; c += any_tile_rows) {
                any_rows<Sum> tile{.row = {}, .step = row_.step, .depth = deep}; // an incomplete tile repeats a row
                for (std::int64_t r = 0; r < any_tile_rows; ++r)
                    tile.row[static_cast<std::size_t>(r)] =
                        weight + std::min(c + r, block - 1) * p_.weight.outer.stride() + k * row_.step;
                for (std::int64_t p = 0; p < count; p += any_tile_columns)
                    multiply_any_tile(tile, patch_ + p, pixels, sums_ + c * pixels + p, pixels);
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

/// A convolution with few output channels in a group, such as a depthwise one. Computes a row of the result at a time,
/// as the sum of each weight times its operands.
template <class Sum>
class conv_rows {
    static constexpr std::int64_t columns = 512; // maximum length of a part of a row

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
    /// Adds the products of one channel's weights for `count` pixels from `place` on.
    constexpr void add_channel(const Sum* channel, const Sum* weight, const spatial& place, std::int64_t count) {
        const std::array<lettered_axis, 3>& taps = p_.weight.space;
        for (std::int64_t i = 0; i < taps[0].size; ++i)
            for (std::int64_t j = 0; j < taps[1].size; ++j) {
                const std::int64_t d = p_.window[0].at(place[0], i);
                const std::int64_t h = p_.window[1].at(place[1], j);
                const Sum* row = p_.in.space[0].has(d) && p_.in.space[1].has(h)
                                     ? channel + d * p_.in.space[0].stride() + h * p_.in.space[1].stride()
                                     : nullptr;
                for (std::int64_t k = 0; k < taps[2].size; ++k)
                    add_row(row, weight[taps[0].at(i) + j * taps[1].stride() + k * taps[2].stride()],
                            p_.window[2].at(place[2], k), count);
            }
    }

    /// Adds `weight` times the inputs of a row from column `w` on. Inputs outside the image are zero; if `row` is null,
    /// all inputs are zero.
    constexpr void add_row(const Sum* row, Sum weight, std::int64_t w, std::int64_t count) {
        const std::int64_t stride = p_.window[2].stride;
        const auto [begin, end] = places_inside(w, stride, row == nullptr ? 0 : p_.in.space[2].size, count);
        const Sum nothing = weight * Sum{0};
        if (nothing != Sum{0}) { // the weight is infinite or NaN
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

/// True for a matrix product with few rows, if the rows of the data and of the weights are contiguous: `out[m, n] = sum
/// over k of data[m, k] * weight[n, k]`.
constexpr bool is_of_few_rows(const conv_plan& p) {
    const auto has_no_gaps = [](const lettered_axis& axis) { return axis.parts <= 1 && axis.stride() == 1; };
    const std::int64_t rows = p.in.space[2].size;
    return p.groups == 1 && p.out.outer.size == 1 && rows < any_tile_columns && p.out.space[2].size == rows &&
           p.out.places() == rows && p.weight.places() == 1 && p.window == windows{window{}, {}, {.extent = rows}} &&
           has_no_gaps(p.in.channel) && has_no_gaps(p.weight.channel) && p.weight.outer.parts <= 1 &&
           p.out.channel.parts <= 1;
}

/// Requires: `is_of_few_rows(p)`.
template <class Sum>
constexpr void multiply_few_rows(const conv_plan& p, const Sum* data, const Sum* weight, Sum* out) {
    const std::int64_t units = p.out.channel.size;
    // The outer loop runs over weights, so that four rows of them stay in the cache while all data is read.
    for (std::int64_t n = 0; n < units; n += any_tile_rows) {
        const std::int64_t count = std::min(any_tile_rows, units - n);
        std::array<const Sum*, any_tile_rows> row{}; // an incomplete tile repeats its last row
        for (std::int64_t r = 0; r < any_tile_rows; ++r)
            row[static_cast<std::size_t>(r)] = weight + p.weight.outer.at(n + std::min(r, count - 1));
        for (std::int64_t m = 0; m < p.in.space[2].size; ++m) {
            const auto sums = any_dot(data + p.in.space[2].at(m), row, p.in.channel.size);
            for (std::int64_t r = 0; r < count; ++r)
                out[p.out.channel.at(n + r) + p.out.space[2].at(m)] = sums[static_cast<std::size_t>(r)];
        }
    }
}

} // namespace detail

/// The convolver of `kernels::blocked` for convolutions without a vector kernel. Supports any type, and multiplies
/// blocks that stay in the cache. Sums float32 in float, in blocks of 128 products. A template, so that only programs
/// that use the convolver compile it for each type.
///
/// Cost: gathers about one operand per 128 multiply-adds; uses 64 KiB of stack for float32. Copies weights that have no
///       constant stride.
template <class = void>
constexpr void convolve_in_blocks(const detail::conv_plan& plan, const tensor& data, const tensor& weight, tensor& out,
                                  const kernel::detail::conv_places& at, tensor& rows) {
    if (plan.out.outer.size * plan.out.channel.size * plan.out.places() == 0) return;
    const bool few = plan.out_channels() < detail::any_tile_rows;
    detail::conv_plan p = plan;
    kernel::detail::conv_places places = at;
    const tensor* weights = &weight;
    if (!few && !detail::weight_row(p.weight).good) {
        weights = &detail::pack_weight(p.weight, weight, at.weight, rows);
        places.weight = 0;
    }
    kernel::detail::with_sum_type(out.type(), [&]<class Sum>(std::type_identity<Sum>) {
        const Sum* from = data.data<Sum>() + places.data;
        const Sum* by = weights->data<Sum>() + places.weight;
        Sum* to = out.mutable_data<Sum>() + places.out;
        const auto run = [&](auto&& blocks) {
            for (std::int64_t n = 0; n < p.out.outer.size; ++n)
                for (std::int64_t g = 0; g < p.groups; ++g) blocks.run_group(from, by, to, n, g);
        };
        if (detail::is_of_few_rows(p))
            detail::multiply_few_rows(p, from, by, to);
        else if (few)
            run(detail::conv_rows<Sum>(p));
        else
            run(detail::conv_blocks<Sum>(p));
    });
}

} // namespace tutti::kernel::blocked
