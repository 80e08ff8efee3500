#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of image.resize1d, image.resize2d and image.resize3d.
template <std::size_t Rank>
struct resize_attributes {
    std::optional<dims> size{};
    std::optional<vector<double>> roi{};
    std::string_view layout = spatial::data_layout(Rank);
    std::string_view method = "linear";
    std::string_view coordinate_transformation_mode = "half_pixel";
    std::string_view rounding_method = "round";
    double cubic_alpha = -0.5;
    std::int64_t cubic_exclude = 0;
    double extrapolation_value = 0;
    dtype out_dtype = dtype::none;

    static constexpr option_list<&resize_attributes::size, &resize_attributes::roi, &resize_attributes::layout,
                                 &resize_attributes::method, &resize_attributes::coordinate_transformation_mode,
                                 &resize_attributes::rounding_method, &resize_attributes::cubic_alpha,
                                 &resize_attributes::cubic_exclude, &resize_attributes::extrapolation_value,
                                 &resize_attributes::out_dtype>
        options{"size",
                "roi",
                "layout",
                "method",
                "coordinate_transformation_mode",
                "rounding_method",
                "cubic_alpha",
                "cubic_exclude",
                "extrapolation_value",
                "out_dtype"};
};
using resize1d_attributes = resize_attributes<1>;
using resize2d_attributes = resize_attributes<2>;
using resize3d_attributes = resize_attributes<3>;

/// Attributes of nn.upsampling: the scales of height and width.
struct upsampling_attributes {
    required<double> scale_h{};
    required<double> scale_w{};
    std::string_view layout = "NCHW";
    std::string_view method = "nearest_neighbor";
    bool align_corners = false;

    static constexpr option_list<&upsampling_attributes::scale_h, &upsampling_attributes::scale_w,
                                 &upsampling_attributes::layout, &upsampling_attributes::method,
                                 &upsampling_attributes::align_corners>
        options{"scale_h", "scale_w", "layout", "method", "align_corners"};
};

/// Attributes of nn.upsampling3d: the scales of depth, height and width.
struct upsampling3d_attributes {
    required<double> scale_d{};
    required<double> scale_h{};
    required<double> scale_w{};
    std::string_view layout = "NCDHW";
    std::string_view method = "nearest_neighbor";
    std::string_view coordinate_transformation_mode = "half_pixel";

    static constexpr option_list<&upsampling3d_attributes::scale_d, &upsampling3d_attributes::scale_h,
                                 &upsampling3d_attributes::scale_w, &upsampling3d_attributes::layout,
                                 &upsampling3d_attributes::method,
                                 &upsampling3d_attributes::coordinate_transformation_mode>
        options{"scale_d", "scale_h", "scale_w", "layout", "method", "coordinate_transformation_mode"};
};

namespace op {

/// Base of image operators that change only the spatial sizes.
template <std::size_t Rank>
struct resizing {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// Returns the result's shape. `size(n, i)` returns the result's i-th spatial size for an argument of size n.
    template <class Size>
    static constexpr dims resized(const relation& r, std::string_view text, Size size) {
        const layout l = spatial::parse_layout(r, "layout", text, spatial::data_layout(Rank));
        const dims data = r.shape(0);
        if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(text));
        spatial::axis_sizes sizes(l, data);
        spatial::resize_axes(sizes, Rank, size);
        return spatial::shape_in(r, "layout", l, sizes);
    }

    /// Returns the type of a result with scaled spatial axes.
    template <class Attributes>
    static constexpr type_id enlarged(relation& r, const Attributes& a, const double (&scale)[Rank]) {
        if (!r.knows(0)) return type_id::none;
        return r.tensor(resized(r, a.layout, [&](dim size, std::size_t i) { return scaled(r, size, scale[i]); }),
                        r.element(0));
    }

    /// Returns the type of a result with the spatial sizes `size`.
    static constexpr type_id of_size(relation& r, const std::optional<dims>& size, std::string_view layout, dtype out) {
        constexpr std::string_view wanted = spatial::of_rank(Rank, "a size", "two sizes", "three sizes");
        if (!size) r.refuse_attribute("size", "None", std::string(wanted));
        spatial::check_rank(r, "size", *size, Rank);
        for (const dim d : *size)
            if (kernel::is_negative(d)) r.refuse_attribute("size", "a negative size", std::string(wanted));
        const dims shape = resized(r, layout, [&](dim, std::size_t i) { return (*size)[i]; });
        return r.tensor(shape, out == dtype::none ? r.element(0) : out);
    }

private:
    /// Returns a scaled size, rounded to the nearest integer.
    static constexpr dim scaled(const relation& r, dim size, double scale) {
        if (!(scale >= 0) || scale > 1e9) r.refuse_attribute("scale", "out of range", "a number from 0 to 1e9");
        return size.is_any() ? size : dim(kernel::scaled_size(size.value(), scale));
    }
};

namespace image {

/// Resizes lines, images or volumes.
template <std::size_t Rank>
struct resize : resizing<Rank> {
    using attributes = resize_attributes<Rank>;

    static constexpr type_id infer(relation& r, const attributes& a) {
        return r.knows(0) ? resize::of_size(r, a.size, a.layout, a.out_dtype) : type_id::none;
    }
};

/// Resizes lines.
struct resize1d : resize<1>, named<"image.resize1d"> {
    static constexpr auto layout = &layout_rules::resize;
    static constexpr auto convert = &layout_conversions::single;
};
/// Resizes images.
struct resize2d : resize<2>, named<"image.resize2d", precision_rule::follow> {
    static constexpr auto layout = &layout_rules::resize;
    static constexpr auto convert = &layout_conversions::single;
};
/// Resizes volumes.
struct resize3d : resize<3>, named<"image.resize3d"> {};

} // namespace image

namespace nn {

/// Scales images.
struct upsampling : resizing<2> {
    static constexpr std::string_view name = "nn.upsampling";
    using attributes = upsampling_attributes;
    static constexpr auto layout = &layout_rules::upsampling;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Scales volumes.
struct upsampling3d : resizing<3> {
    static constexpr std::string_view name = "nn.upsampling3d";
    using attributes = upsampling3d_attributes;
    static constexpr auto layout = &layout_rules::upsampling;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace nn

} // namespace op

/// Operators that resize images.
using image_ops =
    op_list<op::image::resize1d, op::image::resize2d, op::image::resize3d, op::nn::upsampling, op::nn::upsampling3d>;

namespace detail {

template <class Op, std::size_t Rank>
constexpr expr call_resize(expr data, resize_attributes<Rank>& attributes) {
    if (!attributes.roi) attributes.roi = vector<double>(2 * Rank, 0.0);
    return call_op<Op>(attributes, data);
}

} // namespace detail

namespace image {

// Calls of image.resize1d, image.resize2d and image.resize3d. The default region of interest is all zeros, as in the
// reference's builder functions.

TUTTI_CONSTEXPR expr resize1d(expr data, resize1d_attributes attributes);
TUTTI_CONSTEXPR expr resize2d(expr data, resize2d_attributes attributes);
TUTTI_CONSTEXPR expr resize3d(expr data, resize3d_attributes attributes);

} // namespace image

namespace nn {
TUTTI_CONSTEXPR expr upsampling(expr data, const upsampling_attributes& attributes);
TUTTI_CONSTEXPR expr upsampling3d(expr data, const upsampling3d_attributes& attributes);
} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/image.ipp>
#endif
