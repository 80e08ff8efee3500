#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/interpolation.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Values beyond the border of an image: zeros, the nearest border pixel, or the mirrored image.
enum class sample_padding : std::uint8_t { zeros, border, reflection };

/// Options of `grid_sample`.
struct grid_sample_options {
    std::string_view layout{}; ///< Layout of data and result; NCHW or NCDHW if empty.
    resize_method method = resize_method::linear;
    sample_padding padding = sample_padding::zeros;
    bool align_corners = true; ///< True if -1 and 1 are the centres of the border pixels, not their outer edges.
};

namespace detail {

/// Maps coordinates along one axis of the images to pixels. Computes in float, as the reference does.
class sampled_axis {
public:
    constexpr sampled_axis(const grid_sample_options& o, std::int64_t size) : o_(&o), size_(size) {}

    constexpr pixel_taps operator()(float place) const {
        const auto size = static_cast<float>(size_);
        float x = o_->align_corners ? (place + 1) * (size - 1) / 2 : (place + 1) * size / 2 - 0.5F;
        const bool cubic = o_->method == resize_method::cubic;
        if (o_->padding == sample_padding::zeros || cubic) {
            // Unless the image is mirrored, all values four or more pixels outside are equal, so that x can be clamped.
            if (o_->padding == sample_padding::reflection && !(x >= -4 && x <= size + 4)) x = reflected(x);
            x = x >= -4 ? std::min(x, size + 4) : -4;
        } else {
            if (o_->padding == sample_padding::reflection) x = reflected(x);
            x = x >= 0 ? std::min(x, size - 1) : 0;
        }
        pixel_taps taps;
        taps.count = 0;
        if (o_->method == resize_method::nearest) {
            add(taps, nearest_even(x), 1);
            return taps;
        }
        const float below = element::floor{}(x);
        const std::array<float, 4> weights =
            cubic ? cubic_weights(-0.75F, x - below) : std::array<float, 4>{0, 1 - (x - below), x - below, 0};
        for (std::size_t t = cubic ? 0 : 1; t < (cubic ? 4U : 3U); ++t)
            add(taps, below + static_cast<float>(t) - 1, weights[t]);
        return taps;
    }

private:
    /// Rounds to the nearest integer, ties to even.
    static constexpr float nearest_even(float x) {
        const float up = element::floor{}(x + 0.5F);
        const bool odd = element::floor{}(up / 2) * 2 != up;
        return up - x == 0.5F && odd ? up - 1 : up;
    }

    /// Returns the point mirrored at the borders until it is inside the image.
    constexpr float reflected(float x) const {
        const float low = o_->align_corners ? 0 : -0.5F;
        const auto span = static_cast<float>(o_->align_corners ? size_ - 1 : size_);
        const float away = x < low ? low - x : x - low;
        if (span == 0 || !(away < 1e30F)) return 0;
        const float times = element::floor{}(away / span);
        const float rest = away - times * span;
        return element::floor{}(times / 2) * 2 == times ? rest + low : span - rest + low;
    }

    constexpr void add(pixel_taps& taps, float place, float weight) const {
        // Unless the padding is zeros, points are already inside the image, and only the cubic method reads pixels
        // beyond the border.
        const bool goes_on = o_->padding != sample_padding::zeros && o_->method == resize_method::cubic;
        if (goes_on && o_->padding == sample_padding::reflection) place = reflected(place);
        auto at = static_cast<std::int64_t>(place);
        if (!goes_on && (at < 0 || at >= size_)) return;
        at = std::clamp<std::int64_t>(at, 0, size_ - 1);
        const auto i = static_cast<std::size_t>(taps.count++);
        taps.at[i] = at;
        taps.weight[i] = weight;
    }

    const grid_sample_options* o_;
    std::int64_t size_;
};

/// Strides of a grid: between images, and between the coordinates (column, row and plane) of a point.
struct grid_axes {
    std::int64_t image = 0;
    std::int64_t coordinate = 0;
};

template <class T>
constexpr void grid_sample(const grid_sample_options& o, std::size_t rank, const lettered_axes& in,
                           const lettered_axes& to, const grid_axes& by, const T* data, const float* grid, T* out) {
    for (std::int64_t n = 0; n < to.outer.size; ++n) {
        const float* point = grid + n * by.image;
        for (std::int64_t d = 0; d < to.space[0].size; ++d)
            for (std::int64_t h = 0; h < to.space[1].size; ++h)
                for (std::int64_t w = 0; w < to.space[2].size; ++w, ++point) {
                    std::array<pixel_taps, 3> taps;
                    for (std::size_t i = 3 - rank; i < 3; ++i)
                        taps[i] =
                            sampled_axis(o, in.space[i].size)(point[static_cast<std::int64_t>(2 - i) * by.coordinate]);
                    T* pixel = out + to.outer.at(n) + d * to.space[0].stride() + h * to.space[1].stride() +
                               w * to.space[2].stride();
                    for (std::int64_t c = 0; c < to.channel.size; ++c)
                        pixel[to.channel.at(c)] =
                            interpolated(data + in.outer.at(n) + in.channel.at(c), in.space, taps);
                }
    }
}

} // namespace detail

/// Samples images at the points of a grid.
///
/// The grid has shape (images, 2 or 3, …). For each pixel of the result, it holds the coordinates of a point: column,
/// row and, in three dimensions, plane. Coordinates are from -1 to 1 over the image. A point with a NaN coordinate
/// counts as outside.
///
/// Computes float16 and float32 in float and other types in double, then converts; the nearest method copies integers.
///
/// Requires: `out` is neither an argument nor in `space`.
/// Throws:   tutti::error if the data does not fit its layout or is bool, if the grid's shape does not fit, or if
///           images have no pixels but the result does.
/// Source:   Jaderberg and others, "Spatial Transformer Networks", 2015.
constexpr void grid_sample(const tensor& data, const tensor& grid, const grid_sample_options& options, tensor& out,
                           scratch space = {}) {
    constexpr std::string_view kernel = "grid_sample";
    grid_sample_options o = options;
    o.layout = layout_or_usual(lettered::data, o.layout, data);
    if (data.type() == dtype::none || data.type() == dtype::boolean)
        detail::fail_type(kernel, data, "an integer or floating-point type");
    const lettered_axes in = axes_in(kernel, "data", lettered::data, o.layout, data.shape());
    const std::size_t rank = spatial_rank(o.layout);
    if (!is_floating(grid.type()) || grid.rank() != rank + 2 || grid.shape()[0] != in.outer.size ||
        grid.shape()[1] != static_cast<std::int64_t>(rank))
        detail::fail_pair(kernel, "data", data, "a grid", grid,
                          {"a grid of ", rank, " floating-point coordinates per point for each image"});
    lettered_axes to = in;
    detail::grid_axes by{1, 1};
    for (std::size_t i = 0; i < rank; ++i) to.space[3 - rank + i].size = grid.shape()[2 + i];
    const extents shape = place_result(kernel, o.layout, to);
    by.coordinate = to.places();
    by.image = by.coordinate * static_cast<std::int64_t>(rank);
    if (in.places() == 0 && element_count(shape) != 0)
        detail::fail_pair(kernel, "data", data, "a grid", grid, "images with pixels");
    const dtype computed = detail::sampling_type(data.type(), o.method);
    const tensor& from = detail::as_type(data, computed, space->data);
    const tensor& points = detail::as_type(grid, dtype::float32, space->offset);
    detail::with_result_as(kernel, data.type(), computed, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        detail::with_arithmetic(computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (!std::is_same_v<T, std::uint64_t>)
                detail::grid_sample(o, rank, in, to, by, from.data<T>(), points.data<float>(),
                                    result.mutable_data<T>());
        });
    });
}

/// Computes the grids for `grid_sample` from affine maps, each a 2 by 3 matrix. For each of `height` times `width`
/// pixels, a grid holds the column and row of the point to sample, from -1 to 1 over the image.
///
/// Throws: tutti::error if the maps are not 2 by 3 floating-point matrices, or if a size is below 2.
constexpr void affine_grid(const tensor& maps, std::int64_t height, std::int64_t width, tensor& out,
                           scratch space = {}) {
    constexpr std::string_view kernel = "affine_grid";
    if (maps.rank() != 3 || maps.shape()[1] != 2 || maps.shape()[2] != 3 || !is_floating(maps.type()))
        detail::fail(kernel, {"maps are ", maps}, "a matrix of 2 by 3 floating-point numbers for each image");
    if (height < 2 || width < 2 || height > largest_size || width > largest_size)
        detail::fail(kernel, {"a grid of ", height, " by ", width}, "sizes of at least 2");
    const dtype computed = maps.type() == dtype::float64 ? dtype::float64 : dtype::float32;
    const tensor& from = detail::as_type(maps, computed, space->data);
    extents shape(2, 2);
    shape[0] = maps.shape()[0];
    shape.push_back(height);
    shape.push_back(width);
    detail::with_result_as(kernel, maps.type(), computed, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        detail::with_arithmetic(computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_floating_point_v<T>) {
                constexpr double whole = 2.0 - 1e-7; // as in the reference, so that the last point stays below 1
                const T row = static_cast<T>(whole / static_cast<double>(height - 1));
                const T column = static_cast<T>(whole / static_cast<double>(width - 1));
                T* to = result.mutable_data<T>();
                const T* map = from.data<T>();
                for (std::int64_t n = 0; n < shape[0] * 2; ++n, map += 3)
                    for (std::int64_t i = 0; i < height; ++i)
                        for (std::int64_t j = 0; j < width; ++j)
                            *to++ = map[0] * (static_cast<T>(j) * column - 1) + map[1] * (static_cast<T>(i) * row - 1) +
                                    map[2];
            }
        });
    });
}

} // namespace tutti::kernel
