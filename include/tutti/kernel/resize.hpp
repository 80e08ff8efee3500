#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/interpolation.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Mapping from pixels of the result to points in the image, with the formulas of ONNX's Resize.
///
/// The names are also those of ONNX, except that `half_pixel_for_nearest` is tf_half_pixel_for_nn and `crop_and_resize`
/// is tf_crop_and_resize.
enum class resize_coordinates : std::uint8_t {
    half_pixel,
    align_corners,
    asymmetric,
    pytorch_half_pixel,
    half_pixel_for_nearest, ///< as in TensorFlow
    crop_and_resize,        ///< within a region of interest
};

/// Rounding to a pixel. `round`, `prefer_floor` and `prefer_ceil` round to the nearest pixel: halves away from zero,
/// down and up, respectively. `floor` always rounds down, `ceil` always up.
enum class resize_rounding : std::uint8_t { round, prefer_floor, prefer_ceil, floor, ceil };

/// Options of `resize`.
struct resize_options {
    spatial size{1, 1, 1};     ///< Size of the result along each spatial axis.
    std::string_view layout{}; ///< NCW, NCHW or NCDHW by the data's rank if empty.
    resize_method method = resize_method::linear;
    resize_coordinates coordinates = resize_coordinates::half_pixel;
    resize_rounding rounding = resize_rounding::round;
    float cubic_alpha = -0.5F;
    bool cubic_exclude = false;        ///< True if the cubic method leaves out pixels outside the image.
    float extrapolation = 0;           ///< Value outside the image, for crop_and_resize.
    std::array<float, 3> crop_begin{}; ///< Start of the region, as a fraction of each spatial axis.
    std::array<float, 3> crop_end{};
    dtype out = dtype::none; ///< The result's element type; the data's if `none`.
};

namespace detail {

/// One axis of a resize. Computes coordinates in float, as the reference does, to select the same nearest pixel.
class resize_axis {
public:
    constexpr resize_axis(const resize_options& o, std::size_t axis, std::int64_t from, std::int64_t to)
        : o_(&o), from_(from), to_(to), begin_(o.crop_begin[axis]), end_(o.crop_end[axis]) {}

    constexpr pixel_taps operator()(std::int64_t i) const {
        const float point = coordinate(static_cast<float>(i));
        pixel_taps taps;
        taps.outside = o_->coordinates == resize_coordinates::crop_and_resize &&
                       !(point >= 0 && point <= static_cast<float>(from_ - 1));
        // Around points four or more pixels outside the image, all taps are border pixels. NaN counts as such a point.
        const float end = static_cast<float>(from_) + 4;
        const float x = point >= -4 ? std::min(point, end) : -4;
        if (o_->method == resize_method::nearest) {
            taps.at[0] = clamped(static_cast<std::int64_t>(nearest(x)));
            return taps;
        }
        const float below = element::floor{}(x);
        const auto first = static_cast<std::int64_t>(below);
        if (o_->method == resize_method::linear) {
            taps.count = 2;
            taps.weight = {1 - (x - below), x - below};
        } else {
            taps.count = 4;
            taps.weight = cubic_weights(o_->cubic_alpha, x - below);
        }
        const std::int64_t before = o_->method == resize_method::cubic ? 1 : 0;
        float sum = 0;
        for (std::int64_t t = 0; t < taps.count; ++t) {
            const std::int64_t at = first - before + t;
            float& weight = taps.weight[static_cast<std::size_t>(t)];
            if (before != 0 && o_->cubic_exclude && at != clamped(at)) weight = 0;
            sum += weight;
            taps.at[static_cast<std::size_t>(t)] = clamped(at);
        }
        if (before != 0 && o_->cubic_exclude)
            for (float& weight : taps.weight) weight /= sum;
        return taps;
    }

private:
    constexpr std::int64_t clamped(std::int64_t i) const { return std::clamp<std::int64_t>(i, 0, from_ - 1); }

    constexpr float coordinate(float i) const {
        const auto from = static_cast<float>(from_);
        const auto to = static_cast<float>(to_);
        switch (o_->coordinates) {
        case resize_coordinates::align_corners:
            return to_ == 1 ? 0 : (from - 1) / (to - 1) * i;
        case resize_coordinates::asymmetric:
            return from / to * i;
        case resize_coordinates::pytorch_half_pixel:
            return to_ == 1 ? 0 : (i + 0.5F) * (from / to) - 0.5F;
        case resize_coordinates::half_pixel_for_nearest:
            return (i + 0.5F) * (from / to);
        case resize_coordinates::crop_and_resize:
            if (to_ == 1) return 0.5F * (begin_ + end_) * (from - 1);
            return begin_ * (from - 1) + i * ((end_ - begin_) * (from - 1) / (to - 1));
        case resize_coordinates::half_pixel:
            break;
        }
        return (i + 0.5F) * (from / to) - 0.5F;
    }

    /// Rounds a coordinate to a pixel. `floor` and `ceil` first shift the coordinate by a small share of a pixel, so
    /// that a rounding error does not move a whole number to the next pixel.
    constexpr float nearest(float x) const {
        constexpr float share = 1e-5F;
        switch (o_->rounding) {
        case resize_rounding::prefer_floor:
            return element::ceil{}(x - 0.5F);
        case resize_rounding::prefer_ceil:
            return element::floor{}(x + 0.5F);
        case resize_rounding::floor:
            return element::floor{}(x + share);
        case resize_rounding::ceil:
            return element::ceil{}(x - share);
        case resize_rounding::round:
            break;
        }
        return element::round{}(x);
    }

    const resize_options* o_;
    std::int64_t from_;
    std::int64_t to_;
    float begin_;
    float end_;
};

template <class T>
constexpr void resize(const resize_options& o, std::size_t rank, const lettered_axes& in, const lettered_axes& to,
                      const T* data, T* out) {
    const auto axis = [&](std::size_t i) {
        return resize_axis(o, i + rank < 3 ? 0 : i + rank - 3, in.space[i].size, to.space[i].size);
    };
    const auto taps_of = [&](std::size_t i, const resize_axis& along, std::int64_t place) {
        return i + rank < 3 ? pixel_taps{} : along(place);
    };
    if (to.outer.size == 0 || to.channel.size == 0 || to.places() == 0) return;
    const resize_axis depth = axis(0);
    const resize_axis height = axis(1);
    const resize_axis width = axis(2);
    std::array<pixel_taps, 3> taps;
    for (std::int64_t d = 0; d < to.space[0].size; ++d) {
        taps[0] = taps_of(0, depth, d);
        for (std::int64_t h = 0; h < to.space[1].size; ++h) {
            taps[1] = taps_of(1, height, h);
            for (std::int64_t w = 0; w < to.space[2].size; ++w) {
                taps[2] = taps_of(2, width, w);
                const bool outside = taps[0].outside || taps[1].outside || taps[2].outside;
                T* pixel = out + d * to.space[0].stride() + h * to.space[1].stride() + w * to.space[2].stride();
                for (std::int64_t n = 0; n < to.outer.size; ++n)
                    for (std::int64_t c = 0; c < to.channel.size; ++c)
                        pixel[to.outer.at(n) + to.channel.at(c)] =
                            outside ? convert<T>(o.extrapolation)
                                    : interpolated(data + in.outer.at(n) + in.channel.at(c), in.space, taps);
            }
        }
    }
}

/// Options, axes, shape and element types of a resize.
struct resize_plan {
    resize_options options;
    std::size_t rank;
    lettered_axes in;
    lettered_axes to;
    extents shape;  ///< Shape of the result.
    dtype computed; ///< Element type of the computation.
};

/// Plans a resize to `images` images, or to the data's number of images if `images` is negative.
constexpr resize_plan plan_resize(std::string_view kernel, const tensor& data, const resize_options& options,
                                  std::int64_t images = -1) {
    resize_plan p{options, 0, {}, {}, {}, dtype::float64};
    resize_options& o = p.options;
    o.layout = layout_or_usual(lettered::data, o.layout, data);
    if (o.out == dtype::none) o.out = data.type();
    if (data.type() == dtype::none || data.type() == dtype::boolean || o.out == dtype::boolean)
        fail_type(kernel, data, "an integer or floating-point type, also for the result");
    p.in = axes_in(kernel, "data", lettered::data, o.layout, data.shape());
    p.rank = spatial_rank(o.layout);
    p.to = p.in;
    if (images >= 0) p.to.outer.size = images;
    for (std::size_t i = 0; i < p.rank; ++i) {
        lettered_axis& axis = p.to.space[3 - p.rank + i];
        const bool missing = axis.size == 0 && o.size[i] > 0;
        axis.size = o.size[i];
        if (axis.size < 0 || missing || axis.size > std::int64_t{1} << 31)
            fail(kernel, {"data of shape ", data.shape(), " to a size of ", axis.size},
                 "a size from 0 to 2^31, and images with pixels");
    }
    p.shape = place_result(kernel, o.layout, p.to);
    p.computed = sampling_type(data.type(), o.method);
    return p;
}

/// Calls `fill(data, result)` with elements of the computed type.
template <class F>
constexpr void with_resize(std::string_view kernel, const resize_plan& p, const tensor& data, tensor& out,
                           workspace& space, F fill) {
    const tensor& from = as_type(data, p.computed, space.data);
    with_result_as(kernel, p.options.out, p.computed, p.shape, space.result, out, [&](tensor& result) {
        with_arithmetic(p.computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (!std::is_same_v<T, std::uint64_t>) fill(from.data<T>(), result.mutable_data<T>());
        });
    });
}

} // namespace detail

/// Resizes images.
///
/// Computes float16 and float32 in float and other types in double, then converts; the nearest method copies integers.
/// Beyond the border, the value of the nearest border pixel counts.
///
/// Requires: `out` is not the data and not in `space`.
/// Throws:   tutti::error if the data does not fit its layout, if it has no pixels but the result does, or if data or
///           result are bool.
constexpr void resize(const tensor& data, const resize_options& options, tensor& out, scratch space = {}) {
    const detail::resize_plan p = detail::plan_resize("resize", data, options);
    detail::with_resize("resize", p, data, out, *space, [&]<class T>(const T* from, T* to) {
        detail::resize(p.options, p.rank, p.in, p.to, from, to);
    });
}

/// Crops and resizes boxes of images. Row i of `boxes` holds the first row, first column, last row and last column of a
/// box, as fractions of the image `images[i]`. Ignores `coordinates`, `crop_begin` and `crop_end` in the options.
///
/// Requires: `out` is neither an argument nor in `space`.
/// Throws:   tutti::error as `resize`, if there are not four numbers and one image for each box, or if an image does
///           not exist.
constexpr void crop_and_resize(const tensor& data, const tensor& boxes, const tensor& images,
                               const resize_options& options, tensor& out, scratch space = {}) {
    constexpr std::string_view kernel = "crop_and_resize";
    detail::check_indices(kernel, images);
    if (boxes.rank() != 2 || boxes.shape()[1] != 4 || images.rank() != 1 || images.size() != boxes.shape()[0] ||
        !is_floating(boxes.type()))
        detail::fail_pair(kernel, "a tensor of boxes", boxes, "a tensor of image numbers", images,
                          "a row of four floating-point numbers and an integer for each box");
    detail::resize_plan p = detail::plan_resize(kernel, data, options, images.size());
    p.options.coordinates = resize_coordinates::crop_and_resize;
    const tensor& rows = detail::as_type(boxes, dtype::float32, space->weight);
    const lettered_axis from_images = p.in.outer;
    const lettered_axis to_images = p.to.outer;
    p.in.outer = p.to.outer = {};
    detail::with_resize(kernel, p, data, out, *space, [&]<class T>(const T* from, T* to) {
        detail::for_each_index(kernel, images, [&](std::int64_t i, std::int64_t image) {
            if (image < 0 || image >= from_images.size)
                detail::fail(kernel, {"box ", i, " of image ", image, " of data ", data},
                             "the number of an image in the data");
            const float* box = rows.data<float>() + i * 4;
            p.options.crop_begin = {box[0], box[1]};
            p.options.crop_end = {box[2], box[3]};
            detail::resize(p.options, p.rank, p.in, p.to, from + from_images.at(image), to + to_images.at(i));
        });
    });
}

} // namespace tutti::kernel
