#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/interpolation.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

// Kernels that pool regions of images.

namespace tutti::kernel {

/// Options of region pooling.
struct region_options {
    std::array<std::int64_t, 2> size{1, 1}; ///< Rows and columns of the result.
    double scale = 1;                       ///< Factor from a region's coordinates to pixels.
    std::int64_t samples = 0;               ///< Points per cell and axis; if not positive, one per pixel.
    bool greatest = false;                  ///< True to take the maximum instead of the mean.
    std::string_view layout{"NCHW"};
};

namespace detail {

/// Axes, shape and element type of a region pooling.
struct region_plan {
    lettered_axes in;
    lettered_axes to;
    extents shape;
    dtype computed;
};

constexpr region_plan plan_regions(std::string_view kernel, const tensor& data, const tensor& regions,
                                   const region_options& o) {
    if (!is_floating(data.type()) || !is_floating(regions.type()) || regions.rank() != 2 || regions.shape()[1] != 5)
        fail_pair(kernel, "data", data, "a tensor of regions", regions,
                  "floating-point images, and an image's number and four corners for each region");
    region_plan p{axes_in(kernel, "data", lettered::data, o.layout, data.shape()), {}, {}, dtype::float32};
    if (data.type() == dtype::float64) p.computed = dtype::float64;
    p.to = p.in;
    p.to.outer.size = regions.shape()[0];
    for (std::size_t i = 0; i < 2; ++i) p.to.space[i + 1].size = o.size[i];
    const bool missing = p.in.places() == 0 && p.to.places() != 0 && regions.shape()[0] != 0;
    if (spatial_rank(o.layout) != 2 || o.size[0] < 0 || o.size[1] < 0 || missing)
        fail(kernel, {"regions of ", o.size[0], " by ", o.size[1], " of data ", data},
             "non-negative sizes, and images with pixels");
    p.shape = place_result(kernel, o.layout, p.to);
    return p;
}

/// Calls `fill(corners, image, result)` for each region. The last two arguments point to the first channel of the
/// region's image and of its result.
template <class F>
constexpr void for_each_region(std::string_view kernel, const region_plan& p, const tensor& data, const tensor& regions,
                               tensor& out, workspace& space, F fill) {
    const tensor& from = as_type(data, p.computed, space.data);
    const float* region = as_type(regions, dtype::float32, space.offset).data<float>();
    with_result_as(kernel, data.type(), p.computed, p.shape, space.result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        with_arithmetic(p.computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_floating_point_v<T>)
                for (std::int64_t i = 0; i < p.to.outer.size; ++i, region += 5) {
                    const auto image = convert<std::int64_t>(region[0]);
                    if (image < 0 || image >= p.in.outer.size)
                        fail(kernel, {"region ", i, " of image ", image, " of data ", data},
                             "the number of an image in the data");
                    fill(region + 1, from.data<T>() + p.in.outer.at(image),
                         result.mutable_data<T>() + p.to.outer.at(i));
                }
        });
    });
}

/// The sampling points of a cell along one axis.
struct cell_points {
    float first = 0;
    float step = 0;
    std::int64_t count = 1;
    std::int64_t begin = 0; ///< Only points [begin, end) may be in the image.
    std::int64_t end = 1;

    /// Computes the points of cell i of a region from `from` to `to`, along an axis of `size` pixels.
    constexpr cell_points(float from, float to, std::int64_t cells, std::int64_t i, std::int64_t samples,
                          std::int64_t size) {
        const float length = to - from > 1 ? to - from : 1;
        const float cell = length / static_cast<float>(cells);
        count = samples > 0 ? samples : convert<std::int64_t>(element::ceil{}(cell));
        step = cell / static_cast<float>(count);
        first = from + static_cast<float>(i) * cell;
        // Widens the range by one point at either end: `at` and `taps` compute in float and may round differently.
        const auto place = [&](double x) {
            return convert<std::int64_t>((x - static_cast<double>(first)) / static_cast<double>(step) - 0.5);
        };
        begin = std::clamp<std::int64_t>(place(-1), 1, count) - 1;
        const std::int64_t last = place(static_cast<double>(size));
        end = last >= count - 2 ? count : std::max(last + 2, begin);
    }

    constexpr float at(std::int64_t i) const { return first + (static_cast<float>(i) + 0.5F) * step; }

    /// Returns the two pixels around a point. A point up to one pixel beyond the border has the border's value; a point
    /// farther away is outside.
    static constexpr pixel_taps taps(float x, std::int64_t size) {
        const auto end = static_cast<float>(size);
        pixel_taps taps;
        taps.outside = !(x >= -1 && x <= end);
        x = x >= 0 ? std::min(x, end - 1) : 0;
        const auto below = static_cast<std::int64_t>(x);
        taps.count = 2;
        taps.at = {below, std::min(below + 1, size - 1)};
        taps.weight = {1 - (x - static_cast<float>(below)), x - static_cast<float>(below)};
        return taps;
    }
};

} // namespace detail

/// Pools each region to a fixed number of cells. Interpolates the image at points in each cell, and takes the mean or
/// the maximum of the values.
///
/// A row of `regions` holds the index of an image, the first column and row, and the last column and row. Widths and
/// heights below a pixel count as one pixel.
///
/// Requires: `out` is neither an argument nor in `space`.
/// Throws:   tutti::error if the operands are not of floating point, if the image of a region does not exist, or if
///           `samples` exceeds 1024.
/// Source:   He and others, "Mask R-CNN", 2017.
constexpr void roi_align(const tensor& data, const tensor& regions, const region_options& o, tensor& out,
                         scratch space = {}) {
    constexpr std::string_view kernel = "roi_align";
    if (o.samples > 1024) detail::fail(kernel, {o.samples, " samples along an axis"}, "at most 1024");
    const detail::region_plan p = detail::plan_regions(kernel, data, regions, o);
    const std::int64_t height = p.in.space[1].size;
    const std::int64_t width = p.in.space[2].size;
    const auto scale = static_cast<float>(o.scale);
    detail::for_each_region(
        kernel, p, data, regions, out, *space, [&]<class T>(const float* box, const T* image, T* to) {
            for (std::int64_t h = 0; h < o.size[0]; ++h)
                for (std::int64_t w = 0; w < o.size[1]; ++w) {
                    const detail::cell_points rows(box[1] * scale, box[3] * scale, o.size[0], h, o.samples, height);
                    const detail::cell_points columns(box[0] * scale, box[2] * scale, o.size[1], w, o.samples, width);
                    T* pixel = to + h * p.to.space[1].stride() + w * p.to.space[2].stride();
                    const T count = static_cast<T>(rows.count) * static_cast<T>(columns.count);
                    for (std::int64_t c = 0; c < p.to.channel.size; ++c) {
                        const T* channel = image + p.in.channel.at(c);
                        T sum = 0;
                        T greatest = std::numeric_limits<T>::lowest();
                        T inside = 0;
                        std::array<detail::pixel_taps, 3> taps;
                        for (std::int64_t i = rows.begin; i < rows.end; ++i) {
                            taps[1] = detail::cell_points::taps(rows.at(i), height);
                            if (taps[1].outside) continue;
                            for (std::int64_t j = columns.begin; j < columns.end; ++j) {
                                taps[2] = detail::cell_points::taps(columns.at(j), width);
                                if (taps[2].outside) continue;
                                const T x = detail::interpolated(channel, p.in.space, taps);
                                sum += x / count;
                                greatest = element::maximum{}(greatest, x);
                                inside += 1;
                            }
                        }
                        if (inside < count) greatest = element::maximum{}(greatest, T{0}); // points outside are zero
                        pixel[p.to.channel.at(c)] = o.greatest ? greatest : sum;
                    }
                }
        });
}

/// Pools each region to a fixed number of cells. Takes the maximum of the pixels of each cell, or zero if a cell
/// contains no pixels. Regions are encoded as for `roi_align`; their corners are rounded to pixels.
///
/// Requires: `out` is neither an argument nor in `space`.
/// Throws:   tutti::error if the operands are not of floating point, or if the image of a region does not exist.
/// Source:   Girshick, "Fast R-CNN", 2015.
constexpr void roi_pool(const tensor& data, const tensor& regions, const region_options& o, tensor& out,
                        scratch space = {}) {
    constexpr std::string_view kernel = "roi_pool";
    const detail::region_plan p = detail::plan_regions(kernel, data, regions, o);
    const auto scale = static_cast<float>(o.scale);
    struct range {
        std::int64_t begin, end;
    };
    const auto cell = [&](float from, float to, std::int64_t cells, std::int64_t i, std::int64_t size) {
        constexpr float share = 0.00001F; // as in the reference, so that rounding adds no pixel
        const float first = element::round{}(from * scale);
        const float length = std::max(element::round{}(to * scale) - first + 1, 1.F);
        const float step = length / static_cast<float>(cells);
        const auto at = [&](float x) {
            const auto last = static_cast<float>(size);
            return static_cast<std::int64_t>(x >= 0 ? std::min(x, last) : 0.F);
        };
        return range{at(element::floor{}(static_cast<float>(i) * step + share) + first),
                     at(element::ceil{}(static_cast<float>(i + 1) * step - share) + first)};
    };
    detail::for_each_region(
        kernel, p, data, regions, out, *space, [&]<class T>(const float* box, const T* image, T* to) {
            for (std::int64_t h = 0; h < o.size[0]; ++h)
                for (std::int64_t w = 0; w < o.size[1]; ++w) {
                    const range rows = cell(box[1], box[3], o.size[0], h, p.in.space[1].size);
                    const range columns = cell(box[0], box[2], o.size[1], w, p.in.space[2].size);
                    const bool empty = rows.begin >= rows.end || columns.begin >= columns.end;
                    T* pixel = to + h * p.to.space[1].stride() + w * p.to.space[2].stride();
                    for (std::int64_t c = 0; c < p.to.channel.size; ++c) {
                        const T* channel = image + p.in.channel.at(c);
                        T greatest = empty ? T{0} : std::numeric_limits<T>::lowest();
                        for (std::int64_t i = rows.begin; i < rows.end; ++i)
                            for (std::int64_t j = columns.begin; j < columns.end; ++j)
                                greatest = element::maximum{}(
                                    greatest, channel[i * p.in.space[1].stride() + j * p.in.space[2].stride()]);
                        pixel[p.to.channel.at(c)] = greatest;
                    }
                }
        });
}

/// Turns each square of `stride` by `stride` pixels into channels of one pixel, in the order of Darknet's reorg layer.
///
/// Throws: tutti::error if the data is not of rank 4, if the stride does not divide the numbers of rows and columns, or
///         if the square of the stride does not divide the number of channels.
constexpr void yolo_reorg(const tensor& data, std::int64_t stride, tensor& out) {
    constexpr std::string_view kernel = "yolo_reorg";
    detail::check_data(kernel, data);
    bool fits = data.rank() == 4 && stride > 0 && stride < std::int64_t{1} << 24;
    fits = fits && data.shape()[1] % (stride * stride) == 0 && data.shape()[2] % stride == 0 &&
           data.shape()[3] % stride == 0;
    if (!fits)
        detail::fail(kernel, {"a stride of ", stride, " for data ", data},
                     "one that divides rows and columns, and whose square divides the channels");
    const std::int64_t channels = data.shape()[1];
    const std::int64_t height = data.shape()[2];
    const std::int64_t width = data.shape()[3];
    extents shape(data.shape());
    shape[1] = detail::checked_product(kernel, channels, stride * stride);
    shape[2] /= stride;
    shape[3] /= stride;
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() == 0) return;
    const std::int64_t groups = channels / (stride * stride);
    detail::run_copier copier(1, data, out);
    std::int64_t to = 0;
    for (std::int64_t n = 0; n < data.shape()[0]; ++n)
        for (std::int64_t k = 0; k < channels; ++k)
            for (std::int64_t j = 0; j < height; ++j)
                for (std::int64_t i = 0; i < width; ++i) {
                    const std::int64_t row = j * stride + k / groups / stride;
                    const std::int64_t column = i * stride + k / groups % stride;
                    copier.add(n * channels * height * width + (k % groups * height * stride + row) * width * stride +
                                   column,
                               to++);
                }
    copier.flush();
}

} // namespace tutti::kernel
