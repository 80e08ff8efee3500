#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

namespace tutti::kernel {

/// Convolution, as neural networks define it (a correlation), along one to three axes, in groups of channels.
///
/// The weights of a depthwise convolution may have as many places along O as the data has channels, and several along
/// I. The places along I then yield the result channels of one data channel, one after another.
///
/// Products of floating-point elements are summed in double, and the sums are rounded to float32 unless an operand is
/// float64. Integers wrap. Zeros of the padding are multiplied like other elements: with an infinite weight, the result
/// is NaN.
///
/// `by` replaces the convolver of the reference, for example with the fast `kernel::blocked::convolve_in_blocks`.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
/// Cost:     linear in the number of multiply-adds. Copies an operand to `space` only if its type differs from that of
///           the sums.
constexpr void conv(const tensor& data, const tensor& weight, const conv_options& options, tensor& out,
                    scratch space = {}, convolver by = convolve_in_loops) {
    const conv_options o = detail::with_layouts(options, data, weight);
    detail::conv_plan p = detail::plan_conv("conv", data, weight, o);
    const dtype type = detail::product_type("conv", data, weight, o.out);
    const extents shape = place_result("conv", o.out_layout, p.out);
    spend(detail::steps_of(p));
    const dtype sum = detail::sum_type(data.type(), weight.type(), type);
    const tensor& from = detail::as_type(data, sum, space->data);
    const tensor& weights = detail::as_type(weight, sum, space->weight);
    detail::with_result_as("conv", type, sum, shape, space->result, out,
                           [&](tensor& to) { by(p, from, weights, to, {}, space->rows); });
}

} // namespace tutti::kernel
