#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/grid_sample.hpp>
#include <tutti/kernel/resize.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/eval/kernels/image.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/image_sampling.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

constexpr std::optional<kernel::grid_sample_options> grid_sample_options(const grid_sample_attributes& a) {
    using enum kernel::sample_padding;
    constexpr named_choice<kernel::sample_padding> paddings[]{
        {"zeros", zeros}, {"border", border}, {"reflection", reflection}};
    const auto padding = meant(paddings, a.padding_mode);
    const auto method = a.method == "nearest" ? kernel::resize_method::nearest : resize_method(a.method);
    if (!padding || !method || !knows_data(a.layout)) return std::nullopt;
    return kernel::grid_sample_options{
        .layout = a.layout, .method = *method, .padding = *padding, .align_corners = a.align_corners};
}

constexpr std::optional<kernel::resize_options> crop_options(const crop_and_resize_attributes& a) {
    const auto method = resize_method(a.method);
    if (!method || !knows_data(a.layout) || !a.crop_size || a.crop_size->size() != 2) return std::nullopt;
    kernel::resize_options o;
    o.size = spatial_numbers(*a.crop_size);
    o.layout = a.layout;
    o.method = *method;
    o.extrapolation = static_cast<float>(a.extrapolation_value);
    o.out = a.out_dtype;
    return o;
}

} // namespace detail

/// Operators that sample images at points, or compute such points.
template <class = void>
inline constexpr std::array image_sampling_kernels{
    kernel_for<op::image::affine_grid>([](const invocation& c, const affine_grid_attributes& a) {
        const kernel::extents size = detail::numbers("the attribute `target_shape`", a.target_shape.value);
        kernel::workspace own;
        kernel::affine_grid(c.input(0), size[0], size[1], c.result(), detail::kept_or(c, own));
    }),
    kernel_for<op::image::crop_and_resize>([](const invocation& c, const crop_and_resize_attributes& a) {
        const auto options = detail::crop_options(a);
        if (!options) return false;
        kernel::workspace own;
        kernel::crop_and_resize(c.input(0), c.input(1), c.input(2), *options, c.result(), detail::kept_or(c, own));
        return true;
    }),
    kernel_for<op::image::grid_sample>([](const invocation& c, const grid_sample_attributes& a) {
        const auto options = detail::grid_sample_options(a);
        if (!options) return false;
        kernel::workspace own;
        kernel::grid_sample(c.input(0), c.input(1), *options, c.result(), detail::kept_or(c, own));
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
