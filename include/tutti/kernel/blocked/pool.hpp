#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/allowance.hpp>
#include <tutti/kernel/blocked/lines.hpp>
#include <tutti/kernel/blocked/vectors.hpp>
#include <tutti/kernel/epilogue.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

// Pooling of float32 over two axes: windows of an image channel by channel, first their rows and then their columns; or of pixels whose
// channels are neighbours, all of these together.

namespace tutti::kernel::blocked {

namespace detail {

using kernel::detail::pool_plan;
using kernel::detail::pooling;

/// The larger of each two elements, NaN if one is, or their sum.
template <pooling How, class V>
[[gnu::always_inline]] inline V taken_in(const V& sum, const V& x) {
    if constexpr (How == pooling::mean)
        return sum + x;
    else
        return ((x > sum) | (x != x)) ? x : sum;
}

/// Takes `n` elements into others.
template <pooling How>
inline void take_in(const float* from, std::int64_t n, float* into) {
    each_vector(
        n, [&]<class V>(std::int64_t i, V) { store(taken_in<How>(load<V>(into + i), load<V>(from + i)), into + i); });
}

inline bool has_neighbours_in_rows(const pool_plan& p) {
    return p.in.space[2].size == 1 || p.in.space[2].stride() == 1;
}
inline bool has_neighbours_in_pixels(const pool_plan& p) {
    const auto neighbours = [](const lettered_axis& axis) { return axis.parts <= 1 && axis.stride() == 1; };
    return neighbours(p.in.channel) && neighbours(p.out.channel);
}

/// Whether the windows are over two axes, and what they meet along a row, or the channels of a pixel, are neighbours.
inline bool has_plain_windows(const pool_plan& p) {
    constexpr std::int64_t most = 1 << 16;
    for (const window& w : p.window)
        if (w.before > most || w.after > most || w.reach() > most || w.stride > most) return false;
    return p.in.space[0].size == 1 && p.out.space[0].size == 1 && p.window[0].size == 1 && p.window[0].before == 0 &&
           (has_neighbours_in_rows(p) || has_neighbours_in_pixels(p));
}

/// Whether all channels of a pixel are done together.
inline bool are_by_pixel(const pool_plan& p) {
    return has_neighbours_in_pixels(p) && (p.in.channel.size > 1 || !has_neighbours_in_rows(p));
}

template <pooling How>
class pool_windows {
    static constexpr float nothing = How == pooling::mean ? 0.F : -std::numeric_limits<float>::infinity();

public:
    pool_windows(const pool_plan& p, tensor& room, executor_ref on) : p_(p), on_(on) {
        const std::int64_t columns = p.out.space[2].size;
        const std::int64_t rows = row_size() * static_cast<std::int64_t>(tutti::lanes(on, images()));
        const std::int64_t size = columns + rows;
        room.reset(dtype::float32, std::span(&size, 1));
        widths_ = room.mutable_data<float>();
        rows_ = widths_ + columns;
        for (std::int64_t x = 0; x < columns; ++x) widths_[x] = cells_along(p.window[2], x);
        std::fill_n(rows_, rows, nothing);
    }

    void run(const float* data, float* out) {
        const auto rows = static_cast<std::size_t>(p_.out.outer.size * p_.out.space[1].size);
        if (are_by_pixel(p_))
            return for_each_index(
                on_, rows, [&](std::size_t i) { run_pixels(data, out, static_cast<std::int64_t>(i)); },
                coarse_grain(on_, rows));
        for_each_index(
            on_, images(),
            [&](std::size_t i, std::size_t lane) {
                const std::int64_t n = static_cast<std::int64_t>(i) / p_.out.channel.size;
                const std::int64_t c = static_cast<std::int64_t>(i) % p_.out.channel.size;
                run_channel(data + p_.in.outer.at(n) + p_.in.channel.at(c),
                            out + p_.out.outer.at(n) + p_.out.channel.at(c),
                            rows_ + static_cast<std::int64_t>(lane) * row_size());
            },
            coarse_grain(on_, images()));
    }

private:
    std::size_t images() const { return static_cast<std::size_t>(p_.out.outer.size * p_.out.channel.size); }

    /// A row of the image with its padding, and as much more as the last window may hang over.
    std::int64_t cells() const {
        const window& w = p_.window[2];
        return std::max(w.before + w.extent, (p_.out.space[2].size - 1) * w.stride + w.reach()) + w.stride;
    }
    /// That, and what vectors read behind it.
    std::int64_t read_size() const { return cells() + 2 * lanes; }
    /// That, and a row of the result in whole vectors.
    std::int64_t row_size() const { return read_size() + p_.out.space[2].size + lanes; }

    /// How many cells along one axis the mean of a window is over.
    float cells_along(const window& w, std::int64_t place) const {
        return static_cast<float>(p_.whole ? w.size : window_part(w, place).count);
    }
    static float mean(float sum, float cells) { return cells == 0 ? 0.F : sum / cells; }

    void run_channel(const float* channel, float* to, float* row) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const lettered_axis& rows = p_.out.space[1];
        const lettered_axis& columns = p_.out.space[2];
        if (columns.size * rows.size == 1 && covers(high) && covers(wide) &&
            (high.extent == 1 || p_.in.space[1].stride() == wide.extent)) {
            const std::int64_t n = high.extent * wide.extent;
            if constexpr (How == pooling::mean)
                *to = mean(static_cast<float>(sum_of(channel, nullptr, n, 0.F, [](const floats& x) { return x; })),
                           static_cast<float>(n));
            else
                *to = greatest(channel, n);
            return;
        }
        float* const sums = row + read_size();
        for (std::int64_t y = 0; y < rows.size; ++y) {
            take_rows(channel, y, row + wide.before);
            if (wide.stride == 1)
                take_columns([](const float* from) { return load(from); }, row, sums);
            else if (wide.stride == 2)
                take_columns([](const float* from) { return every_other(load(from), load(from + lanes)); }, row, sums);
            else
                take_apart(row, sums);
            if constexpr (How == pooling::mean) {
                const float high_cells = cells_along(high, y);
                each_vector(columns.size, [&]<class V>(std::int64_t x, V) {
                    const V cells = load<V>(widths_ + x) * high_cells;
                    store(cells == 0.F ? V{} : load<V>(sums + x) / cells, sums + x);
                });
            }
            float* const place = to + y * rows.stride();
            if (columns.stride() == 1)
                copy_some(sums, place, columns.size);
            else
                for (std::int64_t x = 0; x < columns.size; ++x) place[x * columns.stride()] = sums[x];
        }
    }

    /// What the windows of a row of the result take of each column of the image.
    void take_rows(const float* channel, std::int64_t y, float* row) const {
        const window& high = p_.window[1];
        const std::int64_t stride = p_.in.space[1].stride();
        const window_part part(high, y);
        const float* const first = channel + part.begin * stride;
        each_vector_again(p_.window[2].extent, [&]<class V>(std::int64_t x, V) {
            V sum = V{} + nothing;
            for (std::int64_t i = 0; i < part.count; ++i)
                sum = taken_in<How>(sum, load<V>(first + i * high.dilation * stride + x));
            store(sum, row + x);
        });
    }

    /// What each window takes of these, in whole vectors; `next` reads those of windows side by side.
    template <class Next>
    void take_columns(Next next, const float* row, float* sums) const {
        const window& wide = p_.window[2];
        for (std::int64_t x = 0; x < p_.out.space[2].size; x += lanes) {
            floats sum = floats{} + nothing;
            for (std::int64_t j = 0; j < wide.size; ++j)
                sum = taken_in<How>(sum, next(row + x * wide.stride + j * wide.dilation));
            store(sum, sums + x);
        }
    }

    /// The same for windows that are any number of cells apart.
    void take_apart(const float* row, float* sums) const {
        const window& wide = p_.window[2];
        const std::int64_t n = p_.out.space[2].size;
        std::fill_n(sums, n, nothing);
        for (std::int64_t j = 0; j < wide.size; ++j)
            for (std::int64_t x = 0; x < n; ++x)
                sums[x] = taken_in<How>(sums[x], row[x * wide.stride + j * wide.dilation]);
    }

    /// Whether the one window of an axis is all of it.
    static bool covers(const window& w) { return w.size == w.extent && w.before == 0 && w.dilation == 1; }

    /// A row of pixels of the result.
    void run_pixels(const float* data, float* out, std::int64_t i) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const lettered_axis& rows = p_.out.space[1];
        const lettered_axis& columns = p_.out.space[2];
        const std::int64_t channels = p_.out.channel.size;
        const std::int64_t y = i % rows.size;
        const float* const image = data + p_.in.outer.at(i / rows.size);
        const window_part down(high, y);
        for (std::int64_t x = 0; x < columns.size; ++x) {
            float* const to = out + p_.out.outer.at(i / rows.size) + y * rows.stride() + x * columns.stride();
            const window_part along(wide, x);
            std::fill_n(to, channels, nothing);
            for (std::int64_t h = 0; h < down.count; ++h)
                for (std::int64_t w = 0; w < along.count; ++w)
                    take_in<How>(image + (down.begin + h * high.dilation) * p_.in.space[1].stride() +
                                     (along.begin + w * wide.dilation) * p_.in.space[2].stride(),
                                 channels, to);
            if constexpr (How == pooling::mean) {
                const float cells = cells_along(high, y) * widths_[x];
                for (std::int64_t c = 0; c < channels; ++c) to[c] = mean(to[c], cells);
            }
        }
    }

    const pool_plan& p_;
    executor_ref on_;
    float* widths_ = nullptr; // by column of the result: how many cells along the row a mean is over
    float* rows_ = nullptr;   // by lane
};

template <pooling How, pool_plan (*Plan)(std::string_view, const tensor&, const pool_options&, pooling)>
inline bool pool(std::string_view kernel, const tensor& data, const pool_options& options, tensor& out, tensor& room,
                 executor_ref on) {
    if (data.type() != dtype::float32) return false;
    const pool_options o = kernel::detail::with_layouts(options, data);
    pool_plan p = Plan(kernel, data, o, How);
    const extents shape = place_result(kernel, o.out_layout, p.out);
    if (!has_plain_windows(p)) return false;
    spend(kernel::detail::steps_of(p));
    kernel::detail::make_result(kernel, dtype::float32, shape, out);
    if (out.size() != 0) pool_windows<How>(p, room, on).run(data.data<float>(), out.mutable_data<float>());
    return true;
}

} // namespace detail

/// `kernel::max_pool` of float32, with room that is kept from one time to the next.
///
/// False if the element type is another, or the windows are over three axes or layouts others than NCHW, NHWC and their like; then
/// nothing is done.
/// Throws: as `kernel::max_pool`.
inline bool max_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room, executor_ref on = {}) {
    return detail::pool<detail::pooling::max, kernel::detail::plan_windows>("max_pool", data, options, out, room, on);
}

/// `kernel::avg_pool`, otherwise as `max_pool`.
inline bool avg_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room, executor_ref on = {}) {
    return detail::pool<detail::pooling::mean, kernel::detail::plan_windows>("avg_pool", data, options, out, room, on);
}

/// `kernel::global_max_pool`, otherwise as `max_pool`.
inline bool global_max_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                            executor_ref on = {}) {
    return detail::pool<detail::pooling::max, kernel::detail::plan_all>("global_max_pool", data, options, out, room,
                                                                        on);
}

/// `kernel::global_avg_pool`, otherwise as `max_pool`.
inline bool global_avg_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                            executor_ref on = {}) {
    return detail::pool<detail::pooling::mean, kernel::detail::plan_all>("global_avg_pool", data, options, out, room,
                                                                         on);
}

} // namespace tutti::kernel::blocked
