#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/resize.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/image.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// A name in an attribute, and the value that it stands for.
template <class T>
struct named_choice {
    std::string_view name;
    T value;
};

/// Returns the value that a name in a list stands for, or nothing.
template <class T, std::size_t N>
constexpr std::optional<T> meant(const named_choice<T> (&names)[N], std::string_view name) {
    for (const named_choice<T>& choice : names)
        if (choice.name == name) return choice.value;
    return std::nullopt;
}

/// Returns the resize method with this name, or nothing.
constexpr std::optional<kernel::resize_method> resize_method(std::string_view name) {
    using enum kernel::resize_method;
    constexpr named_choice<kernel::resize_method> names[]{
        {"nearest_neighbor", nearest}, {"linear", linear}, {"bilinear", linear},
        {"trilinear", linear},         {"cubic", cubic},   {"bicubic", cubic}};
    return meant(names, name);
}

constexpr std::optional<kernel::resize_coordinates> resize_coordinates(std::string_view name) {
    using enum kernel::resize_coordinates;
    constexpr named_choice<kernel::resize_coordinates> names[]{{"half_pixel", half_pixel},
                                                               {"align_corners", align_corners},
                                                               {"asymmetric", asymmetric},
                                                               {"pytorch_half_pixel", pytorch_half_pixel},
                                                               {"tf_half_pixel_for_nn", half_pixel_for_nearest},
                                                               {"tf_crop_and_resize", crop_and_resize}};
    return meant(names, name);
}

/// Returns the rounding with this name, or nothing. An empty name means `round` for aligned corners, otherwise `floor`.
constexpr std::optional<kernel::resize_rounding> resize_rounding(std::string_view name,
                                                                 kernel::resize_coordinates coordinates) {
    using enum kernel::resize_rounding;
    constexpr named_choice<kernel::resize_rounding> names[]{{"round", round},
                                                            {"round_prefer_floor", prefer_floor},
                                                            {"round_prefer_ceil", prefer_ceil},
                                                            {"floor", floor},
                                                            {"ceil", ceil}};
    if (name.empty()) return coordinates == kernel::resize_coordinates::align_corners ? round : floor;
    return meant(names, name);
}

} // namespace detail

/// Returns the options of image.resize1d, image.resize2d or image.resize3d, or nothing if they are unsupported.
///
/// `size` is the size of the result. As in the reference, the region of interest starts with the innermost axis for
/// volumes, and with the outermost axis for images.
template <std::size_t Rank>
constexpr std::optional<kernel::resize_options> resize_options(const resize_attributes<Rank>& a,
                                                               std::span<const std::int64_t> size) {
    const auto method = detail::resize_method(a.method);
    const auto coordinates = detail::resize_coordinates(a.coordinate_transformation_mode);
    if (!method || !coordinates || !detail::knows_data(a.layout)) return std::nullopt;
    const auto rounding = detail::resize_rounding(a.rounding_method, *coordinates);
    if (!rounding) return std::nullopt;
    kernel::resize_options o;
    for (std::size_t i = 0; i < size.size() && i < o.size.size(); ++i) o.size[i] = size[i];
    o.layout = a.layout;
    o.method = *method;
    o.coordinates = *coordinates;
    o.rounding = *rounding;
    o.cubic_alpha = static_cast<float>(a.cubic_alpha);
    o.cubic_exclude = a.cubic_exclude != 0;
    o.extrapolation = static_cast<float>(a.extrapolation_value);
    o.out = a.out_dtype;
    if (*coordinates == kernel::resize_coordinates::crop_and_resize) {
        if (!a.roi || a.roi->size() != 2 * Rank) return std::nullopt;
        for (std::size_t i = 0; i < Rank; ++i) {
            const std::size_t axis = Rank == 3 ? Rank - 1 - i : i;
            o.crop_begin[axis] = static_cast<float>((*a.roi)[i]);
            o.crop_end[axis] = static_cast<float>((*a.roi)[Rank + i]);
        }
    }
    return o;
}

/// Returns the options of nn.upsampling, or nothing if they are unsupported. `size` is the size of the result.
constexpr std::optional<kernel::resize_options> resize_options(const upsampling_attributes& a,
                                                               std::span<const std::int64_t> size) {
    resize2d_attributes same;
    same.layout = a.layout;
    same.method = a.method;
    same.coordinate_transformation_mode = a.align_corners ? "align_corners" : "asymmetric";
    same.rounding_method = "";
    return resize_options(same, size);
}

/// Returns the options of nn.upsampling3d, or nothing if they are unsupported. `size` is the size of the result.
constexpr std::optional<kernel::resize_options> resize_options(const upsampling3d_attributes& a,
                                                               std::span<const std::int64_t> size) {
    resize2d_attributes same;
    same.layout = a.layout;
    same.method = a.method;
    same.coordinate_transformation_mode = a.coordinate_transformation_mode;
    same.rounding_method = "";
    return resize_options(same, size);
}

namespace detail {

/// Returns the scales of upsampling along each spatial axis, or 1 for operators without scales.
template <class Attributes>
constexpr std::array<double, 3> scales_of(const Attributes& a) {
    if constexpr (requires { a.scale_d; })
        return {a.scale_d, a.scale_h, a.scale_w};
    else if constexpr (requires { a.scale_h; })
        return {1, a.scale_h, a.scale_w};
    else
        return {1, 1, 1};
}

/// Resizes to the inferred size. Axes of unknown size are resized by the scales.
template <class Op>
inline constexpr kernel_row resize = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (!knows_data(a.layout)) return false;
    const auto inferred = c.program->types().shape(c.type);
    const std::span<const std::int64_t> given = c.input(0).shape();
    const auto stored = kernel::known_layout(kernel::lettered::data, a.layout);
    kernel::extents shape;
    std::array<bool, 3> open{}; // indexed by spatial axis: true if the axis has an unknown size
    for (std::size_t i = 0; i < inferred.size(); ++i) {
        shape.push_back(inferred[i].is_any() ? given[i] : inferred[i].value());
        for (std::size_t axis = 0; axis < 3 && inferred[i].is_any() && stored; ++axis)
            open[axis] = open[axis] || (i < stored->rank() && stored->axes()[i].letter == "DHW"[axis]);
    }
    const auto to = kernel::axes_in(Op::name, "the result", kernel::lettered::data, a.layout, shape);
    const std::size_t rank = kernel::spatial_rank(a.layout);
    const std::array<double, 3> scales = scales_of(a);
    kernel::extents size;
    for (std::size_t i = 3 - rank; i < 3; ++i)
        size.push_back(open[i] ? kernel::scaled_size(to.space[i].size, scales[i]) : to.space[i].size);
    const auto options = resize_options(a, size);
    if (!options) return false;
    kernel::workspace own;
    kernel::resize(c.input(0), *options, c.result(), kept_or(c, own));
    return true;
});

} // namespace detail

/// Operators that resize images.
template <class = void>
inline constexpr std::array image_kernels{
    detail::resize<op::image::resize1d>, detail::resize<op::image::resize2d>,  detail::resize<op::image::resize3d>,
    detail::resize<op::nn::upsampling>,  detail::resize<op::nn::upsampling3d>,
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
