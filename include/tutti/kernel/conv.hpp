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
/// The weights of a depthwise convolution may have one place along O for each data channel and several along I. The
/// places along I are then the result channels of that data channel, one after another.
///
/// Products of floating-point elements are summed in double, and the sums rounded to float32 unless an operand is
/// float64; integers wrap. Padding zeros take part: times an infinite weight they give NaN.
///
/// `by` replaces the convolver of the reference, for example with the fast `kernel::blocked::convolve_in_blocks`.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
/// Cost:     multiply-adds. Copies operands to `space` only if their type differs from the sums'.
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
