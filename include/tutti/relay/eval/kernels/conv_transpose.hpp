#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/conv_transpose.hpp>
#include <tutti/kernel/deformable_conv.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/conv_transpose.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class Op, kernel::convolver By>
inline constexpr kernel_row conv_transpose = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (!knows_layouts(a)) return false;
    kernel::conv_transpose_options options = conv_options(a, kernel::conv_transpose_options{});
    options.output_padding = spatial_numbers(a.output_padding);
    kernel::workspace own;
    kernel::conv_transpose(c.input(0), c.input(1), options, c.result(), kept_or(c, own), By);
    return true;
});

} // namespace detail

/// Transposed and deformable convolutions computed by the convolver `By`.
template <kernel::convolver By = kernel::convolve_in_loops, class = void>
inline constexpr std::array conv_transpose_kernels{
    detail::conv_transpose<op::nn::conv1d_transpose, By>,
    detail::conv_transpose<op::nn::conv2d_transpose, By>,
    detail::conv_transpose<op::nn::conv3d_transpose, By>,
    kernel_for<op::nn::deformable_conv2d>([](const invocation& c, const deformable_conv2d_attributes& a) {
        if (!detail::knows_layouts(a)) return false;
        kernel::deformable_conv_options options = detail::conv_options(a, kernel::deformable_conv_options{});
        options.deformable_groups = a.deformable_groups;
        kernel::workspace own;
        kernel::deformable_conv(c.input(0), c.input(1), c.input(2), options, c.result(), detail::kept_or(c, own), By);
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
