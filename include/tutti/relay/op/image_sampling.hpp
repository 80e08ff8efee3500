#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of image.affine_grid: the height and width of the grids.
struct affine_grid_attributes {
    required<dims> target_shape{};

    static constexpr option_list<&affine_grid_attributes::target_shape> options{"target_shape"};
};

/// Attributes of image.grid_sample: the method, "nearest", "bilinear" or "bicubic"; the padding, "zeros", "border" or
/// "reflection"; and whether -1 and 1 are the centres of the border pixels.
struct grid_sample_attributes {
    std::string_view method = "bilinear";
    std::string_view layout = "NCHW";
    std::string_view padding_mode = "zeros";
    bool align_corners = true;

    static constexpr option_list<&grid_sample_attributes::method, &grid_sample_attributes::layout,
                                 &grid_sample_attributes::padding_mode, &grid_sample_attributes::align_corners>
        options{"method", "layout", "padding_mode", "align_corners"};
};

/// Attributes of image.crop_and_resize: the size to which each box is resized, the layout and method, the value outside
/// the image, and the result's element type.
struct crop_and_resize_attributes {
    std::optional<dims> crop_size{};
    std::string_view layout = "NCHW";
    std::string_view method = "bilinear";
    double extrapolation_value = 0;
    dtype out_dtype = dtype::none;

    static constexpr option_list<&crop_and_resize_attributes::crop_size, &crop_and_resize_attributes::layout,
                                 &crop_and_resize_attributes::method, &crop_and_resize_attributes::extrapolation_value,
                                 &crop_and_resize_attributes::out_dtype>
        options{"crop_size", "layout", "method", "extrapolation_value", "out_dtype"};
};

namespace op {

/// Base of operators that sample images at points given by other arguments.
struct image_sampling {
    static constexpr bool rounds = true;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// Returns the sizes in an attribute, one per axis. Throws: `tutti::error` if they are invalid.
    static TUTTI_CONSTEXPR dims sizes(const relation& r, std::string_view attribute, const std::optional<dims>& given,
                                      std::size_t rank);

    /// Returns the shape of the data with new spatial sizes and, if given, a new number of images. `text` is a layout
    /// with `rank` spatial axes.
    static TUTTI_CONSTEXPR dims shape_of(const relation& r, std::string_view text, std::size_t rank,
                                         std::span<const dim> sizes, std::optional<dim> images = {});
};

namespace image {

/// Applies an affine map to each point of a regular grid.
struct affine_grid : image_sampling, named<"image.affine_grid"> {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = affine_grid_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Samples images at the points of a grid.
struct grid_sample : image_sampling, named<"image.grid_sample"> {
    static constexpr std::array<std::string_view, 2> arguments{"data", "grid"};
    using attributes = grid_sample_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Cuts boxes out of images and resizes them.
struct crop_and_resize : image_sampling, named<"image.crop_and_resize"> {
    static constexpr std::array<std::string_view, 3> arguments{"data", "boxes", "box_indices"};
    using attributes = crop_and_resize_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace image

} // namespace op

/// Operators that sample images at points given by other arguments.
using image_sampling_ops = op_list<op::image::affine_grid, op::image::crop_and_resize, op::image::grid_sample>;

namespace image {
TUTTI_CONSTEXPR expr affine_grid(expr data, const affine_grid_attributes& attributes);
TUTTI_CONSTEXPR expr crop_and_resize(expr data, expr boxes, expr box_indices,
                                     const crop_and_resize_attributes& attributes);
TUTTI_CONSTEXPR expr grid_sample(expr data, expr grid, const grid_sample_attributes& attributes = {});
} // namespace image

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/image_sampling.ipp>
#endif
