#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/correlation.hpp>
#include <tutti/kernel/dilation2d.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/correlation.hpp>

#include <array>
#include <cstddef>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Stores the padding of an image's two axes in the kernel's options.
template <class Options>
constexpr void read_padding(const dims& given, Options& options) {
    const dims padding = spatial::pad(given, 2);
    for (std::size_t i = 0; i < 2; ++i) {
        options.before[i] = padding[i].value();
        options.after[i] = padding[2 + i].value();
    }
}

} // namespace detail

/// Operators that slide one image over another.
template <class = void>
inline constexpr std::array correlation_kernels{
    kernel_for<op::nn::correlation>([](const invocation& c, const correlation_attributes& a) {
        kernel::correlation_options options{.size = a.kernel_size,
                                            .displacement = a.max_displacement,
                                            .stride = a.stride1,
                                            .other_stride = a.stride2,
                                            .multiplies = a.is_multiply};
        detail::read_padding(a.padding, options);
        kernel::workspace own;
        kernel::correlation(c.input(0), c.input(1), options, c.result(), detail::kept_or(c, own));
    }),
    kernel_for<op::image::dilation2d>([](const invocation& c, const dilation2d_attributes& a) {
        if (!detail::knows_data(a.data_layout)) return false;
        kernel::dilation2d_options options{.strides = detail::spatial_numbers(a.strides),
                                           .dilation = detail::spatial_numbers(a.dilations),
                                           .data_layout = a.data_layout,
                                           .weight_layout = a.kernel_layout,
                                           .out = a.out_dtype};
        detail::read_padding(a.padding, options);
        kernel::workspace own;
        kernel::dilation2d(c.input(0), c.input(1), options, c.result(), detail::kept_or(c, own));
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
