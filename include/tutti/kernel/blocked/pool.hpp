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

/// Takes `n` elements, `step` apart, into others.
template <pooling How>
inline void take_in(const float* from, std::int64_t step, std::int64_t n, float* into) {
    if (step == 1)
        return each_vector(n, [&]<class V>(std::int64_t i, V) {
            store(taken_in<How>(load<V>(into + i), load<V>(from + i)), into + i);
        });
    for (std::int64_t i = 0; i < n; ++i) into[i] = taken_in<How>(into[i], from[i * step]);
}

template <pooling How>
class pool_windows {
    static constexpr float nothing = How == pooling::mean ? 0.F : -std::numeric_limits<float>::infinity();

public:
    pool_windows(const pool_plan& p, tensor& room, executor_ref on) : p_(p), on_(on) {
        const std::int64_t size = row_size() * static_cast<std::int64_t>(tutti::lanes(on, images()));
        room.reset(dtype::float32, std::span(&size, 1));
        room_ = room.mutable_data<float>();
    }

    /// Whether it is for windows over two axes, of neighbours.
    static bool suits(const pool_plan& p) {
        constexpr std::int64_t most = 1 << 16;
        for (const window& w : p.window)
            if (w.before > most || w.after > most || w.reach() > most || w.stride > most) return false;
        return p.in.space[0].size == 1 && p.out.space[0].size == 1 && p.window[0].size == 1 &&
               p.window[0].before == 0 && (by_channel(p) || by_pixel(p));
    }

    void run(const float* data, float* out) {
        const auto rows = static_cast<std::size_t>(p_.out.outer.size * p_.out.space[1].size);
        if (by_pixel(p_) && (p_.in.channel.size > 1 || !by_channel(p_)))
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
                            room_ + static_cast<std::int64_t>(lane) * row_size());
            },
            coarse_grain(on_, images()));
    }

private:
    static bool by_channel(const pool_plan& p) { return p.in.space[2].size == 1 || p.in.space[2].stride() == 1; }
    static bool by_pixel(const pool_plan& p) {
        const auto neighbours = [](const lettered_axis& axis) { return axis.parts <= 1 && axis.stride() == 1; };
        return neighbours(p.in.channel) && neighbours(p.out.channel);
    }

    std::size_t images() const { return static_cast<std::size_t>(p_.out.outer.size * p_.out.channel.size); }

    /// A row of the image with its padding, and as much more as the last window may hang over.
    std::int64_t cells() const {
        const window& w = p_.window[2];
        return std::max(w.before + w.extent, (p_.out.space[2].size - 1) * w.stride + w.reach()) + w.stride;
    }
    /// That, the same with the columns together that a cell of the window meets, and a row of the result and of counts.
    std::int64_t row_size() const { return 2 * (cells() + p_.out.space[2].size); }

    /// How many cells the mean of a window is over.
    float share(std::int64_t h, std::int64_t w) const {
        const std::int64_t cells = p_.whole ? p_.window[1].size * p_.window[2].size
                                            : window_part(p_.window[1], h).count * window_part(p_.window[2], w).count;
        return static_cast<float>(cells);
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
        const std::int64_t width = (cells() + wide.stride - 1) / wide.stride; // of each phase
        float* const phases = row + cells();
        float* const sums = phases + cells();
        float* const counts = sums + columns.size;
        std::fill_n(row, cells(), nothing);
        for (std::int64_t y = 0; y < rows.size; ++y) {
            const window_part part(high, y);
            std::fill_n(row + wide.before, wide.extent, nothing);
            for (std::int64_t i = 0; i < part.count; ++i)
                take_in<How>(channel + (part.begin + i * high.dilation) * p_.in.space[1].stride(), 1, wide.extent,
                             row + wide.before);
            std::fill_n(sums, columns.size, nothing);
            if (wide.stride == 2) {
                for (std::int64_t phase = 0; phase < 2; ++phase)
                    copy_strided(row + phase, 2, phases + phase * width, 0, width - phase);
            }
            for (std::int64_t j = 0; j < wide.size; ++j) {
                const std::int64_t at = j * wide.dilation;
                if (wide.stride == 2)
                    take_in<How>(phases + at % 2 * width + at / 2, 1, columns.size, sums);
                else
                    take_in<How>(row + at, wide.stride, columns.size, sums);
            }
            float* const place = to + y * rows.stride();
            if constexpr (How == pooling::mean) {
                if (y == 0 || part.count != window_part(high, y - 1).count)
                    for (std::int64_t x = 0; x < columns.size; ++x) counts[x] = share(y, x);
                for (std::int64_t x = 0; x < columns.size; ++x) sums[x] = mean(sums[x], counts[x]);
            }
            for (std::int64_t x = 0; x < columns.size; ++x) place[x * columns.stride()] = sums[x];
        }
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
                                 1, channels, to);
            if constexpr (How == pooling::mean) {
                const float cells = share(y, x);
                for (std::int64_t c = 0; c < channels; ++c) to[c] = mean(to[c], cells);
            }
        }
    }

    const pool_plan& p_;
    executor_ref on_;
    float* room_ = nullptr;
};

template <pooling How, pool_plan (*Plan)(std::string_view, const tensor&, const pool_options&, pooling)>
inline bool pool(std::string_view kernel, const tensor& data, const pool_options& options, tensor& out, tensor& room,
                 executor_ref on) {
    if (data.type() != dtype::float32) return false;
    const pool_options o = kernel::detail::with_layouts(options, data);
    pool_plan p = Plan(kernel, data, o, How);
    const extents shape = place_result(kernel, o.out_layout, p.out);
    if (!pool_windows<How>::suits(p)) return false;
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
