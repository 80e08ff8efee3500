#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/image.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// How a pooling window slides over an image.
struct pool2d_options {
    size2d pool{};
    size2d strides{};
    padding2d padding{};
    size2d dilation{};
    image_layout layout = image_layout::nchw;
    bool ceil_mode = false; ///< Whether a last window that hangs over the end is kept.
    bool count_include_pad =
        false; ///< Whether an average is over the whole window, not over its cells inside of the image.
};

namespace detail {

constexpr window pool_rows(const pool2d_options& o, const image_axes& data) {
    return {data.h, o.pool.h, o.strides.h, o.dilation.h, o.padding.top, o.padding.bottom};
}

constexpr window pool_columns(const pool2d_options& o, const image_axes& data) {
    return {data.w, o.pool.w, o.strides.w, o.dilation.w, o.padding.left, o.padding.right};
}

/// The cells of a window that are inside of the axis, from its i-th place.
struct window_part {
    std::int64_t begin;
    std::int64_t count;

    constexpr window_part(const window& w, std::int64_t i) {
        const std::int64_t start = i * w.stride - w.before;
        const std::int64_t skip = start < 0 ? (w.dilation - 1 - start) / w.dilation : 0;
        begin = start + skip * w.dilation;
        const std::int64_t fit = begin < w.extent ? (w.extent - 1 - begin) / w.dilation + 1 : 0;
        count = std::max<std::int64_t>(0, std::min(w.size - skip, fit));
    }
};

/// For each channel of each image and each place of the window: `finish(fold over the window's cells inside,
/// how many)`.
template <class T, class State, class Step, class Finish>
constexpr void pool2d(view<const T> data, const pool2d_options& o, view<T> out, State first, Step step,
                      Finish finish) {
    const image_axes in = image_axes_of(data.shape, o.layout);
    const image_axes to = image_axes_of(out.shape, o.layout);
    const image_axes in_stride = image_axes_of(row_major_strides(data.shape), o.layout);
    const image_axes to_stride = image_axes_of(row_major_strides(out.shape), o.layout);
    const window rows = pool_rows(o, in);
    const window columns = pool_columns(o, in);
    for (std::int64_t n = 0; n < to.n; ++n)
        for (std::int64_t c = 0; c < to.c; ++c) {
            const T* from = data.data + n * in_stride.n + c * in_stride.c;
            T* result = out.data + n * to_stride.n + c * to_stride.c;
            for (std::int64_t h = 0; h < to.h; ++h) {
                const window_part y(rows, h);
                for (std::int64_t w = 0; w < to.w; ++w) {
                    const window_part x(columns, w);
                    State state = first;
                    for (std::int64_t i = 0; i < y.count; ++i) {
                        const T* row = from + (y.begin + i * rows.dilation) * in_stride.h;
                        for (std::int64_t j = 0; j < x.count; ++j)
                            state = step(state, row[(x.begin + j * columns.dilation) * in_stride.w]);
                    }
                    result[h * to_stride.h + w * to_stride.w] = finish(state, y.count * x.count);
                }
            }
        }
}

/// A sum divided by a count, rounded toward zero for integers; 0 / 0 is 0.
template <class T>
constexpr T mean(sum_type<T> sum, std::int64_t count) {
    if (count == 0) return convert<T>(sum_type<T>{0});
    if constexpr (std::signed_integral<T>)
        return static_cast<T>(static_cast<std::make_signed_t<sum_type<T>>>(sum) / count);
    else if constexpr (std::integral<T>)
        return static_cast<T>(sum / static_cast<std::uint64_t>(count));
    else
        return convert<T>(sum / static_cast<sum_type<T>>(count));
}

} // namespace detail

/// The largest element in each window; NaN if there is one. A window that lies in the padding only gives the
/// least value: minus infinity for floating point.
///
/// Requires: shapes that `pool2d_shape` accepts and that `out` has; `out` does not overlap the data.
template <class T>
constexpr void max_pool2d(view<const T> data, const pool2d_options& options, view<T> out) {
    using computed = compute_type<T>;
    constexpr computed least = std::numeric_limits<computed>::has_infinity
                                   ? -std::numeric_limits<computed>::infinity()
                                   : std::numeric_limits<computed>::lowest();
    detail::pool2d<T, computed>(
        data, options, out, least, [](computed a, T b) { return element::maximum{}(a, widen(b)); },
        [](computed a, std::int64_t) { return convert<T>(a); });
}

/// The mean of each window. Sums are taken in `sum_type<T>`; integers round toward zero. A window that lies
/// in the padding only gives 0.
///
/// Requires: shapes that `pool2d_shape` accepts and that `out` has; `out` does not overlap the data.
template <class T>
constexpr void avg_pool2d(view<const T> data, const pool2d_options& options, view<T> out) {
    using sum = sum_type<T>;
    const std::int64_t all = options.pool.h * options.pool.w;
    const bool whole = options.count_include_pad;
    detail::pool2d<T, sum>(
        data, options, out, sum{0}, [](sum a, T b) { return a + static_cast<sum>(b); },
        [=](sum a, std::int64_t inside) { return detail::mean<T>(a, whole ? all : inside); });
}

/// The mean of each channel of each image. Sums are taken in `sum_type<T>`; of no pixels the mean is 0.
///
/// Requires: `out` has the shape of data, with one row and one column.
template <class T>
constexpr void global_avg_pool2d(view<const T> data, image_layout layout, view<T> out) {
    const image_axes in = image_axes_of(data.shape, layout);
    const image_axes stride = image_axes_of(row_major_strides(data.shape), layout);
    for (std::int64_t n = 0; n < in.n; ++n)
        for (std::int64_t c = 0; c < in.c; ++c) {
            const T* from = data.data + n * stride.n + c * stride.c;
            sum_type<T> sum{0};
            for (std::int64_t p = 0; p < in.h * in.w; ++p)
                sum += static_cast<sum_type<T>>(from[p * stride.w]);
            out.data[n * in.c + c] = detail::mean<T>(sum, in.h * in.w);
        }
}

/// The shape of a pooling's result.
///
/// Throws: tutti::error if the data is not a batch of images, or if a window does not fit in the padded
/// image.
constexpr extents pool2d_shape(std::string_view kernel, const tensor& data, const pool2d_options& options) {
    detail::check_image(kernel, data);
    const image_axes in = image_axes_of(data.shape(), options.layout);
    const window rows = detail::pool_rows(options, in);
    const window columns = detail::pool_columns(options, in);
    detail::check_window(kernel, "height", rows);
    detail::check_window(kernel, "width", columns);
    return in_layout({in.n, in.c, rows.count(options.ceil_mode), columns.count(options.ceil_mode)},
                     options.layout);
}

/// The same over tensors. Throws: tutti::error if `pool2d_shape` does, or if the element type is bool.
constexpr tensor max_pool2d(const tensor& data, const pool2d_options& options) {
    const extents shape = pool2d_shape("max_pool2d", data, options);
    return detail::with_arithmetic_type("max_pool2d", data, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("max_pool2d", data.type(), shape);
        max_pool2d(view_of<T>(data), options, mutable_view_of<T>(out));
        return out;
    });
}

/// The same over tensors. Throws: tutti::error if `pool2d_shape` does, or if the element type is bool.
constexpr tensor avg_pool2d(const tensor& data, const pool2d_options& options) {
    const extents shape = pool2d_shape("avg_pool2d", data, options);
    return detail::with_arithmetic_type("avg_pool2d", data, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("avg_pool2d", data.type(), shape);
        avg_pool2d(view_of<T>(data), options, mutable_view_of<T>(out));
        return out;
    });
}

/// The same over tensors. Throws: tutti::error if the data is not a batch of images, or if the element type
/// is bool.
constexpr tensor global_avg_pool2d(const tensor& data, image_layout layout = image_layout::nchw) {
    detail::check_image("global_avg_pool2d", data);
    const image_axes in = image_axes_of(data.shape(), layout);
    return detail::with_arithmetic_type("global_avg_pool2d", data, [&]<class T>(std::type_identity<T>) {
        tensor out =
            detail::make_result("global_avg_pool2d", data.type(), in_layout({in.n, in.c, 1, 1}, layout));
        global_avg_pool2d(view_of<T>(data), layout, mutable_view_of<T>(out));
        return out;
    });
}

} // namespace tutti::kernel
