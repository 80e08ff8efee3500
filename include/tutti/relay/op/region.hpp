#pragma once

#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of vision.roi_align: the size of each region in the result, pixels of the data per pixel of the image
/// that the regions refer to, the samples per cell and axis (one per pixel if not positive), and "avg" or "max".
struct roi_align_attributes {
    required<dims> pooled_size{};
    required<double> spatial_scale{};
    std::int64_t sample_ratio = -1;
    std::string_view layout = "NCHW";
    std::string_view mode = "avg";

    static constexpr option_list<&roi_align_attributes::pooled_size, &roi_align_attributes::spatial_scale,
                                 &roi_align_attributes::sample_ratio, &roi_align_attributes::layout,
                                 &roi_align_attributes::mode>
        options{"pooled_size", "spatial_scale", "sample_ratio", "layout", "mode"};
};

/// Attributes of vision.roi_pool, a subset of vision.roi_align's.
struct roi_pool_attributes {
    required<dims> pooled_size{};
    required<double> spatial_scale{};
    std::string_view layout = "NCHW";

    static constexpr option_list<&roi_pool_attributes::pooled_size, &roi_pool_attributes::spatial_scale,
                                 &roi_pool_attributes::layout>
        options{"pooled_size", "spatial_scale", "layout"};
};

/// Attributes of vision.yolo_reorg.
struct yolo_reorg_attributes {
    std::int64_t stride = 1;

    static constexpr option_list<&yolo_reorg_attributes::stride> options{"stride"};
};

namespace layout_rules {

/// The layout of region pooling comes from its attribute; the regions are rows.
constexpr bool regions(layout_query& q) {
    if (!q.all_in(layout::parse(q.edit().text("layout")))) return false;
    q.in[1] = layout::parse("NC");
    return true;
}

} // namespace layout_rules

namespace layout_conversions {

/// Converts the data; the regions stay.
constexpr void regions(layout_change& c, std::span<const std::string> desired) {
    if (desired.size() != 2 || desired[1] != by_default || (desired[0] != "NCHW" && desired[0] != "NHWC"))
        refuse(c, desired, "NCHW or NHWC for the data, and \"default\" for the regions");
    attribute_edit edit = c.edit();
    edit.set("layout", std::string_view(desired[0]));
    c.attributes = edit.commit();
}

} // namespace layout_conversions

namespace op::vision {

/// Base of operators that pool regions.
struct region_pooling {
    static constexpr std::array<std::string_view, 2> arguments{"data", "rois"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::regions;
    static constexpr auto convert = &layout_conversions::regions;

    static constexpr type_id pooled(relation& r, const dims& size, std::string_view text) {
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
};

/// Pools regions of images at points between pixels.
struct roi_align : region_pooling, named<"vision.roi_align"> {
    static constexpr bool rounds = true;
    using attributes = roi_align_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.ROIAlignAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (a.mode != "avg" && a.mode != "max")
            r.refuse_attribute("mode", "\"" + std::string(a.mode) + "\"", "\"avg\" or \"max\"");
        return pooled(r, a.pooled_size, a.layout);
    }
};

/// Takes the maximum of each cell of regions of images.
struct roi_pool : region_pooling, named<"vision.roi_pool"> {
    using attributes = roi_pool_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.ROIPoolAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) { return pooled(r, a.pooled_size, a.layout); }
};

/// Rearranges squares of pixels to channels.
struct yolo_reorg : named<"vision.yolo_reorg"> {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = yolo_reorg_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        dims shape = r.shape(0);
        if (shape.size() != 4) r.refuse(0, "a tensor of rank 4");
        if (a.stride < 1) r.refuse_attribute("stride", "less than 1", "a positive number of pixels");
        shape[1] = times(times(shape[1], a.stride), a.stride);
        shape[2] = quotient(shape[2], a.stride);
        shape[3] = quotient(shape[3], a.stride);
        return r.tensor(shape, r.element(0));
    }
};

} // namespace op::vision

/// Operators on regions and squares of images.
using region_ops = op_list<op::vision::roi_align, op::vision::roi_pool, op::vision::yolo_reorg>;

namespace vision {
constexpr expr roi_align(expr data, expr rois, const roi_align_attributes& attributes) {
    return call_op<op::vision::roi_align>(attributes, data, rois);
}
constexpr expr roi_pool(expr data, expr rois, const roi_pool_attributes& attributes) {
    return call_op<op::vision::roi_pool>(attributes, data, rois);
}
constexpr expr yolo_reorg(expr data, const yolo_reorg_attributes& attributes = {}) {
    return call_op<op::vision::yolo_reorg>(attributes, data);
}
} // namespace vision

} // namespace tutti::relay
