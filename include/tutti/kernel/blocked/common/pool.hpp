#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/float/lines.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// Pooling over two axes of float32, or of integers in their own width. Results equal the reference's. If channels are
// adjacent, all channels of a pixel are pooled together. Otherwise, each channel is pooled over the rows of each window
// first and then over its columns.

namespace tutti::kernel::blocked {

namespace detail {

using kernel::detail::pool_plan;
using kernel::detail::pooling;

/// Reductions of a window: `sum` is the type of the accumulator, `nothing` the initial value.
struct greatest_float {
    using element = float;
    using sum = float;
    static constexpr pooling how = pooling::max;
    static constexpr sum nothing = -std::numeric_limits<float>::infinity();
};
struct mean_float {
    using element = float;
    using sum = float;
    static constexpr pooling how = pooling::mean;
    static constexpr sum nothing = 0;
};
/// The maximum of unsigned bytes; signed bytes are read with the sign bit flipped.
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
/// The mean of int32, rounded toward zero. The sum is float64, which is exact for up to `most_cells` cells.
struct mean_int {
    using element = std::int32_t;
    using sum = double;
    static constexpr pooling how = pooling::mean;
    static constexpr sum nothing = 0;
};
inline constexpr std::int64_t most_cells = 1 << 20;

inline bool has_neighbours_in_rows(const pool_plan& p) {
    return p.in.space[2].size == 1 || p.in.space[2].stride() == 1;
}
inline bool has_neighbours_in_pixels(const pool_plan& p) {
    const auto neighbours = [](const lettered_axis& axis) { return axis.parts <= 1 && axis.stride() == 1; };
    return neighbours(p.in.channel) && neighbours(p.out.channel);
}

/// True if windows run over two axes, and the elements of a row or the channels of a pixel are contiguous.
inline bool has_plain_windows(const pool_plan& p) {
    constexpr std::int64_t most = 1 << 16;
    for (const window& w : p.window)
        if (w.before > most || w.after > most || w.reach() > most || w.stride > most) return false;
    return p.in.space[0].size == 1 && p.out.space[0].size == 1 && p.window[0].size == 1 && p.window[0].before == 0 &&
           (has_neighbours_in_rows(p) || has_neighbours_in_pixels(p));
}

/// True if all channels of a pixel are pooled together.
inline bool are_by_pixel(const pool_plan& p) {
    return has_neighbours_in_pixels(p) && (p.in.channel.size > 1 || !has_neighbours_in_rows(p));
}

template <class How>
class pool_windows {
    using element = typename How::element;
    using sum = typename How::sum;
    static constexpr bool is_mean = How::how == pooling::mean;
    static constexpr bool is_float = std::is_same_v<element, float>;
    static constexpr auto width = static_cast<std::int64_t>(vector_bytes / sizeof(sum));
    typedef sum sums __attribute__((vector_size(vector_bytes)));                    // NOLINT: see `floats`
    typedef element elements __attribute__((vector_size(width * sizeof(element)))); // NOLINT

public:
    /// Prepares the windows of `p`. The bits of `flip` are flipped in each element. Requires: `has_plain_windows(p)`;
    /// `data` has `size` elements.
    pool_windows(const pool_plan& p, const element* data, std::int64_t size, std::uint8_t flip, tensor& room,
                 executor_ref on)
        : p_(p), on_(on), data_(data), end_(data + size), flip_(flip) {
        const std::int64_t columns = p.out.space[2].size;
        const std::int64_t rows = row_size() * static_cast<std::int64_t>(tutti::lanes(on, images()));
        const std::int64_t bytes = (whole(columns) + rows) * static_cast<std::int64_t>(sizeof(sum));
        room.reset(dtype::uint8, std::span(&bytes, 1));
        widths_ = reinterpret_cast<sum*>(room.mutable_data<std::uint8_t>());
        rows_ = widths_ + whole(columns);
        std::fill_n(widths_, whole(columns) + rows, How::nothing);
        if constexpr (is_mean)
            for (std::int64_t x = 0; x < columns; ++x) widths_[x] = cells_along(p.window[2], x);
    }

    void run(element* out) const {
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

    /// Rounds up to whole vectors.
    static constexpr std::int64_t whole(std::int64_t n) { return (n + width - 1) / width * width; }

    /// Returns the length of a padded row of the image, including the excess of the last window.
    std::int64_t cells() const {
        const window& w = p_.window[2];
        return std::max(w.before + w.extent, (p_.out.space[2].size - 1) * w.stride + w.reach()) + w.stride;
    }
    /// Returns `cells()` plus the excess of vector reads, in whole vectors.
    std::int64_t read_size() const { return whole(cells() + 2 * width); }
    /// Returns `read_size()` plus the size of a row of the result in whole vectors.
    std::int64_t row_size() const { return read_size() + whole(p_.out.space[2].size); }

    /// Reads a vector; if `NearEnd`, elements beyond the data are zero.
    template <bool NearEnd>
    [[gnu::always_inline]] sums read(const element* from) const {
        elements e{};
        if (NearEnd && end_ - from < width) [[unlikely]]
            __builtin_memcpy(&e, from, static_cast<std::size_t>(end_ - from) * sizeof(element));
        else
            __builtin_memcpy(&e, from, sizeof e);
        if constexpr (!std::is_same_v<element, sum>)
            return __builtin_convertvector(e, sums);
        else
            return flipped(e);
    }
    [[gnu::always_inline]] sums flipped(const sums& v) const {
        if constexpr (sizeof(element) == 1)
            return v ^ flip_;
        else
            return v;
    }
    [[gnu::always_inline]] static sums load_sums(const sum* from) {
        sums v;
        __builtin_memcpy(&v, from, sizeof v);
        return v;
    }
    [[gnu::always_inline]] static void store_sums(const sums& v, sum* to) { __builtin_memcpy(to, &v, sizeof v); }
    [[gnu::always_inline]] static sums next_but_one(const sum* from) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return __builtin_shufflevector(load_sums(from), load_sums(from + width), 2 * I...);
        }(std::make_integer_sequence<int, static_cast<int>(width)>{});
    }

    /// Returns the maximum of corresponding elements, which is NaN if either is NaN. For a mean, returns their sum.
    template <class V>
    [[gnu::always_inline]] static V taken_in(const V& all, const V& x) {
        if constexpr (is_mean)
            return all + x;
        else if constexpr (is_float)
            return ((x > all) | (x != x)) ? x : all;
        else
            return x > all ? x : all;
    }

    /// Returns the number of cells along one axis that a mean divides by.
    sum cells_along(const window& w, std::int64_t place) const {
        return static_cast<sum>(p_.whole ? w.size : window_part(w, place).count);
    }
    /// Returns the mean over `cells` cells, 0 if there are none. For a maximum, restores the flipped bits.
    [[gnu::always_inline]] sums result_of(const sums& all, const sums& cells) const {
        if constexpr (is_mean)
            return cells == 0 ? sums{} : all / cells;
        else
            return flipped(all);
    }

    void run_channel(const element* channel, element* to, sum* row) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const std::int64_t columns = p_.out.space[2].size;
        const std::int64_t step = p_.out.space[2].stride();
        if constexpr (is_float)
            if (columns * p_.out.space[1].size == 1 && covers(high) && covers(wide) &&
                (high.extent == 1 || p_.in.space[1].stride() == wide.extent)) {
                *to = of_all(channel, high.extent * wide.extent);
                return;
            }
        sum* const made = row + read_size();
        for (std::int64_t y = 0; y < p_.out.space[1].size; ++y) {
            take_rows(channel, y, row + wide.before);
            if (wide.stride == 1)
                take_columns([](const sum* from) { return load_sums(from); }, row, made);
            else if (wide.stride == 2)
                take_columns([](const sum* from) { return next_but_one(from); }, row, made);
            else
                take_apart(row, made);
            if constexpr (is_mean || sizeof(element) == 1) {
                const sum high_cells = is_mean ? cells_along(high, y) : sum{};
                for (std::int64_t x = 0; x < columns; x += width)
                    store_sums(result_of(load_sums(made + x), load_sums(widths_ + x) * high_cells), made + x);
            }
            element* const place = to + y * p_.out.space[1].stride();
            if (step != 1)
                for (std::int64_t x = 0; x < columns; ++x) place[x * step] = static_cast<element>(made[x]);
            else if constexpr (is_float)
                copy_some(made, place, columns);
            else if constexpr (std::is_same_v<element, sum>)
                std::copy_n(made, columns, place);
            else
                for (std::int64_t x = 0; x < columns; ++x) place[x] = static_cast<element>(made[x]);
        }
    }

    /// Returns the maximum or the mean of contiguous float32 elements. The mean is summed in parts.
    static float of_all(const float* from, std::int64_t n) {
        if constexpr (!is_mean) return greatest(from, n);
        const double all = sum_of(from, nullptr, n, 0.F, [](const floats& x) { return x; });
        return n == 0 ? 0 : static_cast<float>(all) / static_cast<float>(n);
    }
    /// True if an axis has a single window, which covers the whole axis.
    static bool covers(const window& w) { return w.size == w.extent && w.before == 0 && w.dilation == 1; }

    /// Reduces each column of the image over the rows of the windows for row `y` of the result. Works in whole vectors,
    /// and appends `nothing`.
    void take_rows(const element* channel, std::int64_t y, sum* row) const {
        const window& high = p_.window[1];
        const std::int64_t stride = p_.in.space[1].stride();
        const window_part part(high, y);
        const element* const first = channel + part.begin * stride;
        const std::int64_t step = high.dilation * stride;
        const std::int64_t columns = p_.window[2].extent;
        if (end_ - first < (part.count - 1) * step + whole(columns))
            take_vectors<true>(first, part.count, step, row);
        else
            take_vectors<false>(first, part.count, step, row);
        std::fill_n(row + columns, whole(columns) - columns, How::nothing);
    }
    template <bool NearEnd>
    [[gnu::always_inline]] void take_vectors(const element* first, std::int64_t count, std::int64_t step,
                                             sum* row) const {
        for (std::int64_t x = 0; x < p_.window[2].extent; x += width) {
            sums all = sums{} + How::nothing;
            for (std::int64_t i = 0; i < count; ++i) all = taken_in(all, read<NearEnd>(first + i * step + x));
            store_sums(all, row + x);
        }
    }

    /// Reduces the results of `take_rows` along each window, in whole vectors. `next` reads a vector of operands for
    /// adjacent windows.
    template <class Next>
    [[gnu::always_inline]] void take_columns(Next next, const sum* row, sum* made) const {
        const window& wide = p_.window[2];
        for (std::int64_t x = 0; x < p_.out.space[2].size; x += width) {
            sums all = next(row + x * wide.stride);
            for (std::int64_t j = 1; j < wide.size; ++j)
                all = taken_in(all, next(row + x * wide.stride + j * wide.dilation));
            store_sums(all, made + x);
        }
    }

    /// Reduces like `take_columns`, for windows with any stride.
    void take_apart(const sum* row, sum* made) const {
        const window& wide = p_.window[2];
        const std::int64_t n = p_.out.space[2].size;
        std::fill_n(made, n, How::nothing);
        for (std::int64_t j = 0; j < wide.size; ++j)
            for (std::int64_t x = 0; x < n; ++x) made[x] = taken_in(made[x], row[x * wide.stride + j * wide.dilation]);
    }

    /// Pools a row of pixels of the result.
    void run_pixels(element* out, std::int64_t i) const {
        const window& high = p_.window[1];
        const window& wide = p_.window[2];
        const lettered_axis& rows = p_.out.space[1];
        const std::int64_t channels = p_.out.channel.size;
        const element* const image = data_ + p_.in.outer.at(i / rows.size);
        const std::int64_t y = i % rows.size;
        const window_part down(high, y);
        const sum high_cells = is_mean ? cells_along(high, y) : sum{};
        for (std::int64_t x = 0; x < p_.out.space[2].size; ++x) {
            element* const to = out + p_.out.outer.at(i / rows.size) + y * rows.stride() + x * p_.out.space[2].stride();
            const window_part along(wide, x);
            const sums cells = sums{} + static_cast<sum>(high_cells * widths_[x]);
            for (std::int64_t c = 0; c < channels; c += width) {
                sums all = sums{} + How::nothing;
                for (std::int64_t h = 0; h < down.count; ++h)
                    for (std::int64_t w = 0; w < along.count; ++w)
                        all = taken_in(all,
                                       read<true>(image + (down.begin + h * high.dilation) * p_.in.space[1].stride() +
                                                  (along.begin + w * wide.dilation) * p_.in.space[2].stride() + c));
                const elements made = __builtin_convertvector(result_of(all, cells), elements);
                const std::int64_t n = std::min(width, channels - c);
                if (n == width)
                    __builtin_memcpy(to + c, &made, sizeof made);
                else
                    __builtin_memcpy(to + c, &made, static_cast<std::size_t>(n) * sizeof(element));
            }
        }
    }

    const pool_plan& p_;
    executor_ref on_;
    const element* data_;
    const element* end_;
    std::uint8_t flip_;
    sum* widths_ = nullptr; // for each column of the result, the number of cells along the row
    sum* rows_ = nullptr;   // scratch memory of all lanes
};

template <class How>
inline void run_windows(const pool_plan& p, const tensor& data, tensor& out, tensor& room, executor_ref on) {
    using element = typename How::element;
    pool_windows<How>(p, static_cast<const element*>(data.memory()), data.size(), data.type() == dtype::int8 ? 0x80 : 0,
                      room, on)
        .run(static_cast<element*>(out.mutable_memory()));
}

using pool_planner = pool_plan (*)(std::string_view, const tensor&, const pool_options&, pooling);

struct pool_kind {
    std::string_view kernel;
    pool_planner plan;
    pooling how;
};

inline bool pool(const pool_kind& kind, const tensor& data, const pool_options& options, tensor& out, tensor& room,
                 executor_ref on) {
    const auto [kernel, plan, how] = kind;
    const dtype type = data.type();
    const bool byte = type == dtype::int8 || type == dtype::uint8;
    if (type != dtype::float32 && type != dtype::int32 && (!byte || how == pooling::mean)) return false;
    const pool_options o = kernel::detail::with_layouts(options, data);
    pool_plan p = plan(kernel, data, o, how);
    const extents shape = place_result(kernel, o.out_layout, p.out);
    if (!has_plain_windows(p)) return false;
    const bool exact = p.window[1].size <= most_cells / std::max<std::int64_t>(1, p.window[2].size);
    if (type == dtype::int32 && how == pooling::mean && !exact) return false;
    spend(kernel::detail::steps_of(p));
    kernel::detail::make_result(kernel, type, shape, out);
    if (out.size() == 0) return true;
    if (how == pooling::mean)
        (type == dtype::int32 ? run_windows<mean_int> : run_windows<mean_float>)(p, data, out, room, on);
    else
        (byte                   ? run_windows<greatest_byte>
         : type == dtype::int32 ? run_windows<greatest_int>
                                : run_windows<greatest_float>)(p, data, out, room, on);
    return true;
}

} // namespace detail

/// Computes `kernel::max_pool` of float32, int8, uint8 and int32. `room` is scratch memory.
///
/// Does nothing and returns false for other element types, windows over three axes, and layouts other than NCHW, NHWC
/// and the like.
/// Throws: as `kernel::max_pool`.
inline bool max_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room, executor_ref on = {}) {
    return detail::pool({"max_pool", kernel::detail::plan_windows, detail::pooling::max}, data, options, out, room, on);
}

/// Computes `kernel::avg_pool` of float32, and of int32 with windows of at most 2^20 cells. `room` is scratch memory.
///
/// Does nothing and returns false for other operands, and for axes and layouts that `max_pool` does not support.
/// Throws: as `kernel::avg_pool`.
inline bool avg_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room, executor_ref on = {}) {
    return detail::pool({"avg_pool", kernel::detail::plan_windows, detail::pooling::mean}, data, options, out, room,
                        on);
}

/// Computes `kernel::global_max_pool` for the types, axes and layouts of `max_pool`. `room` is scratch memory.
///
/// Does nothing and returns false for other operands.
/// Throws: as `kernel::global_max_pool`.
inline bool global_max_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                            executor_ref on = {}) {
    return detail::pool({"global_max_pool", kernel::detail::plan_all, detail::pooling::max}, data, options, out, room,
                        on);
}

/// Computes `kernel::global_avg_pool` of float32, and of int32 with at most 2^20 cells. `room` is scratch memory.
///
/// Does nothing and returns false for other operands, and for axes and layouts that `max_pool` does not support.
/// Throws: as `kernel::global_avg_pool`.
inline bool global_avg_pool(const tensor& data, const pool_options& options, tensor& out, tensor& room,
                            executor_ref on = {}) {
    return detail::pool({"global_avg_pool", kernel::detail::plan_all, detail::pooling::mean}, data, options, out, room,
                        on);
}

} // namespace tutti::kernel::blocked
