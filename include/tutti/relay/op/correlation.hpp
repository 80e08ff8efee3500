#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/correlation_options.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.correlation: the side of a patch, the largest displacement, and the strides in both images.
struct correlation_attributes {
    std::int64_t kernel_size = 1;
    std::int64_t max_displacement = 1;
    std::int64_t stride1 = 1;
    std::int64_t stride2 = 1;
    dims padding{0, 0};
    bool is_multiply = true;
    std::string_view layout = "NCHW";

    static constexpr option_list<&correlation_attributes::kernel_size, &correlation_attributes::max_displacement,
                                 &correlation_attributes::stride1, &correlation_attributes::stride2,
                                 &correlation_attributes::padding, &correlation_attributes::is_multiply,
                                 &correlation_attributes::layout>
        options{"kernel_size", "max_displacement", "stride1", "stride2", "padding", "is_multiply", "layout"};
};

/// Attributes of image.dilation2d.
struct dilation2d_attributes {
    dims strides{1, 1};
    dims padding{0, 0};
    dims dilations{1, 1};
    std::string_view data_layout = "NCHW";
    std::string_view kernel_layout = "IHW";
    dtype out_dtype = dtype::none;

    static constexpr option_list<&dilation2d_attributes::strides, &dilation2d_attributes::padding,
                                 &dilation2d_attributes::dilations, &dilation2d_attributes::data_layout,
                                 &dilation2d_attributes::kernel_layout, &dilation2d_attributes::out_dtype>
        options{"strides", "padding", "dilations", "data_layout", "kernel_layout", "out_dtype"};
};

namespace layout_rules {

/// Requires the layout that the attribute `layout` names for both images and the result.
TUTTI_CONSTEXPR bool correlation(layout_query& q);

/// Requires the layouts that the attributes name for data and weight.
TUTTI_CONSTEXPR bool dilation2d(layout_query& q);

} // namespace layout_rules

namespace op {

namespace nn {

/// Correlates patches of two images.
///
/// Source: Dosovitskiy et al., "FlowNet: Learning Optical Flow with Convolutional Networks", section 3.
struct correlation {
    static constexpr std::string_view name = "nn.correlation";
    static constexpr std::array<std::string_view, 2> arguments{"data1", "data2"};
    using attributes = correlation_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr bool rounds = true;
    static constexpr auto layout = &layout_rules::correlation;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace nn

namespace image {

/// Returns the maximum of (element + weight) over each window, separately for each channel.
struct dilation2d {
    static constexpr std::string_view name = "image.dilation2d";
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = dilation2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;
    static constexpr auto layout = &layout_rules::dilation2d;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace image

} // namespace op

/// Operators that slide one image over another.
using correlation_ops = op_list<op::image::dilation2d, op::nn::correlation>;

namespace nn {
TUTTI_CONSTEXPR expr correlation(expr data1, expr data2, const correlation_attributes& attributes = {});
} // namespace nn

namespace image {
TUTTI_CONSTEXPR expr dilation2d(expr data, expr weight, const dilation2d_attributes& attributes = {});
} // namespace image

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/correlation.ipp>
#endif
