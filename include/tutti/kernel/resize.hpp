#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/window.hpp>
#include <tutti/kernel/workspace.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// How a pixel of the result comes from those around its point in the image.
enum class resize_method : std::uint8_t { nearest, linear, cubic };

/// Where a pixel of the result is in the image: ONNX's Resize has names and formulas for these.
enum class resize_coordinates : std::uint8_t {
    half_pixel,
    align_corners,
    asymmetric,
    pytorch_half_pixel,
    half_pixel_for_nearest, ///< TensorFlow's
    crop_and_resize,        ///< the region of interest
};

/// Which pixel is the nearest; of a half, away from zero, the lower, or the upper one.
enum class resize_rounding : std::uint8_t { round, prefer_floor, prefer_ceil, floor, ceil };

/// How images are resized.
struct resize_options {
    spatial size{1, 1, 1};     ///< The result's, along each spatial axis.
    std::string_view layout{}; ///< NCW, NCHW or NCDHW by the data's rank if empty.
    resize_method method = resize_method::linear;
    resize_coordinates coordinates = resize_coordinates::half_pixel;
    resize_rounding rounding = resize_rounding::round;
    float cubic_alpha = -0.5F;
    bool cubic_exclude =
        false;               ///< Whether the cubic method leaves out what is outside, instead of the border going on.
    float extrapolation = 0; ///< What is outside of the image, where a region of interest is cropped.
    std::array<float, 3> crop_begin{}; ///< The region along each spatial axis, as a share of it.
    std::array<float, 3> crop_end{};
    dtype out = dtype::none; ///< The result's element type; the data's if `none`.
};

namespace detail {

/// The pixels along one axis that one place of the result is made of.
struct resize_taps {
    std::int64_t count = 1;
    bool outside = false;
    std::array<std::int64_t, 4> at{};
    std::array<float, 4> weight{1};
};

/// One axis of a resizing. Coordinates are computed in float, as the reference does, so that the same pixel is
/// the nearest.
class resize_axis {
public:
    constexpr resize_axis(const resize_options& o, std::size_t axis, std::int64_t from, std::int64_t to)
        : o_(&o), from_(from), to_(to), begin_(o.crop_begin[axis]), end_(o.crop_end[axis]) {}

    constexpr resize_taps operator()(std::int64_t i) const {
        const float point = coordinate(static_cast<float>(i));
        resize_taps taps;
        taps.outside = o_->coordinates == resize_coordinates::crop_and_resize &&
                       !(point >= 0 && point <= static_cast<float>(from_ - 1));
        // Farther outside, or at a NaN, it is all border.
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
            taps.weight = cubic(x - below);
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

    /// A share of a pixel less or more than `floor` or `ceil` keep off what rounding has done to a whole number.
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

    /// The weights of the pixels before, at and after a point. Source: Keys, "Cubic Convolution Interpolation for
    /// Digital Image Processing".
    constexpr std::array<float, 4> cubic(float t) const {
        const float a = o_->cubic_alpha;
        const float t2 = t * t;
        const float t3 = t2 * t;
        return {a * (t3 - 2 * t2 + t), (a + 2) * t3 - (a + 3) * t2 + 1, -(a + 2) * t3 + (2 * a + 3) * t2 - a * t,
                -a * t3 + a * t2};
    }

    const resize_options* o_;
    std::int64_t from_;
    std::int64_t to_;
    float begin_;
    float end_;
};

/// One element of the result from a channel of an image.
template <class T>
constexpr T interpolated(const T* channel, const std::array<lettered_axis, 3>& axes,
                         const std::array<resize_taps, 3>& taps) {
    if constexpr (std::integral<T>) { // nearest
        return channel[taps[0].at[0] * axes[0].stride() + taps[1].at[0] * axes[1].stride() +
                       taps[2].at[0] * axes[2].stride()];
    } else {
        T sum = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(taps[0].count); ++d) {
            T plane = 0;
            for (std::size_t h = 0; h < static_cast<std::size_t>(taps[1].count); ++h) {
                const T* row = channel + taps[0].at[d] * axes[0].stride() + taps[1].at[h] * axes[1].stride();
                T line = 0;
                for (std::size_t w = 0; w < static_cast<std::size_t>(taps[2].count); ++w)
                    line += row[taps[2].at[w] * axes[2].stride()] * static_cast<T>(taps[2].weight[w]);
                plane += line * static_cast<T>(taps[1].weight[h]);
            }
            sum += plane * static_cast<T>(taps[0].weight[d]);
        }
        return sum;
    }
}

template <class T>
constexpr void resize(const resize_options& o, std::size_t rank, const lettered_axes& in, const lettered_axes& to,
                      const T* data, T* out) {
    const auto axis = [&](std::size_t i) {
        return resize_axis(o, i + rank < 3 ? 0 : i + rank - 3, in.space[i].size, to.space[i].size);
    };
    const auto taps_of = [&](std::size_t i, const resize_axis& along, std::int64_t place) {
        return i + rank < 3 ? resize_taps{} : along(place);
    };
    if (to.outer.size == 0 || to.channel.size == 0 || to.places() == 0) return;
    const resize_axis depth = axis(0);
    const resize_axis height = axis(1);
    const resize_axis width = axis(2);
    std::array<resize_taps, 3> taps;
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

} // namespace detail

/// Images of another size.
///
/// Elements are computed in float for float16 and float32, else in double, and then converted; the nearest
/// ones of integers are copied. Beyond its border an image goes on as its last row and column.
///
/// Requires: `out` is not the data and not in `space`.
/// Throws:   tutti::error if the data is not in its layout, if it has no pixels but the result does, or if it
///           is bool.
constexpr void resize(const tensor& data, const resize_options& options, tensor& out, scratch space = {}) {
    resize_options o = options;
    o.layout = layout_or_usual(lettered::data, o.layout, data);
    if (o.out == dtype::none) o.out = data.type();
    if (data.type() == dtype::none || data.type() == dtype::boolean || o.out == dtype::boolean)
        detail::fail_type("resize", data, "an integer or floating-point type, and such a result");
    const lettered_axes in = axes_in("resize", "data", lettered::data, o.layout, data.shape());
    const std::size_t rank = spatial_rank(o.layout);
    lettered_axes to = in;
    for (std::size_t i = 0; i < rank; ++i) {
        lettered_axis& axis = to.space[3 - rank + i];
        const bool missing = axis.size == 0 && o.size[i] > 0;
        axis.size = o.size[i];
        if (axis.size < 0 || missing || axis.size > std::int64_t{1} << 31)
            detail::fail("resize", {"data of shape ", data.shape(), " to a size of ", axis.size},
                         "a size from 0 to 2^31, of images that have pixels");
    }
    const extents shape = place_result("resize", o.layout, to);
    const bool in_float = data.type() == dtype::float16 || data.type() == dtype::float32;
    const bool whole = is_integer(data.type()) && o.method == resize_method::nearest;
    const dtype computed = in_float ? dtype::float32 : whole ? dtype::int64 : dtype::float64;
    const tensor& from = detail::as_type(data, computed, space->data);
    detail::with_result_as("resize", o.out, computed, shape, space->result, out, [&](tensor& result) {
        detail::with_arithmetic(computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (!std::is_same_v<T, std::uint64_t>)
                detail::resize(o, rank, in, to, from.data<T>(), result.mutable_data<T>());
        });
    });
}

} // namespace tutti::kernel
