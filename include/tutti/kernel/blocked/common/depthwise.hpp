#pragma once

#include <tutti/kernel/blocked/common/cells.hpp>
#include <tutti/kernel/blocked/common/products.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/product_terms.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

// Depthwise convolutions along one or two axes.

namespace tutti::kernel::blocked::detail {

using kernel::detail::conv_plan;

/// True for a depthwise convolution along one or two axes.
constexpr bool is_depthwise(const conv_plan& p) {
    return p.weight.channel.size == 1 && p.groups > 1 && p.in.space[0].size == 1 && p.out.space[0].size == 1 &&
           p.weight.space[0].size == 1 && p.window[0].before == 0;
}

/// Depthwise convolution of images, one channel at a time. Copies each channel. In the copy, the pixels that a
/// cell of the window multiplies along a row of the result are contiguous.
template <products How = products::float32>
class depthwise_rows {
public:
    depthwise_rows(const conv_plan& p, tensor& room, const call_means& means)
        : p_(p)
        , means_(means)
        , image_(p, p.out.space[1].size, !in_order())
        , band_(std::clamp<std::int64_t>(2048 / image_.made_row(), 1, p.out.space[1].size))
        , room_(image_.size() + image_.in_vectors(band_)) {
        row_ = image_.place(1, 0);
        for (std::int64_t j = 0; j < p.window[2].size; ++j) column_[j] = image_.place(0, j);
        const std::int64_t size = room_ * at_once();
        room.reset(dtype::float32, std::span(&size, 1));
        cells_ = room.mutable_data<float>();
        std::fill_n(cells_, size, 0.F);
    }

    static bool suits(const conv_plan& p) { return image_cells::suits(p); }

    void run(const float* data, const float* weight, float* out) {
        run_channels([&](std::int64_t n, std::int64_t g,
                         std::int64_t) { return data + p_.in.outer.at(n) + p_.in.channel.at(g); },
                     weight, out);
    }

    /// Returns the maximum number of channels convolved at the same time.
    std::int64_t at_once() const { return static_cast<std::int64_t>(tutti::lanes(means_.on, images())); }

    /// Convolves the channels that `channel(image, number, lane)` returns, one after another in each lane.
    template <class F>
    void run_channels(F channel, const float* weight, float* out) {
        const epilogue* const after = in_order() ? means_.taken() : nullptr;
        const auto run_channel = [&](std::size_t i, std::size_t lane) {
            const std::int64_t n = static_cast<std::int64_t>(i) / p_.groups;
            const std::int64_t g = static_cast<std::int64_t>(i) % p_.groups;
            float* const cells = cells_ + static_cast<std::int64_t>(lane) * room_;
            image_.copy(channel(n, g, static_cast<std::int64_t>(lane)), 0, cells);
            for (std::int64_t o = g * p_.out_channels(); o < (g + 1) * p_.out_channels(); ++o)
                convolve(weight + p_.weight.outer.at(o), cells, out, p_.out.outer.at(n) + p_.out.channel.at(o), after);
        };
        for_each_index(means_.on, images(), run_channel, coarse_grain(means_.on, images()));
    }

private:
    std::size_t images() const { return static_cast<std::size_t>(p_.out.outer.size * p_.groups); }

    /// True if the elements of a channel of the result are contiguous.
    bool in_order() const {
        const lettered_axis* const space = p_.out.space.data();
        return (space[2].size == 1 || space[2].stride() == 1) &&
               (space[1].size == 1 || space[1].stride() == space[2].size);
    }

    /// Returns the number of rows of a channel of the result that can be stored in whole vectors: the excess of a row
    /// is overwritten by the next row.
    std::int64_t whole_rows() const {
        const std::int64_t columns = p_.out.space[2].size;
        const std::int64_t beyond = rounded_up(columns, lanes) - columns;
        return in_order() ? std::max<std::int64_t>(0, p_.out.space[1].size - (beyond + columns - 1) / columns) : 0;
    }

    /// Computes a channel of the result, which begins at `out + first`, a few rows at a time.
    void convolve(const float* weight, float* cells, float* out, std::int64_t first, const epilogue* after) const {
        const lettered_axis& rows = p_.out.space[1];
        const lettered_axis& columns = p_.out.space[2];
        const bool ordered = in_order();
        const std::int64_t whole = whole_rows();
        for (std::int64_t y = 0; y < rows.size; y += band_) {
            const std::int64_t high = std::min(band_, rows.size - y);
            const std::int64_t direct = std::clamp<std::int64_t>(whole - y, 0, high);
            float* const place = out + first + y * rows.stride();
            float* const sums = cells + image_.size();
            sum_rows(weight, cells, y, direct, place, columns.size);
            sum_rows(weight, cells, y + direct, high - direct, sums, image_.made_row());
            for (std::int64_t r = direct; r < high; ++r) {
                const float* const made = sums + (r - direct) * image_.made_row();
                if (ordered)
                    copy_some(made, place + r * columns.size, columns.size);
                else
                    for (std::int64_t x = 0; x < columns.size; ++x)
                        place[r * rows.stride() + x * columns.stride()] = made[x];
            }
            const std::int64_t at = first + y * columns.size;
            if (after != nullptr) after->apply(out + at, at, high * columns.size);
        }
    }

    /// Computes rows of the result, `distance` apart, in whole vectors.
    void sum_rows(const float* weight, const float* cells, std::int64_t first, std::int64_t rows, float* to,
                  std::int64_t distance) const {
        if (rows == 0) return;
        cells += first * p_.window[1].stride * image_.row();
        const std::int64_t vectors = image_.vectors(rows);
        // The last group of vectors overlaps the one before it.
        if (vectors >= 8)
            for (std::int64_t v = 0; v < vectors; v += 8)
                sum_cells<8>(weight, cells, std::min(v, vectors - 8), to, distance);
        else if (vectors >= 4)
            for (std::int64_t v = 0; v < vectors; v += 4)
                sum_cells<4>(weight, cells, std::min(v, vectors - 4), to, distance);
        else
            for (std::int64_t v = 0; v < vectors; ++v) sum_cells<1>(weight, cells, v, to, distance);
    }

    /// Computes `Count` vectors of the result from `vector` on: sums a weight times a vector of cells over the window.
    template <std::size_t Count>
    [[gnu::always_inline]] void sum_cells(const float* weight, const float* cells, std::int64_t vector, float* to,
                                          std::int64_t distance) const {
        const std::int64_t down = p_.weight.space[1].stride();
        const std::int64_t right = p_.weight.space[2].stride();
        std::int64_t from[Count];
        image_.find_cells(vector, from);
        typename product_sums<How>::sums sum[Count] = {};
        for (std::int64_t i = 0; i < p_.window[1].size; ++i)
            for (std::int64_t j = 0; j < p_.window[2].size; ++j) {
                const float* const cell = cells + i * row_ + column_[j];
                const float* const by = weight + i * down + j * right;
#pragma GCC unroll 8
                for (std::size_t a = 0; a < Count; ++a) add_products<How>(sum[a], by, load(cell + from[a]));
            }
        image_.find_made(vector, distance, from);
#pragma GCC unroll 8
        for (std::size_t a = 0; a < Count; ++a) store(sum[a], to + from[a]);
    }

    const conv_plan& p_;
    call_means means_;
    image_cells image_;
    std::int64_t band_;                                   // rows of the result computed at a time
    std::int64_t room_;                                   // elements of scratch memory per lane
    std::int64_t row_ = 0;                                // stride between rows of the window
    std::int64_t column_[image_cells::most_columns] = {}; // offset of each column of the window
    float* cells_ = nullptr;
};

/// Depthwise convolution of float32 images pixel by pixel, with vectors of neighbouring channels.
///
/// Requires: each channel of the data yields one channel of the result.
class depthwise_channels {
public:
    depthwise_channels(const conv_plan& p, tensor& room, const call_means& means) : p_(p), means_(means) {
        const std::int64_t channels = p.out.channel.size;
        const std::int64_t size = (p.weight.places() + 1) * channels;
        room.reset(dtype::float32, std::span(&size, 1));
        weight_ = room.mutable_data<float>();
        nothing_ = weight_ + p.weight.places() * channels;
        std::fill_n(nothing_, channels, 0.F);
    }

    static bool suits(const conv_plan& p) {
        const auto neighbours = [](const lettered_axis& axis) { return axis.parts <= 1 && axis.stride() == 1; };
        return p.out_channels() == 1 && neighbours(p.in.channel) && neighbours(p.out.channel);
    }

    void run(const float* data, const float* weight, float* out) {
        const std::int64_t channels = p_.out.channel.size;
        for (std::int64_t i = 0; i < p_.weight.space[1].size; ++i)
            for (std::int64_t j = 0; j < p_.weight.space[2].size; ++j)
                for (std::int64_t c = 0; c < channels; ++c)
                    weight_[(i * p_.weight.space[2].size + j) * channels + c] =
                        weight[p_.weight.outer.at(c) + p_.weight.space[1].at(i) + p_.weight.space[2].at(j)];
        const lettered_axis& rows = p_.out.space[1];
        const lettered_axis& columns = p_.out.space[2];
        const epilogue* const after = means_.taken();
        const std::int64_t all = p_.out.outer.size * rows.size;
        for_each_index(
            means_.on, static_cast<std::size_t>(all),
            [&](std::size_t i) {
                const std::int64_t n = static_cast<std::int64_t>(i) / rows.size;
                const std::int64_t y = static_cast<std::int64_t>(i) % rows.size;
                for (std::int64_t x = 0; x < columns.size; ++x) {
                    const std::int64_t first = p_.out.outer.at(n) + y * rows.stride() + x * columns.stride();
                    convolve(data + p_.in.outer.at(n), y, x, out + first);
                    if (after != nullptr) after->apply(out + first, first, channels);
                }
            },
            coarse_grain(means_.on, static_cast<std::size_t>(all)));
    }

private:
    /// Computes all channels of a pixel.
    void convolve(const float* image, std::int64_t y, std::int64_t x, float* to) const {
        const std::int64_t channels = p_.out.channel.size;
        std::int64_t c = 0;
        for (; c + 2 * lanes <= channels; c += 2 * lanes) {
            floats left{};
            floats right{};
            each_cell(image, y, x, [&](const float* in, const float* by) {
                left += load(in + c) * load(by + c);
                right += load(in + c + lanes) * load(by + c + lanes);
            });
            store(left, to + c);
            store(right, to + c + lanes);
        }
        for (; c < channels; ++c) {
            float sum = 0;
            each_cell(image, y, x, [&](const float* in, const float* by) { sum += in[c] * by[c]; });
            to[c] = sum;
        }
    }

    /// Calls `f(channels of a pixel, weights)` for each cell of the window at (y, x). Outside the image, the channels
    /// are zero.
    template <class F>
    [[gnu::always_inline]] void each_cell(const float* image, std::int64_t y, std::int64_t x, F f) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const float* by = weight_;
        for (std::int64_t i = 0; i < high.size; ++i) {
            const std::int64_t h = y * high.stride - high.before + i * high.dilation;
            for (std::int64_t j = 0; j < wide.size; ++j, by += p_.out.channel.size) {
                const std::int64_t w = x * wide.stride - wide.before + j * wide.dilation;
                const bool outside = h < 0 || h >= high.extent || w < 0 || w >= wide.extent;
                f(outside ? nothing_ : image + h * p_.in.space[1].stride() + w * p_.in.space[2].stride(), by);
            }
        }
    }

    const conv_plan& p_;
    call_means means_;
    float* weight_ = nullptr;
    float* nothing_ = nullptr;
};

} // namespace tutti::kernel::blocked::detail
