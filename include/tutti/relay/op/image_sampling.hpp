#pragma once

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

namespace tutti::relay {

/// Attributes of image.affine_grid: the height and width of the grids.
struct affine_grid_attributes {
    required<dims> target_shape{};

    static constexpr option_list<&affine_grid_attributes::target_shape> options{"target_shape"};
};

/// Attributes of image.grid_sample: "nearest", "bilinear" or "bicubic"; "zeros", "border" or "reflection"; and whether
/// -1 and 1 are the centres of the border pixels.
struct grid_sample_attributes {
    std::string_view method = "bilinear";
    std::string_view layout = "NCHW";
    std::string_view padding_mode = "zeros";
    bool align_corners = true;

    static constexpr option_list<&grid_sample_attributes::method, &grid_sample_attributes::layout,
                                 &grid_sample_attributes::padding_mode, &grid_sample_attributes::align_corners>
        options{"method", "layout", "padding_mode", "align_corners"};
};

/// Attributes of image.crop_and_resize: the result's size per box, and the value outside the image.
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
    [[gnu::noinline]] static constexpr dims sizes(const relation& r, std::string_view attribute,
                                                  const std::optional<dims>& given, std::size_t rank) {
        const dims known = given.value_or(dims{});
        bool good = known.size() == rank;
        for (const dim d : known) good = good && !kernel::is_negative(d);
        if (!good)
            r.refuse_attribute(attribute, "not the sizes of an image",
                               "a non-negative size for each of its spatial axes");
        return known;
    }

    /// Returns the shape of data in a layout with `rank` spatial axes, other spatial sizes and, if given, another
    /// number of images.
    [[gnu::noinline]] static constexpr dims shape_of(const relation& r, std::string_view text, std::size_t rank,
                                                     std::span<const dim> sizes, std::optional<dim> images = {}) {
        const layout l = spatial::parse_layout(r, "layout", text, spatial::data_layout(rank));
        const dims data = r.shape(0);
        if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(text));
        spatial::axis_sizes all(l, data);
        if (images) all.of('N') = *images;
        spatial::resize_axes(all, rank, [&](dim, std::size_t i) { return sizes[i]; });
        return spatial::shape_in(r, "layout", l, all);
    }
};

namespace image {

/// Maps each pixel of a grid by an affine map.
struct affine_grid : image_sampling, named<"image.affine_grid"> {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = affine_grid_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        if (data.size() != 3 || !may_equal(data[1], 2) || !may_equal(data[2], 3))
            r.refuse(0, "a 2-by-3 matrix for each image");
        const dims size = sizes(r, "target_shape", a.target_shape.value, 2);
        return r.tensor(dims{data[0], 2, size[0], size[1]}, r.element(0));
    }
};

/// Samples images at the points of a grid.
struct grid_sample : image_sampling, named<"image.grid_sample"> {
    static constexpr std::array<std::string_view, 2> arguments{"data", "grid"};
    using attributes = grid_sample_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims grid = r.shape(1);
        const std::size_t rank = kernel::spatial_rank(a.layout);
        if (rank != 2 && rank != 3)
            r.refuse_attribute("layout", "\"" + std::string(a.layout) + "\"", "one such as NCHW or NCDHW");
        if (grid.size() != rank + 2 || !may_equal(grid[1], static_cast<std::int64_t>(rank)))
            r.refuse(1, rank == 2 ? "two coordinates of a grid for each image"
                                  : "three coordinates of a grid for each image");
        const dims shape = shape_of(r, a.layout, rank, {grid.begin() + 2, grid.size() - 2});
        return r.tensor(shape, r.element(0));
    }
};

/// Cuts boxes out of images and resizes them.
struct crop_and_resize : image_sampling, named<"image.crop_and_resize"> {
    static constexpr std::array<std::string_view, 3> arguments{"data", "boxes", "box_indices"};
    using attributes = crop_and_resize_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
        const dims boxes = r.shape(1);
        const dims images = r.shape(2);
        if (boxes.size() != 2 || !may_equal(boxes[1], 4)) r.refuse(1, "a row of four numbers for each box");
        if (images.size() != 1 || !may_equal(images[0], boxes[0])) r.refuse(2, "the number of an image for each box");
        const dims size = sizes(r, "crop_size", a.crop_size, 2);
        return r.tensor(shape_of(r, a.layout, 2, {size.begin(), size.end()}, boxes[0]),
                        a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
};

} // namespace image

} // namespace op

/// Operators that sample images at points given by other arguments.
using image_sampling_ops = op_list<op::image::affine_grid, op::image::crop_and_resize, op::image::grid_sample>;

namespace image {
constexpr expr affine_grid(expr data, const affine_grid_attributes& attributes) {
    return call_op<op::image::affine_grid>(attributes, data);
}
constexpr expr crop_and_resize(expr data, expr boxes, expr box_indices, const crop_and_resize_attributes& attributes) {
    return call_op<op::image::crop_and_resize>(attributes, data, boxes, box_indices);
}
constexpr expr grid_sample(expr data, expr grid, const grid_sample_attributes& attributes = {}) {
    return call_op<op::image::grid_sample>(attributes, data, grid);
}
} // namespace image

} // namespace tutti::relay
