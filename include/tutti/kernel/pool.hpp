#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Window, padding and layouts of a pooling over one to three axes.
struct pool_options {
    spatial size{1, 1, 1};
    spatial strides{1, 1, 1};
    spatial dilation{1, 1, 1};
    spatial before{};              ///< Padding at the beginning of each axis.
    spatial after{};               ///< Padding at the end of each axis.
    std::string_view layout{};     ///< NCW, NCHW or NCDHW by the data's rank if empty.
    std::string_view out_layout{}; ///< The data's layout if empty.
    bool ceil_mode = false;        ///< True to keep a last window that exceeds the end.
    /// True if an average divides by the size of the window, not by the number of its cells inside the image.
    bool count_include_pad = false;
};

namespace detail {

enum class pooling : bool { max, mean };

struct pool_plan {
    lettered_axes in;
    lettered_axes out;
    windows window;
    pooling how = pooling::max;
    bool whole = false;     // true if the mean divides by the window size
    std::int64_t least = 0; // minimum of an integer element type
};

/// Pools one row of the result at a time. The outer loops visit the cells of the window, and the inner loop visits the
/// row.
template <class T>
class pool_rows {
    static constexpr std::int64_t columns = 512; // maximum number of results computed at a time

public:
    constexpr explicit pool_rows(const pool_plan& p) : p_(p) {}

    constexpr void run(const T* data, T* out) {
        const auto& [depth, height, width] = p_.out.space;
        for (std::int64_t n = 0; n < p_.out.outer.size; ++n)
            for (std::int64_t c = 0; c < p_.out.channel.size; ++c) {
                const T* from = data + p_.in.outer.at(n) + p_.in.channel.at(c);
                T* to = out + p_.out.outer.at(n) + p_.out.channel.at(c);
                for (std::int64_t d = 0; d < depth.size; ++d)
                    for (std::int64_t h = 0; h < height.size; ++h)
                        for (std::int64_t w = 0; w < width.size; w += columns)
                            run_row(from, {d, h, w}, std::min(columns, width.size - w),
                                    to + d * depth.stride() + h * height.stride() + w * width.stride());
            }
    }

private:
    constexpr void run_row(const T* channel, const spatial& place, std::int64_t count, T* to) {
        const window_part deep(p_.window[0], place[0]);
        const window_part high(p_.window[1], place[1]);
        std::fill_n(cells_, count, first());
        // Skips the cells that are inside the padding for every place of the row. The padding may be far larger than
        // the image.
        const window& wide = p_.window[2];
        const std::int64_t begins = place[2] * wide.stride - wide.before;
        const places_inside of_first(begins, wide.dilation, wide.extent, wide.size);
        const places_inside of_last(begins + (count - 1) * wide.stride, wide.dilation, wide.extent, wide.size);
        const std::int64_t rows = wide.extent == 0 ? 0 : high.count;
        for (std::int64_t i = 0; i < deep.count && rows != 0; ++i)
            for (std::int64_t j = 0; j < rows; ++j) {
                const T* row = channel + (deep.begin + i * p_.window[0].dilation) * p_.in.space[0].stride() +
                               (high.begin + j * p_.window[1].dilation) * p_.in.space[1].stride();
                for (std::int64_t k = of_last.begin; k < of_first.end; ++k) take(row, place[2], k, count);
            }
        const std::int64_t step = p_.out.space[2].stride();
        for (std::int64_t i = 0; i < count; ++i)
            to[i * step] = p_.how == pooling::max ? cells_[i] : mean(cells_[i], deep.count * high.count, place[2] + i);
    }

    /// Accumulates cell k of `count` windows of a row, from window `place` on.
    constexpr void take(const T* row, std::int64_t place, std::int64_t k, std::int64_t count) {
        const window& w = p_.window[2];
        const std::int64_t begins = place * w.stride - w.before + k * w.dilation;
        const places_inside inside(begins, w.stride, w.extent, count);
        const std::int64_t step = w.stride * p_.in.space[2].stride();
        const std::int64_t from = begins * p_.in.space[2].stride();
        if (p_.how == pooling::max)
            for (std::int64_t i = inside.begin; i < inside.end; ++i)
                cells_[i] = element::maximum{}(cells_[i], row[from + i * step]);
        else
            for (std::int64_t i = inside.begin; i < inside.end; ++i)
                cells_[i] = element::add{}(cells_[i], row[from + i * step]);
    }

    constexpr T first() const {
        if (p_.how == pooling::mean) return T{0};
        return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : static_cast<T>(p_.least);
    }

    /// Returns the mean of window w of a row; 0 if no cell is inside the image. `sum` is the sum of the window, `cells`
    /// its number of cells inside along depth and height. Means of integers are rounded toward zero.
    constexpr T mean(T sum, std::int64_t cells, std::int64_t w) const {
        cells = p_.whole ? p_.window[0].size * p_.window[1].size * p_.window[2].size
                         : cells * window_part(p_.window[2], w).count;
        return cells == 0 ? T{0} : static_cast<T>(sum / static_cast<T>(cells));
    }

    pool_plan p_;
    alignas(64) T cells_[columns];
};

/// Returns the number of steps of a pooling: the cells of all windows.
constexpr std::uint64_t steps_of(const pool_plan& p) {
    return steps(p.out.outer.size, p.out.channel.size, p.out.places(), p.window[0].size, p.window[1].size,
                 p.window[2].size);
}

/// Pools in float, double, or 64-bit integers.
constexpr void pool(std::string_view kernel, const tensor& data, pool_plan p, std::string_view layout, tensor& out,
                    workspace& space) {
    check_arithmetic(kernel, data);
    const dtype type = data.type();
    const bool is_signed = type >= dtype::int8 && type <= dtype::int64;
    p.least = is_signed ? std::numeric_limits<std::int64_t>::min() >> (64 - 8 * bytes(type)) : 0;
    const extents shape = place_result(kernel, layout, p.out);
    spend(steps_of(p));
    with_arithmetic(type, [&]<class T>(std::type_identity<T>) {
        const T* from = as_type(data, dtype_of<T>, space.data).template data<T>();
        with_result_as(kernel, type, dtype_of<T>, shape, space.result, out, [&](tensor& to) {
            if (to.size() != 0) pool_rows<T>(p).run(from, to.mutable_data<T>());
        });
    });
}

/// Returns the options with all layouts filled in.
constexpr pool_options with_layouts(pool_options o, const tensor& data) {
    o.layout = layout_or_usual(lettered::data, o.layout, data);
    if (o.out_layout.empty()) o.out_layout = o.layout;
    return o;
}

/// Returns the plan of sliding windows, except the strides of the result. Requires: the layouts are filled in.
constexpr pool_plan plan_windows(std::string_view kernel, const tensor& data, const pool_options& o, pooling how) {
    pool_plan p;
    p.in = axes_in(kernel, "data", lettered::data, o.layout, data.shape());
    p.how = how;
    p.whole = o.count_include_pad;
    const std::size_t rank = spatial_rank(o.layout);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = 3 - rank + i;
        p.window[axis] = {p.in.space[axis].size, o.size[i], o.strides[i], o.dilation[i], o.before[i], o.after[i]};
    }
    check_windows(kernel, p.window, rank);
    check_extent(kernel, std::array{p.window[0].size, p.window[1].size, p.window[2].size}); // the divisor of `mean`
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.in.channel.size;
    for (std::size_t i = 0; i < 3; ++i) p.out.space[i].size = p.window[i].count(o.ceil_mode);
    return p;
}

/// Returns the plan of one window over the whole image. The image may be empty.
constexpr pool_plan plan_all(std::string_view kernel, const tensor& data, const pool_options& o, pooling how) {
    pool_plan p;
    p.in = axes_in(kernel, "data", lettered::data, o.layout, data.shape());
    p.how = how;
    for (std::size_t i = 0; i < 3; ++i) p.window[i] = {.extent = p.in.space[i].size, .size = p.in.space[i].size};
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.in.channel.size;
    return p;
}

constexpr void pool_windows(std::string_view kernel, const tensor& data, const pool_options& options, pooling how,
                            tensor& out, workspace& space) {
    const pool_options o = with_layouts(options, data);
    pool(kernel, data, plan_windows(kernel, data, o, how), o.out_layout, out, space);
}

constexpr void pool_all(std::string_view kernel, const tensor& data, const pool_options& options, pooling how,
                        tensor& out, workspace& space) {
    const pool_options o = with_layouts(options, data);
    pool(kernel, data, plan_all(kernel, data, o, how), o.out_layout, out, space);
}

} // namespace detail

/// Takes the maximum of each window; NaN if the window contains NaN. A window inside the padding yields the least
/// value: minus infinity for floating point.
///
/// Requires: `out` is not the data and not in `space`.
/// Throws:   tutti::error if the data does not fit its layout, if a window does not fit the padded image, or if the
///           element type is bool.
constexpr void max_pool(const tensor& data, const pool_options& options, tensor& out, scratch space = {}) {
    detail::pool_windows("max_pool", data, options, detail::pooling::max, out, *space);
}

/// Takes the mean of each window. Sums float16 and float32 in float, and integers in 64 bits; means of integers round
/// toward zero. A window inside the padding yields 0.
///
/// Requires, Throws: as `max_pool`.
constexpr void avg_pool(const tensor& data, const pool_options& options, tensor& out, scratch space = {}) {
    detail::pool_windows("avg_pool", data, options, detail::pooling::mean, out, *space);
}

/// Takes the maximum of each channel of each image. Ignores all options but the layouts.
///
/// Requires, Throws: as `max_pool`.
constexpr void global_max_pool(const tensor& data, const pool_options& options, tensor& out, scratch space = {}) {
    detail::pool_all("global_max_pool", data, options, detail::pooling::max, out, *space);
}

/// Takes the mean of each channel of each image; 0 if there are no pixels. Ignores all options but the layouts.
///
/// Requires, Throws: as `max_pool`.
constexpr void global_avg_pool(const tensor& data, const pool_options& options, tensor& out, scratch space = {}) {
    detail::pool_all("global_avg_pool", data, options, detail::pooling::mean, out, *space);
}

} // namespace tutti::kernel
