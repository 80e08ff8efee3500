#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/conv_blocks.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/copy.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/window.hpp>
#include <tutti/kernel/workspace.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

namespace detail {

/// Copies the weights that `axes` finds to `to`, in the order O, I, D, H, W, and makes `axes` find them there.
constexpr const tensor& pack_weight(lettered_axes& axes, const tensor& from, tensor& to) {
    const std::array<lettered_axis, 3>& space = axes.space;
    const std::int64_t sizes[]{axes.outer.size, axes.channel.size, space[0].size, space[1].size, space[2].size};
    to.reset(from.type(), sizes);
    const row_copier copy(from, to);
    std::int64_t next = 0;
    for (std::int64_t o = 0; o < axes.outer.size; ++o)
        for (std::int64_t i = 0; i < axes.channel.size; ++i)
            for (std::int64_t d = 0; d < space[0].size; ++d)
                for (std::int64_t h = 0; h < space[1].size; ++h, next += space[2].size)
                    copy(axes.outer.at(o) + axes.channel.at(i) + d * space[0].stride() + h * space[1].stride(),
                         space[2].stride(), next, 1, space[2].size);
    axes = axes_in("conv", "weight", lettered::weight, "OIDHW", to.shape());
    return to;
}

} // namespace detail

/// Convolution (in the networks' sense: a correlation) along one to three axes, in groups of channels.
///
/// Where each channel is a group, weights with as many places along O as there are channels may have several along I: what each
/// channel becomes, one after the other.
///
/// Products are summed in float for float16 and float32, in double if anything is float64; integers wrap.
/// Float sums are taken in blocks of 128 products. Padding is made of zeros that take part, so that an
/// infinite weight makes NaN of them.
///
/// Requires: `out` is none of the operands and not in `space`.
/// Throws:   tutti::error, naming both, if shapes or element types do not fit.
/// Cost:     multiply-adds, and about 1/128 of that for gathering; 64 KiB of stack for float32. Only operands
///           that are not of the type that is summed in, and weights in blocks, are copied, to `space`.
constexpr void conv(const tensor& data, const tensor& weight, const conv_options& options, tensor& out,
                    scratch space = {}) {
    const conv_options o = detail::with_layouts(options, data, weight);
    detail::conv_plan p = detail::plan_conv("conv", data, weight, o);
    const dtype type = detail::product_type("conv", data, weight, o.out);
    const extents shape = place_result("conv", o.out_layout, p.out);
    spend(detail::steps_of(p));
    const dtype sum = detail::sum_type(data.type(), weight.type(), type);
    const tensor& from = detail::as_type(data, sum, space->data);
    const tensor* weights = &detail::as_type(weight, sum, space->weight);
    if (p.out_channels() >= detail::tile_rows && !detail::weight_row(p.weight).good)
        weights = &detail::pack_weight(p.weight, *weights, space->rows);
    detail::with_result_as("conv", type, sum, shape, space->result, out,
                           [&](tensor& to) { detail::convolve(p, from, *weights, to); });
}

} // namespace tutti::kernel
