#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace tutti::kernel {

/// Options of a transposed convolution. The weight axes are I, O, …, where O counts the result's channels per group.
struct conv_transpose_options : conv_options {
    spatial output_padding{}; ///< Additional places at the end of each axis of the result.
};

namespace detail {

/// One phase of a transposed convolution along an axis: the places of the result, `stride` apart, that read weight
/// `first`. Each phase is a plain convolution with a subset of the weights in reverse order.
struct transposed_phase {
    std::int64_t at = 0;     ///< first place
    std::int64_t places = 0; ///< number of places
    std::int64_t first = 0;  ///< index of the first weight
    std::int64_t step = 1;   ///< distance between successive weights
    window slid;

    /// Creates the phase whose first weight is `weight`. Requires: `weight` is less than `count(w)`.
    constexpr transposed_phase(const window& w, std::int64_t size, std::int64_t weight)
        : first(weight), step(w.stride / std::gcd(w.stride, w.dilation)) {
        // Weight k multiplies input (at + before - k * dilation) / stride, if that is whole.
        const std::int64_t from = (first * w.dilation - w.before) % w.stride;
        at = from < 0 ? from + w.stride : from;
        places = at < size ? (size - 1 - at) / w.stride + 1 : 0;
        slid = {.extent = w.extent, .size = (w.size - 1 - first) / step + 1, .dilation = step * w.dilation / w.stride};
        slid.before = (slid.size - 1) * slid.dilation - (at + w.before - first * w.dilation) / w.stride;
    }

    /// Returns the number of phases that have weights; places of the result in no such phase are zero.
    static constexpr std::int64_t count(const window& w) {
        return std::min(w.size, w.stride / std::gcd(w.stride, w.dilation));
    }

    constexpr std::int64_t weight_of(std::int64_t i) const { return first + (slid.size - 1 - i) * step; }
};

/// Packs the weights of one phase for a plain convolution, in the order O, I, D, H, W.
constexpr void pack_phase(const conv_plan& p, const std::array<transposed_phase, 3>& phase, const tensor& from,
                          lettered_axes& packed, tensor& to) {
    const lettered_axes& axes = p.weight;
    const std::int64_t in = axes.channel.size / p.groups;
    const std::int64_t sizes[]{p.groups * axes.outer.size, in, phase[0].slid.size, phase[1].slid.size,
                               phase[2].slid.size};
    to.reset(from.type(), sizes);
    packed = axes_in("conv_transpose", "weight", lettered::weight, "OIDHW", to.shape());
    if (to.size() == 0) return;
    const row_copier copy(from, to);
    std::int64_t next = 0;
    for (std::int64_t o = 0; o < sizes[0]; ++o)
        for (std::int64_t i = 0; i < in; ++i)
            for (std::int64_t d = 0; d < sizes[2]; ++d)
                for (std::int64_t h = 0; h < sizes[3]; ++h, next += sizes[4])
                    copy(axes.outer.at(o % axes.outer.size) + axes.channel.at(o / axes.outer.size * in + i) +
                             phase[0].weight_of(d) * axes.space[0].stride() +
                             phase[1].weight_of(h) * axes.space[1].stride() +
                             phase[2].weight_of(0) * axes.space[2].stride(),
                         -phase[2].step * axes.space[2].stride(), next, 1, sizes[4]);
}

constexpr void convolve_transposed(const conv_plan& p, const tensor& data, const tensor& weight, tensor& out,
                                   tensor& rows, convolver by) {
    std::int64_t count[3]{};
    bool gaps = false;
    for (std::size_t i = 0; i < 3; ++i) {
        count[i] = transposed_phase::count(p.window[i]);
        gaps = gaps || count[i] < p.window[i].stride;
    }
    if ((gaps || weight.size() == 0) && out.size() != 0) {
        number(std::int64_t{0}).put(out, 0);
        spread(out);
    }
    if (weight.size() == 0 || out.size() == 0) return; // skips a possibly long loop over phases
    const auto phase_of = [&](std::size_t axis, std::int64_t i) {
        return transposed_phase(p.window[axis], p.out.space[axis].size, i);
    };
    for (std::int64_t d = 0; d < count[0]; ++d)
        for (std::int64_t h = 0; h < count[1]; ++h)
            for (std::int64_t w = 0; w < count[2]; ++w) {
                const std::array phase{phase_of(0, d), phase_of(1, h), phase_of(2, w)};
                conv_plan part = p;
                conv_places places;
                for (std::size_t i = 0; i < 3; ++i) {
                    part.window[i] = phase[i].slid;
                    part.out.space[i].size = phase[i].places;
                    part.out.space[i].part_of[0].stride *= p.window[i].stride;
                    places.out += phase[i].places != 0 ? phase[i].at * p.out.space[i].stride() : 0;
                }
                if (part.out.places() == 0) continue;
                pack_phase(p, phase, weight, part.weight, rows);
                by(part, data, rows, out, places, rows);
            }
}

/// Returns the plan of a transposed convolution. The axes of the result have sizes, but no strides.
constexpr conv_plan plan_conv_transpose(const tensor& data, const tensor& weight, const conv_transpose_options& o) {
    conv_plan p = plan_operands("conv_transpose", data, weight, o);
    if (p.in.channel.size != p.weight.channel.size || p.in.channel.size % p.groups != 0)
        fail_pair("conv_transpose", "data", data, "weight", weight,
                  {"data of ", p.weight.channel.size, " channels in ", p.groups, " equal groups"});
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.weight.outer.size * p.groups;
    const std::size_t rank = spatial_rank(o.data_layout);
    windows numbers = p.window; // only to check the options
    for (window& w : numbers) w.extent = std::int64_t{1} << 62;
    check_windows("conv_transpose", numbers, rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = 3 - rank + i;
        if (o.output_padding[i] < 0 || o.output_padding[i] >= std::int64_t{1} << 31)
            fail("conv_transpose", {"an output padding of ", o.output_padding[i]}, "from 0 to 2^31 - 1");
        const window& w = p.window[axis];
        if (w.extent >= std::int64_t{1} << 31)
            fail("conv_transpose", {"data of shape ", data.shape()}, "fewer than 2^31 places along each axis");
        const std::int64_t size =
            windows_reach(w.extent, w.stride, w.reach()) - w.before - w.after + o.output_padding[i];
        if (size < 0)
            fail("conv_transpose", {"a padding of ", w.before + w.after},
                 {"at most the ", size + w.before + w.after, " places of the result"});
        p.out.space[axis].size = size;
    }
    return p;
}

} // namespace detail

/// Transposed convolution: adds each input, times the weights, to a window of the result.
///
/// The result has `(size - 1) * stride + reach of the window - padding + output_padding` places along an axis. Sums are
/// as in `conv`.
///
/// Source:   Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relation 14.
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
/// Cost:     linear in the number of multiply-adds. Copies the weights once. First zeroes the result if some of its
///           places have no weights.
constexpr void conv_transpose(const tensor& data, const tensor& weight, const conv_transpose_options& options,
                              tensor& out, scratch space = {}, convolver by = convolve_in_loops) {
    conv_transpose_options o = options;
    static_cast<conv_options&>(o) = detail::with_layouts(options, data, weight);
    detail::conv_plan p = detail::plan_conv_transpose(data, weight, o);
    const dtype type = detail::product_type("conv_transpose", data, weight, o.out);
    const extents shape = place_result("conv_transpose", o.out_layout, p.out);
    spend(steps(p.in.outer.size, p.in.channel.size, p.in.places(), p.weight.outer.size, p.weight.places()));
    const dtype sum = detail::sum_type(data.type(), weight.type(), type);
    const tensor& from = detail::as_type(data, sum, space->data);
    const tensor& weights = detail::as_type(weight, sum, space->weight);
    detail::with_result_as("conv_transpose", type, sum, shape, space->result, out,
                           [&](tensor& to) { detail::convolve_transposed(p, from, weights, to, space->rows, by); });
}

} // namespace tutti::kernel
