#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/allowance.hpp>
#include <tutti/kernel/blocked/pool.hpp>
#include <tutti/kernel/blocked/vectors.hpp>
#include <tutti/kernel/check.hpp>
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
#include <utility>

// Pooling of integers over two axes, in their own width: the same numbers as the reference's.

namespace tutti::kernel::blocked {

namespace detail {

/// The greatest of bytes, as if without sign: signed ones are taken with the sign bit flipped.
struct greatest_byte {
    using element = std::uint8_t;
    using sum = std::uint8_t;
    static constexpr pooling how = pooling::max;
    static constexpr sum nothing = 0;
};
struct greatest_int {
    using element = std::int32_t;
    using sum = std::int32_t;
    static constexpr pooling how = pooling::max;
    static constexpr sum nothing = std::numeric_limits<std::int32_t>::min();
};
/// The mean of int32, summed in float64, which is exact up to `most_cells` of them.
struct mean_int {
    using element = std::int32_t;
    using sum = double;
    static constexpr pooling how = pooling::mean;
    static constexpr sum nothing = 0;
};
inline constexpr std::int64_t most_cells = 1 << 20;

/// Windows of an image channel by channel, or of pixels whose channels are neighbours, as `pool_windows` of float32.
template <class How>
class integer_windows {
    using element = typename How::element;
    using sum = typename How::sum;
    static constexpr bool mean = How::how == pooling::mean;
    static constexpr auto width = static_cast<std::int64_t>(vector_bytes / sizeof(sum));
    typedef sum sums __attribute__((vector_size(vector_bytes)));                    // NOLINT
    typedef element elements __attribute__((vector_size(width * sizeof(element)))); // NOLINT

public:
    /// `flip` is what bits of each element are taken as if flipped. Requires: `has_plain_windows(p)`; `data` has `size` elements.
    integer_windows(const pool_plan& p, const element* data, std::int64_t size, element flip, tensor& room,
                    executor_ref on)
        : p_(p), on_(on), data_(data), end_(data + size), flip_(flip) {
        const std::int64_t bytes = row_size() * static_cast<std::int64_t>(sizeof(sum) * tutti::lanes(on, images()));
        room.reset(dtype::uint8, std::span(&bytes, 1));
        rows_ = reinterpret_cast<sum*>(room.mutable_data<std::uint8_t>());
        std::fill_n(rows_, bytes / static_cast<std::int64_t>(sizeof(sum)), How::nothing);
    }

    void run(element* out) {
        const auto rows = static_cast<std::size_t>(p_.out.outer.size * p_.out.space[1].size);
        if (are_by_pixel(p_))
            return for_each_index(
                on_, rows, [&](std::size_t i) { run_pixels(out, static_cast<std::int64_t>(i)); },
                coarse_grain(on_, rows));
        for_each_index(
            on_, images(),
            [&](std::size_t i, std::size_t lane) {
                const std::int64_t n = static_cast<std::int64_t>(i) / p_.out.channel.size;
                const std::int64_t c = static_cast<std::int64_t>(i) % p_.out.channel.size;
                run_channel(data_ + p_.in.outer.at(n) + p_.in.channel.at(c),
                            out + p_.out.outer.at(n) + p_.out.channel.at(c),
                            rows_ + static_cast<std::int64_t>(lane) * row_size());
            },
            coarse_grain(on_, images()));
    }

private:
    std::size_t images() const { return static_cast<std::size_t>(p_.out.outer.size * p_.out.channel.size); }

    /// A row of the image with its padding, and as much as the last window may hang over.
    std::int64_t cells() const {
        const window& w = p_.window[2];
        return std::max(w.before + w.extent, (p_.out.space[2].size - 1) * w.stride + w.reach()) + w.stride;
    }
    /// That and what vectors read behind it, and a row of the result in whole vectors.
    std::int64_t read_size() const { return cells() + 2 * width; }
    std::int64_t row_size() const {
        const std::int64_t size = read_size() + p_.out.space[2].size + width;
        return (size + width - 1) / width * width;
    }

    /// A vector from there on, of which what is beyond the data is zero.
    [[gnu::always_inline]] sums read(const element* from) const {
        elements e{};
        if (end_ - from >= width) [[likely]]
            __builtin_memcpy(&e, from, sizeof e);
        else
            __builtin_memcpy(&e, from, static_cast<std::size_t>(end_ - from) * sizeof(element));
        if constexpr (mean)
            return __builtin_convertvector(e, sums);
        else
            return e ^ flip_;
    }
    [[gnu::always_inline]] static sums load_sums(const sum* from) {
        sums v;
        __builtin_memcpy(&v, from, sizeof v);
        return v;
    }
    [[gnu::always_inline]] static void store_sums(const sums& v, sum* to) { __builtin_memcpy(to, &v, sizeof v); }
    [[gnu::always_inline]] static sums taken(const sums& a, const sums& b) {
        if constexpr (mean)
            return a + b;
        else
            return a > b ? a : b;
    }
    [[gnu::always_inline]] static sums next_but_one(const sum* from) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return __builtin_shufflevector(load_sums(from), load_sums(from + width), 2 * I...);
        }(std::make_integer_sequence<int, static_cast<int>(width)>{});
    }

    /// A sum divided by the number of cells, toward zero; 0 of none.
    static element mean_of(sum x, double cells) { return cells == 0 ? 0 : static_cast<element>(x / cells); }
    /// How many cells along one axis the mean of a window is over.
    double cells_along(const window& w, std::int64_t place) const {
        return static_cast<double>(p_.whole ? w.size : window_part(w, place).count);
    }

    void run_channel(const element* channel, element* to, sum* row) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const std::int64_t columns = p_.out.space[2].size;
        const std::int64_t step = p_.out.space[2].stride();
        const std::int64_t stride = p_.in.space[1].stride();
        sum* const made = row + read_size();
        for (std::int64_t y = 0; y < p_.out.space[1].size; ++y) {
            const window_part part(high, y);
            const element* const first = channel + part.begin * stride;
            for (std::int64_t x = 0; x < wide.extent; x += width) {
                sums all = sums{} + How::nothing;
                for (std::int64_t i = 0; i < part.count; ++i)
                    all = taken(all, read(first + i * high.dilation * stride + x));
                store_sums(all, row + wide.before + x);
            }
            const std::int64_t behind =
                wide.before + wide.extent; // what vectors have written there is no part of the row
            std::fill_n(row + behind, cells() - behind, How::nothing);
            if (wide.stride == 1)
                take_columns([](const sum* from) { return load_sums(from); }, row, made);
            else if (wide.stride == 2)
                take_columns([](const sum* from) { return next_but_one(from); }, row, made);
            else
                take_apart(row, made);
            element* const place = to + y * p_.out.space[1].stride();
            if constexpr (!mean) {
                for (std::int64_t x = 0; x < columns; x += width) store_sums(load_sums(made + x) ^ flip_, made + x);
                if (step == 1)
                    std::copy_n(made, columns, place);
                else
                    for (std::int64_t x = 0; x < columns; ++x) place[x * step] = made[x];
            } else {
                const double high_cells = cells_along(high, y);
                for (std::int64_t x = 0; x < columns; ++x)
                    place[x * step] = mean_of(made[x], high_cells * cells_along(wide, x));
            }
        }
    }

    /// What each window takes of these, in whole vectors; `next` reads those of windows side by side.
    template <class Next>
    [[gnu::always_inline]] void take_columns(Next next, const sum* row, sum* made) const {
        const window& wide = p_.window[2];
        for (std::int64_t x = 0; x < p_.out.space[2].size; x += width) {
            sums all = next(row + x * wide.stride);
            for (std::int64_t j = 1; j < wide.size; ++j)
                all = taken(all, next(row + x * wide.stride + j * wide.dilation));
            store_sums(all, made + x);
        }
    }

    /// The same for windows that are any number of cells apart.
    void take_apart(const sum* row, sum* made) const {
        const window& wide = p_.window[2];
        for (std::int64_t x = 0; x < p_.out.space[2].size; ++x) {
            sum all = How::nothing;
            for (std::int64_t j = 0; j < wide.size; ++j) {
                const sum cell = row[x * wide.stride + j * wide.dilation];
                all = mean ? static_cast<sum>(all + cell) : std::max(all, cell);
            }
            made[x] = all;
        }
    }

    /// A row of pixels of the result.
    void run_pixels(element* out, std::int64_t i) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const lettered_axis& rows = p_.out.space[1];
        const std::int64_t channels = p_.out.channel.size;
        const element* const image = data_ + p_.in.outer.at(i / rows.size);
        const std::int64_t y = i % rows.size;
        const window_part down(high, y);
        for (std::int64_t x = 0; x < p_.out.space[2].size; ++x) {
            element* const to = out + p_.out.outer.at(i / rows.size) + y * rows.stride() + x * p_.out.space[2].stride();
            const window_part along(wide, x);
            const double cells = mean ? cells_along(high, y) * cells_along(wide, x) : 0;
            for (std::int64_t c = 0; c < channels; c += width) {
                sums all = sums{} + How::nothing;
                for (std::int64_t h = 0; h < down.count; ++h)
                    for (std::int64_t w = 0; w < along.count; ++w)
                        all = taken(all, read(image + (down.begin + h * high.dilation) * p_.in.space[1].stride() +
                                              (along.begin + w * wide.dilation) * p_.in.space[2].stride() + c));
                if constexpr (!mean) all ^= flip_;
                const std::int64_t n = std::min(width, channels - c);
                if constexpr (mean)
                    for (std::int64_t k = 0; k < n; ++k) to[c + k] = mean_of(all[k], cells);
                else
                    __builtin_memcpy(to + c, &all, static_cast<std::size_t>(n) * sizeof(element));
            }
        }
    }

    const pool_plan& p_;
    executor_ref on_;
    const element* data_;
    const element* end_;
    element flip_;
    sum* rows_ = nullptr; // by lane
};

template <class How>
inline void pool_integers(const pool_plan& p, const tensor& data, tensor& out, tensor& room, executor_ref on) {
    using element = typename How::element;
    const auto flip = static_cast<element>(data.type() == dtype::int8 ? 0x80 : 0);
    integer_windows<How>(p, static_cast<const element*>(data.memory()), data.size(), flip, room, on)
        .run(static_cast<element*>(out.mutable_memory()));
}

template <pool_plan (*Plan)(std::string_view, const tensor&, const pool_options&, pooling)>
inline bool pool_integers(std::string_view kernel, pooling how, const tensor& data, const pool_options& options,
                          tensor& out, tensor& room, executor_ref on) {
    const dtype type = data.type();
    const bool byte = type == dtype::int8 || type == dtype::uint8;
    if (type != dtype::int32 && (!byte || how == pooling::mean)) return false;
    const pool_options o = kernel::detail::with_layouts(options, data);
    pool_plan p = Plan(kernel, data, o, how);
    const extents shape = place_result(kernel, o.out_layout, p.out);
    if (!has_plain_windows(p) || p.window[1].size > most_cells / std::max<std::int64_t>(1, p.window[2].size))
        return false;
    spend(kernel::detail::steps_of(p));
    kernel::detail::make_result(kernel, type, shape, out);
    if (out.size() == 0) return true;
    if (byte)
        pool_integers<greatest_byte>(p, data, out, room, on);
    else if (how == pooling::max)
        pool_integers<greatest_int>(p, data, out, room, on);
    else
        pool_integers<mean_int>(p, data, out, room, on);
    return true;
}

} // namespace detail

/// `kernel::max_pool` of int8, uint8 and int32, with room that is kept from one time to the next.
///
/// False if the element type is another, or the windows are over three axes or layouts others than NCHW, NHWC and their like; then
/// nothing is done.
/// Throws: as `kernel::max_pool`.
inline bool max_pool_integers(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                              executor_ref on = {}) {
    return detail::pool_integers<kernel::detail::plan_windows>("max_pool", detail::pooling::max, data, options, out,
                                                               room, on);
}

/// `kernel::avg_pool` of int32, otherwise as `max_pool_integers`.
inline bool avg_pool_integers(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                              executor_ref on = {}) {
    return detail::pool_integers<kernel::detail::plan_windows>("avg_pool", detail::pooling::mean, data, options, out,
                                                               room, on);
}

/// `kernel::global_max_pool`, otherwise as `max_pool_integers`.
inline bool global_max_pool_integers(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                                     executor_ref on = {}) {
    return detail::pool_integers<kernel::detail::plan_all>("global_max_pool", detail::pooling::max, data, options, out,
                                                           room, on);
}

/// `kernel::global_avg_pool` of int32, otherwise as `max_pool_integers`.
inline bool global_avg_pool_integers(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                                     executor_ref on = {}) {
    return detail::pool_integers<kernel::detail::plan_all>("global_avg_pool", detail::pooling::mean, data, options, out,
                                                           room, on);
}

} // namespace tutti::kernel::blocked
