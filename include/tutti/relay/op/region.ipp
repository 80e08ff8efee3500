#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/region.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool regions(layout_query& q) {
    if (!q.all_in(layout::parse(q.edit().text("layout")))) return false;
    q.in[1] = layout::parse("NC");
    return true;
}

} // namespace layout_rules

namespace layout_conversions {

TUTTI_CONSTEXPR void regions(layout_change& c, std::span<const std::string> desired) {
    if (desired.size() != 2 || desired[1] != by_default || (desired[0] != "NCHW" && desired[0] != "NHWC"))
        refuse(c, desired, "NCHW or NHWC for the data, and \"default\" for the regions");
    attribute_edit edit = c.edit();
    edit.set("layout", std::string_view(desired[0]));
    c.attributes = edit.commit();
}

} // namespace layout_conversions

namespace op::vision {

TUTTI_CONSTEXPR type_id region_pooling::pooled(relation& r, const dims& size, std::string_view text) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const relay::layout l = spatial::parse_layout(r, "layout", text, "NCHW");
    const dims data = r.shape(0);
    const dims regions = r.shape(1);
    if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(text));
    if (regions.size() != 2 || !may_equal(regions[1], 5))
        r.refuse(1, "an image's number and four corners for each region");
    spatial::check_rank(r, "pooled_size", size, 2);
    for (const dim d : size)
        if (kernel::is_negative(d)) r.refuse_attribute("pooled_size", "a negative size", "two sizes");
    spatial::axis_sizes sizes(l, data);
    sizes.of('N') = regions[0];
    spatial::resize_axes(sizes, 2, [&](dim, std::size_t i) { return size[i]; });
    return r.tensor(spatial::shape_in(r, "layout", l, sizes), r.element(0));
}

TUTTI_CONSTEXPR type_id roi_align::infer(relation& r, const attributes& a) {
    if (a.mode != "avg" && a.mode != "max")
        r.refuse_attribute("mode", "\"" + std::string(a.mode) + "\"", "\"avg\" or \"max\"");
    return pooled(r, a.pooled_size, a.layout);
}

TUTTI_CONSTEXPR type_id roi_pool::infer(relation& r, const attributes& a) { return pooled(r, a.pooled_size, a.layout); }

TUTTI_CONSTEXPR type_id yolo_reorg::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    dims shape = r.shape(0);
    if (shape.size() != 4) r.refuse(0, "a tensor of rank 4");
    if (a.stride < 1) r.refuse_attribute("stride", "less than 1", "a positive number of pixels");
    shape[1] = times(times(shape[1], a.stride), a.stride);
    shape[2] = quotient(shape[2], a.stride);
    shape[3] = quotient(shape[3], a.stride);
    return r.tensor(shape, r.element(0));
}

} // namespace op::vision

namespace vision {

TUTTI_CONSTEXPR expr roi_align(expr data, expr rois, const roi_align_attributes& attributes) {
    return call_op<op::vision::roi_align>(attributes, data, rois);
}
TUTTI_CONSTEXPR expr roi_pool(expr data, expr rois, const roi_pool_attributes& attributes) {
    return call_op<op::vision::roi_pool>(attributes, data, rois);
}
TUTTI_CONSTEXPR expr yolo_reorg(expr data, const yolo_reorg_attributes& attributes) {
    return call_op<op::vision::yolo_reorg>(attributes, data);
}

} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
