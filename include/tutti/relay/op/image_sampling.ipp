#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/image_sampling.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR dims image_sampling::sizes(const relation& r, std::string_view attribute,
                                           const std::optional<dims>& given, std::size_t rank) {
    const dims known = given.value_or(dims{});
    bool good = known.size() == rank;
    for (const dim d : known) good = good && !kernel::is_negative(d);
    if (!good)
        r.refuse_attribute(attribute, "not the sizes of an image", "a non-negative size for each of its spatial axes");
    return known;
}

TUTTI_CONSTEXPR dims image_sampling::shape_of(const relation& r, std::string_view text, std::size_t rank,
                                              std::span<const dim> sizes, std::optional<dim> images) {
    const layout l = spatial::parse_layout(r, "layout", text, spatial::data_layout(rank));
    const dims data = r.shape(0);
    if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(text));
    spatial::axis_sizes all(l, data);
    if (images) all.of('N') = *images;
    spatial::resize_axes(all, rank, [&](dim, std::size_t i) { return sizes[i]; });
    return spatial::shape_in(r, "layout", l, all);
}

} // namespace op

namespace op::image {

TUTTI_CONSTEXPR type_id affine_grid::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    if (data.size() != 3 || !may_equal(data[1], 2) || !may_equal(data[2], 3))
        r.refuse(0, "a 2-by-3 matrix for each image");
    const dims size = sizes(r, "target_shape", a.target_shape.value, 2);
    return r.tensor(dims{data[0], 2, size[0], size[1]}, r.element(0));
}

TUTTI_CONSTEXPR type_id grid_sample::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims grid = r.shape(1);
    const std::size_t rank = kernel::spatial_rank(a.layout);
    if (rank != 2 && rank != 3)
        r.refuse_attribute("layout", "\"" + std::string(a.layout) + "\"", "one such as NCHW or NCDHW");
    if (grid.size() != rank + 2 || !may_equal(grid[1], static_cast<std::int64_t>(rank)))
        r.refuse(1,
                 rank == 2 ? "two coordinates of a grid for each image" : "three coordinates of a grid for each image");
    const dims shape = shape_of(r, a.layout, rank, {grid.begin() + 2, grid.size() - 2});
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id crop_and_resize::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    const dims boxes = r.shape(1);
    const dims images = r.shape(2);
    if (boxes.size() != 2 || !may_equal(boxes[1], 4)) r.refuse(1, "a row of four numbers for each box");
    if (images.size() != 1 || !may_equal(images[0], boxes[0])) r.refuse(2, "the number of an image for each box");
    const dims size = sizes(r, "crop_size", a.crop_size, 2);
    return r.tensor(shape_of(r, a.layout, 2, {size.begin(), size.end()}, boxes[0]),
                    a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

} // namespace op::image

namespace image {

TUTTI_CONSTEXPR expr affine_grid(expr data, const affine_grid_attributes& attributes) {
    return call_op<op::image::affine_grid>(attributes, data);
}
TUTTI_CONSTEXPR expr crop_and_resize(expr data, expr boxes, expr box_indices,
                                     const crop_and_resize_attributes& attributes) {
    return call_op<op::image::crop_and_resize>(attributes, data, boxes, box_indices);
}
TUTTI_CONSTEXPR expr grid_sample(expr data, expr grid, const grid_sample_attributes& attributes) {
    return call_op<op::image::grid_sample>(attributes, data, grid);
}

} // namespace image

} // namespace tutti::relay::inline TUTTI_FORM
