#pragma once

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
#include <vector>

namespace tutti::relay {

/// Attributes of image.resize2d.
struct resize2d_attributes {
    std::optional<dims> size{};
    std::optional<std::vector<double>> roi{};
    std::string_view layout = "NCHW";
    std::string_view method = "linear";
    std::string_view coordinate_transformation_mode = "half_pixel";
    std::string_view rounding_method = "round";
    double cubic_alpha = -0.5;
    std::int64_t cubic_exclude = 0;
    double extrapolation_value = 0;
    dtype out_dtype = dtype::none;

    static constexpr members<&resize2d_attributes::size, &resize2d_attributes::roi, &resize2d_attributes::layout,
                             &resize2d_attributes::method, &resize2d_attributes::coordinate_transformation_mode,
                             &resize2d_attributes::rounding_method, &resize2d_attributes::cubic_alpha,
                             &resize2d_attributes::cubic_exclude, &resize2d_attributes::extrapolation_value,
                             &resize2d_attributes::out_dtype>
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

/// Attributes of nn.upsampling: how many times as high and wide.
struct upsampling_attributes {
    required<double> scale_h{};
    required<double> scale_w{};
    std::string_view layout = "NCHW";
    std::string_view method = "nearest_neighbor";
    bool align_corners = false;

    static constexpr members<&upsampling_attributes::scale_h, &upsampling_attributes::scale_w,
                             &upsampling_attributes::layout, &upsampling_attributes::method,
                             &upsampling_attributes::align_corners>
        options{"scale_h", "scale_w", "layout", "method", "align_corners"};
};

/// Attributes of nn.upsampling3d: how many times as deep, high and wide.
struct upsampling3d_attributes {
    required<double> scale_d{};
    required<double> scale_h{};
    required<double> scale_w{};
    std::string_view layout = "NCDHW";
    std::string_view method = "nearest_neighbor";
    std::string_view coordinate_transformation_mode = "half_pixel";

    static constexpr members<&upsampling3d_attributes::scale_d, &upsampling3d_attributes::scale_h,
                             &upsampling3d_attributes::scale_w, &upsampling3d_attributes::layout,
                             &upsampling3d_attributes::method, &upsampling3d_attributes::coordinate_transformation_mode>
        options{"scale_d", "scale_h", "scale_w", "layout", "method", "coordinate_transformation_mode"};
};

namespace op {

/// What operators on images share: a result like the argument but for its spatial axes.
template <std::size_t Rank>
struct resizing {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// The result's shape, where `size(size of the axis, which of the spatial axes)` gives those.
    template <class Size>
    static constexpr dims resized(const relation& r, std::string_view text, Size size) {
        const layout l = spatial::parse_layout(r, "layout", text, spatial::data_layout(Rank));
        const dims data = r.shape(0);
        if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(text));
        return spatial::shape_like(r, "layout", l, data, l, Rank, size);
    }

    /// The result's type if the spatial axes become that many times as long.
    template <class Attributes>
    static constexpr type_id enlarged(relation& r, const Attributes& a, const double (&scale)[Rank]) {
        if (!r.knows(0)) return type_id::none;
        return r.tensor(resized(r, a.layout, [&](dim size, std::size_t i) { return scaled(r, size, scale[i]); }),
                        r.element(0));
    }

private:
    /// The size times a scale, rounded to the nearest.
    static constexpr dim scaled(const relation& r, dim size, double scale) {
        if (!(scale >= 0) || scale > 1e9) r.refuse_attribute("scale", "not a scale", "a number from 0 to 1e9");
        if (size.is_any()) return size;
        const double whole = static_cast<double>(size.value()) * scale;
        if (!(whole < static_cast<double>(largest_dim))) return largest_dim;
        return static_cast<std::int64_t>(whole + 0.5);
    }
};

namespace image {

/// Images of another size.
struct resize2d : resizing<2> {
    static constexpr std::string_view name = "image.resize2d";
    using attributes = resize2d_attributes;
    static constexpr auto layout = &layout_rules::resize;
    static constexpr auto convert = &layout_conversions::single;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (!a.size) r.refuse_attribute("size", "None", "two sizes");
        spatial::check_rank(r, "size", *a.size, 2);
        for (const dim d : *a.size)
            if (!d.is_any() && d.value() < 0) r.refuse_attribute("size", "a negative size", "two sizes");
        const dims shape = resized(r, a.layout, [&](dim, std::size_t i) { return (*a.size)[i]; });
        return r.tensor(shape, a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
};

} // namespace image

namespace nn {

/// Images several times as large.
struct upsampling : resizing<2> {
    static constexpr std::string_view name = "nn.upsampling";
    using attributes = upsampling_attributes;
    static constexpr auto layout = &layout_rules::upsampling;

    static constexpr type_id infer(relation& r, const attributes& a) { return enlarged(r, a, {a.scale_h, a.scale_w}); }
};

/// Volumes several times as large.
struct upsampling3d : resizing<3> {
    static constexpr std::string_view name = "nn.upsampling3d";
    using attributes = upsampling3d_attributes;
    static constexpr auto layout = &layout_rules::upsampling;

    static constexpr type_id infer(relation& r, const attributes& a) {
        return enlarged(r, a, {a.scale_d, a.scale_h, a.scale_w});
    }
};

} // namespace nn

} // namespace op

/// The operators that make images larger or smaller.
using image_ops = op_list<op::image::resize2d, op::nn::upsampling, op::nn::upsampling3d>;

namespace image {
/// A call of image.resize2d; without a region of interest, it is all zeros, as the builder function of the
/// field writes it.
constexpr expr resize2d(expr data, resize2d_attributes attributes) {
    if (!attributes.roi) attributes.roi = std::vector<double>(4, 0.0);
    return call_op<op::image::resize2d>(attributes, data);
}
} // namespace image

namespace nn {
constexpr expr upsampling(expr data, const upsampling_attributes& attributes) {
    return call_op<op::nn::upsampling>(attributes, data);
}
constexpr expr upsampling3d(expr data, const upsampling3d_attributes& attributes) {
    return call_op<op::nn::upsampling3d>(attributes, data);
}
} // namespace nn

} // namespace tutti::relay
