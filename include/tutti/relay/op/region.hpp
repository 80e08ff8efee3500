#pragma once

#include <tutti/base/form.hpp>
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

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of vision.roi_align: the size of each region in the result, the scale from the regions' coordinates to
/// pixels of the data, the samples per cell and axis (one per pixel if not positive), and the mode, "avg" or "max".
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

/// Attributes of vision.roi_pool, which are a subset of those of vision.roi_align.
struct roi_pool_attributes {
    required<dims> pooled_size{};
    required<double> spatial_scale{};
    std::string_view layout = "NCHW";

    static constexpr option_list<&roi_pool_attributes::pooled_size, &roi_pool_attributes::spatial_scale,
                                 &roi_pool_attributes::layout>
        options{"pooled_size", "spatial_scale", "layout"};
};

/// Attributes of vision.yolo_reorg: the side of a square of pixels.
struct yolo_reorg_attributes {
    std::int64_t stride = 1;

    static constexpr option_list<&yolo_reorg_attributes::stride> options{"stride"};
};

namespace layout_rules {

/// Requires the layout that the attribute `layout` names for the data of region pooling. The regions are the rows of a
/// matrix.
TUTTI_CONSTEXPR bool regions(layout_query& q);

} // namespace layout_rules

namespace layout_conversions {

/// Converts the layout of the data. The regions stay unchanged.
TUTTI_CONSTEXPR void regions(layout_change& c, std::span<const std::string> desired);

} // namespace layout_conversions

namespace op::vision {

/// Base of operators that pool regions.
struct region_pooling {
    static constexpr std::array<std::string_view, 2> arguments{"data", "rois"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::regions;
    static constexpr auto convert = &layout_conversions::regions;

    static TUTTI_CONSTEXPR type_id pooled(relation& r, const dims& size, std::string_view text);
};

/// Pools regions of images, which are sampled at points between pixels.
struct roi_align : region_pooling, named<"vision.roi_align"> {
    static constexpr bool rounds = true;
    using attributes = roi_align_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.ROIAlignAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Takes the maximum of each cell of regions of images.
struct roi_pool : region_pooling, named<"vision.roi_pool"> {
    using attributes = roi_pool_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.ROIPoolAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Rearranges squares of pixels into channels.
struct yolo_reorg : named<"vision.yolo_reorg"> {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = yolo_reorg_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::vision

/// Operators on regions and squares of images.
using region_ops = op_list<op::vision::roi_align, op::vision::roi_pool, op::vision::yolo_reorg>;

namespace vision {
TUTTI_CONSTEXPR expr roi_align(expr data, expr rois, const roi_align_attributes& attributes);
TUTTI_CONSTEXPR expr roi_pool(expr data, expr rois, const roi_pool_attributes& attributes);
TUTTI_CONSTEXPR expr yolo_reorg(expr data, const yolo_reorg_attributes& attributes = {});
} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/region.ipp>
#endif
