#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tutti::kernel {

/// Options of a deformable convolution. The data's channels form `deformable_groups` groups with separate offsets.
struct deformable_conv_options : conv_options {
    std::int64_t deformable_groups = 1;
};

namespace detail {

/// Returns the bilinear interpolation of an image at a point between its pixels. The values of the last row and column
/// extend by less than a pixel. Beyond that, the image is zero.
template <class T>
constexpr T sample(const T* channel, const lettered_axes& in, T y, T x) {
    const lettered_axis& rows = in.space[1];
    const lettered_axis& columns = in.space[2];
    if (!(y >= 0 && x >= 0 && y < static_cast<T>(rows.size) && x < static_cast<T>(columns.size))) return T{0};
    const auto top = static_cast<std::int64_t>(y);
    const auto left = static_cast<std::int64_t>(x);
    const T down = y - static_cast<T>(top);
    const T right = x - static_cast<T>(left);
    const T* upper = channel + top * rows.stride();
    const T* lower = channel + std::min(top + 1, rows.size - 1) * rows.stride();
    const std::int64_t here = left * columns.stride();
    const std::int64_t next = std::min(left + 1, columns.size - 1) * columns.stride();
    return (upper[here] * (T{1} - right) + upper[next] * right) * (T{1} - down) +
           (lower[here] * (T{1} - right) + lower[next] * right) * down;
}

/// Samples one image at the displaced cells: one value for each channel and cell of the window, at each pixel of the
/// result.
template <class T>
constexpr void sample_columns(const conv_plan& p, const lettered_axes& offsets, std::int64_t groups, const T* image,
                              const T* offset, T* to) {
    const std::array<lettered_axis, 3>& taps = p.weight.space;
    for (std::int64_t c = 0; c < p.in.channel.size; ++c)
        for (std::int64_t i = 0; i < taps[1].size; ++i)
            for (std::int64_t j = 0; j < taps[2].size; ++j) {
                const std::int64_t group = c / (p.in.channel.size / groups);
                const std::int64_t pair = ((group * taps[1].size + i) * taps[2].size + j) * 2;
                const T* move_y = offset + offsets.channel.at(pair);
                const T* move_x = offset + offsets.channel.at(pair + 1);
                for (std::int64_t h = 0; h < p.out.space[1].size; ++h)
                    for (std::int64_t w = 0; w < p.out.space[2].size; ++w) {
                        const std::int64_t at = h * offsets.space[1].stride() + w * offsets.space[2].stride();
                        const std::int64_t y = h * p.window[1].stride - p.window[1].before + i * p.window[1].dilation;
                        const std::int64_t x = w * p.window[2].stride - p.window[2].before + j * p.window[2].dilation;
                        *to++ = sample(image + p.in.channel.at(c), p.in, static_cast<T>(y) + move_y[at],
                                       static_cast<T>(x) + move_x[at]);
                    }
            }
}

constexpr void convolve_deformed(const conv_plan& p, const lettered_axes& offsets, std::int64_t deformable_groups,
                                 const tensor& data, const tensor& offset, const tensor& weight, tensor& out,
                                 workspace& space, convolver by) {
    if (p.out.outer.size * p.out.channel.size * p.out.places() == 0) return;
    const std::int64_t taps = p.weight.places();
    const std::int64_t height = p.out.space[1].size;
    const std::int64_t width = p.out.space[2].size;
    const std::int64_t shape[]{1, p.in.channel.size, taps, height, width};
    tensor& columns = space.columns;
    make_result("deformable_conv", out.type(), shape, columns);
    conv_plan flat = p; // the window of each pixel is one column of samples
    flat.in = axes_in("deformable_conv", "columns", lettered::data, "NCDHW", shape);
    flat.out.outer = {.size = 1, .parts = 1, .part_of = {}};
    flat.weight.space = {joined(p.weight.space[1], p.weight.space[2]), {}, {}};
    flat.window = {window{.extent = taps, .size = taps}, {.extent = height}, {.extent = width}};
    const auto sample = [&]<class T>(std::type_identity<T>, std::int64_t n) {
        sample_columns(p, offsets, deformable_groups, data.data<T>() + p.in.outer.at(n),
                       offset.data<T>() + offsets.outer.at(n), columns.mutable_data<T>());
    };
    for (std::int64_t n = 0; n < p.in.outer.size; ++n) {
        if (out.type() == dtype::float64)
            sample(std::type_identity<double>{}, n);
        else
            sample(std::type_identity<float>{}, n);
        by(flat, columns, weight, out, {.out = p.out.outer.at(n)}, space.rows);
    }
}

} // namespace detail

/// Convolves images with windows whose cells are displaced by offsets: for each deformable group and cell, one offset
/// in rows and one in columns at each pixel of the result. Offsets are in the data's layout.
///
/// Source:   Dai et al., "Deformable Convolutional Networks".
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes do not fit, or if an operand is not of a floating-point
///           type.
/// Cost:     as `conv`, plus one sample in memory for each channel, cell of the window and pixel of the result.
constexpr void deformable_conv(const tensor& data, const tensor& offset, const tensor& weight,
                               const deformable_conv_options& options, tensor& out, scratch space = {},
                               convolver by = convolve_in_loops) {
    const conv_options o = detail::with_layouts(options, data, weight);
    detail::conv_plan p = detail::plan_conv("deformable_conv", data, weight, o);
    const std::int64_t groups = options.deformable_groups;
    if (spatial_rank(o.data_layout) != 2)
        detail::fail_pair("deformable_conv", "data", data, "weight", weight, "two spatial axes");
    if (groups < 1 || p.in.channel.size % groups != 0)
        detail::fail("deformable_conv", {groups, " deformable groups of ", p.in.channel.size, " channels"},
                     "groups of the same size");
    const lettered_axes offsets = axes_in("deformable_conv", "offset", lettered::data, o.data_layout, offset.shape());
    if (offsets.outer.size != p.in.outer.size || offsets.channel.size != 2 * groups * p.weight.places() ||
        offsets.space[1].size != p.out.space[1].size || offsets.space[2].size != p.out.space[2].size)
        detail::fail_pair("deformable_conv", "data", data, "offset", offset,
                          {2 * groups * p.weight.places(), " channels of ", p.out.space[1].size, " by ",
                           p.out.space[2].size, " offsets for each image"});
    if (!is_floating(data.type()) || !is_floating(offset.type()) || !is_floating(weight.type()))
        detail::fail_pair("deformable_conv", "data", data, "weight", weight,
                          "floating-point elements, also in the offsets");
    const dtype type = detail::product_type("deformable_conv", data, weight, o.out);
    const extents shape = place_result("deformable_conv", o.out_layout, p.out);
    spend(detail::steps_of(p));
    const dtype sum = detail::sum_type(data.type(), offset.type(), detail::sum_type(weight.type(), type, type));
    const tensor& from = detail::as_type(data, sum, space->data);
    const tensor& moves = detail::as_type(offset, sum, space->offset);
    const tensor& weights = detail::as_type(weight, sum, space->weight);
    detail::with_result_as("deformable_conv", type, sum, shape, space->result, out, [&](tensor& to) {
        detail::convolve_deformed(p, offsets, groups, from, moves, weights, to, *space, by);
    });
}

} // namespace tutti::kernel
