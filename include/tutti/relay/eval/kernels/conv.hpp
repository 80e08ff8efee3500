#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/conv.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// True if the kernels support the layouts of a convolution.
template <class Attributes>
constexpr bool knows_layouts(const Attributes& a) {
    return knows_data(a.data_layout) && knows_data(a.out_layout) &&
           kernel::is_layout(kernel::lettered::weight, a.kernel_layout);
}

template <class Attributes, class Options>
constexpr Options conv_options(const Attributes& a, Options options) {
    read_window(a, options);
    options.groups = a.groups;
    options.data_layout = a.data_layout;
    options.weight_layout = a.kernel_layout;
    options.out_layout = a.out_layout;
    options.out = a.out_dtype;
    return options;
}

template <class Op, kernel::convolver By>
inline constexpr kernel_row conv = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (!knows_layouts(a)) return false;
    kernel::workspace own;
    kernel::conv(c.input(0), c.input(1), conv_options(a, kernel::conv_options{}), c.result(), kept_or(c, own), By);
    return true;
});

} // namespace detail

/// Convolutions computed by the convolver `By`.
template <kernel::convolver By = kernel::convolve_in_loops, class = void>
inline constexpr std::array conv_kernels{
    detail::conv<op::nn::conv1d, By>,
    detail::conv<op::nn::conv2d, By>,
    detail::conv<op::nn::conv3d, By>,
    detail::conv<op::nn::contrib_conv2d_nchwc, By>,
    detail::conv<op::nn::contrib_depthwise_conv2d_nchwc, By>,
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
