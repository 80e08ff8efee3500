#pragma once

#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace tutti::relay::kernels {

namespace detail {

/// The kernels' name of a layout, or nothing if they have none for it.
constexpr std::optional<kernel::image_layout> image_layout(std::string_view text) {
    if (text == "NCHW") return kernel::image_layout::nchw;
    if (text == "NHWC") return kernel::image_layout::nhwc;
    return std::nullopt;
}

/// The layout of an operator that may be asked for another one of its result, for which there is no kernel.
template <class Attributes>
constexpr std::optional<kernel::image_layout> same_layout(const Attributes& a, std::string_view layout) {
    return a.out_layout.empty() || a.out_layout == layout ? image_layout(layout) : std::nullopt;
}

constexpr std::optional<kernel::kernel_layout> weight_layout(std::string_view text) {
    if (text == "OIHW") return kernel::kernel_layout::oihw;
    if (text == "HWIO") return kernel::kernel_layout::hwio;
    if (text == "OHWI") return kernel::kernel_layout::ohwi;
    return std::nullopt;
}

/// Two numbers, of rows and of columns.
constexpr kernel::size2d size_2d(const dims& given) { return {given[0].value(), given[1].value()}; }

constexpr kernel::padding2d padding_2d(const dims& given) {
    const dims all = spatial::pad_2d(given);
    return {all[0].value(), all[1].value(), all[2].value(), all[3].value()};
}

template <class Attributes>
constexpr kernel::pool2d_options window(const Attributes& a, kernel::image_layout layout) {
    return {.pool = size_2d(a.pool_size),
            .strides = size_2d(a.strides),
            .padding = padding_2d(a.padding),
            .dilation = size_2d(a.dilation),
            .layout = layout,
            .ceil_mode = a.ceil_mode};
}

} // namespace detail

/// The operators that networks are made of: convolution, products of matrices, pooling.
inline constexpr std::array network_kernels{
    kernel_for<op::nn::conv2d>([](const invocation& c, const conv2d_attributes& a) {
        const auto data = detail::same_layout(a, a.data_layout);
        const auto weight = detail::weight_layout(a.kernel_layout);
        if (!data || !weight) return false;
        c.result() = kernel::conv2d(c.input(0), c.input(1),
                                    {.strides = detail::size_2d(a.strides),
                                     .padding = detail::padding_2d(a.padding),
                                     .dilation = detail::size_2d(a.dilation),
                                     .groups = a.groups,
                                     .data_layout = *data,
                                     .weight_layout = *weight,
                                     .out = a.out_dtype});
        return true;
    }),
    kernel_for<op::nn::dense>([](const invocation& c, const dense_attributes& a) {
        c.result() = kernel::dense(c.input(0), c.input(1), a.out_dtype);
    }),
    kernel_for<op::nn::max_pool2d>([](const invocation& c, const max_pool2d_attributes& a) {
        const auto layout = detail::same_layout(a, a.layout);
        if (!layout) return false;
        c.result() = kernel::max_pool2d(c.input(0), detail::window(a, *layout));
        return true;
    }),
    kernel_for<op::nn::avg_pool2d>([](const invocation& c, const avg_pool2d_attributes& a) {
        const auto layout = detail::same_layout(a, a.layout);
        if (!layout) return false;
        kernel::pool2d_options options = detail::window(a, *layout);
        options.count_include_pad = a.count_include_pad;
        c.result() = kernel::avg_pool2d(c.input(0), options);
        return true;
    }),
    kernel_for<op::nn::global_avg_pool2d>([](const invocation& c, const global_pool2d_attributes& a) {
        const auto layout = detail::same_layout(a, a.layout);
        if (!layout) return false;
        c.result() = kernel::global_avg_pool2d(c.input(0), *layout);
        return true;
    }),
};

} // namespace tutti::relay::kernels
