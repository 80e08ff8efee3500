#pragma once

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

namespace tutti::relay {

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

/// Both images and the result have the layout of the attribute.
constexpr bool correlation(layout_query& q) { return q.all_in(layout::parse(q.edit().text("layout"))); }

/// Data and weight have the layouts of the attributes.
constexpr bool dilation2d(layout_query& q) {
    const attribute_edit edit = q.edit();
    const maybe_layout data = layout::parse(edit.text("data_layout"));
    const maybe_layout weight = layout::parse(edit.text("kernel_layout"));
    if (!data || !weight) return false;
    q.in = {data, weight};
    q.out.assign(1, data);
    return true;
}

} // namespace layout_rules

namespace op {

namespace nn {

/// Correlates patches of two images.
///
/// Source: Dosovitskiy et al., "FlowNet: Learning Optical Flow with Convolutional Networks", 3.
struct correlation {
    static constexpr std::string_view name = "nn.correlation";
    static constexpr std::array<std::string_view, 2> arguments{"data1", "data2"};
    using attributes = correlation_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr bool rounds = true;
    static constexpr auto layout = &layout_rules::correlation;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        constexpr std::int64_t limit = std::int64_t{1} << 24;
        const auto check = [&](std::string_view attribute, std::int64_t n, std::int64_t least) {
            if (n < least || n >= limit)
                r.refuse_attribute(attribute, "a size out of range", "a positive number below 2^24");
        };
        check("kernel_size", a.kernel_size, 1);
        check("max_displacement", a.max_displacement, 0);
        check("stride1", a.stride1, 1);
        check("stride2", a.stride2, 1);
        if (a.kernel_size % 2 == 0) r.refuse_attribute("kernel_size", "an even size", "an odd one");
        if (a.layout != "NCHW") r.refuse_attribute("layout", "another layout", "\"NCHW\"");
        const dims data = r.shape(0);
        if (data.size() != 4) r.refuse(0, "a tensor of layout NCHW");
        r.expect(1, data, r.element(0));
        const kernel::correlation_options o{
            .size = a.kernel_size, .displacement = a.max_displacement, .stride = a.stride1, .other_stride = a.stride2};
        const auto count = [&](std::size_t i) {
            const dim cells = plus(data[2 + i], spatial::padding(r, a.padding, i, 2).total());
            return cells.is_any() ? cells : dim(o.count(cells.value()));
        };
        return r.tensor(dims{data[0], o.places() * o.places(), count(0), count(1)}, r.element(0));
    }
};

} // namespace nn

namespace image {

/// The maximum of cell plus weight over a window, per channel.
struct dilation2d {
    static constexpr std::string_view name = "image.dilation2d";
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = dilation2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;
    static constexpr auto layout = &layout_rules::dilation2d;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const relay::layout in = spatial::parse_layout(r, "data_layout", a.data_layout, "NCHW");
        const relay::layout by = spatial::parse_layout(r, "kernel_layout", a.kernel_layout, "IHW");
        spatial::check_rank(r, "strides", a.strides, 2);
        spatial::check_rank(r, "dilations", a.dilations, 2);
        const dims data = r.shape(0);
        const dims weight = r.shape(1);
        if (!in.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.data_layout));
        if (!by.fits(weight)) r.refuse(1, "a tensor of layout " + std::string(a.kernel_layout));
        if (!may_equal(in.size(data, 'C'), by.size(weight, 'I'))) r.refuse(1, "as many channels as the data");
        for (const char letter : {'H', 'W'})
            if (!by.size(weight, letter).is_any() && by.size(weight, letter).value() < 1)
                r.refuse(1, "a window of one element or more");
        spatial::axis_sizes sizes(in, data);
        spatial::resize_axes(sizes, 2, [&](dim n, std::size_t i) {
            return spatial::places(r, n, spatial::padding(r, a.padding, i, 2).total(), by.size(weight, "HW"[i]),
                                   a.dilations[i].value(), a.strides[i].value());
        });
        return r.tensor(spatial::shape_in(r, "data_layout", in, sizes),
                        a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }
};

} // namespace image

} // namespace op

/// Operators that slide one image over another.
using correlation_ops = op_list<op::image::dilation2d, op::nn::correlation>;

namespace nn {
constexpr expr correlation(expr data1, expr data2, const correlation_attributes& attributes = {}) {
    return call_op<op::nn::correlation>(attributes, data1, data2);
}
} // namespace nn

namespace image {
constexpr expr dilation2d(expr data, expr weight, const dilation2d_attributes& attributes = {}) {
    return call_op<op::image::dilation2d>(attributes, data, weight);
}
} // namespace image

} // namespace tutti::relay
