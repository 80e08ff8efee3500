#pragma once

#include <tutti/relay/op/convolution.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tutti::relay {

/// Attributes of nn.conv2d_transpose. `output_padding` adds rows and columns at the end of the result.
struct conv2d_transpose_attributes {
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    dims strides{1, 1};
    dims output_padding{0, 0};
    dims padding{0, 0};
    dims dilation{1, 1};
    std::int64_t groups = 1;
    std::string_view data_layout = "NCHW";
    std::string_view kernel_layout = "OIHW";
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr members<&conv2d_transpose_attributes::channels, &conv2d_transpose_attributes::kernel_size,
                             &conv2d_transpose_attributes::strides, &conv2d_transpose_attributes::output_padding,
                             &conv2d_transpose_attributes::padding, &conv2d_transpose_attributes::dilation,
                             &conv2d_transpose_attributes::groups, &conv2d_transpose_attributes::data_layout,
                             &conv2d_transpose_attributes::kernel_layout, &conv2d_transpose_attributes::out_layout,
                             &conv2d_transpose_attributes::out_dtype>
        options{"channels", "kernel_size", "strides",       "output_padding", "padding",  "dilation",
                "groups",   "data_layout", "kernel_layout", "out_layout",     "out_dtype"};
};

/// Attributes of nn.deformable_conv2d.
struct deformable_conv2d_attributes {
    dims strides{1, 1};
    dims padding{0, 0};
    dims dilation{1, 1};
    std::int64_t deformable_groups = 1;
    std::int64_t groups = 1;
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    std::string_view data_layout = "NCHW";
    std::string_view kernel_layout = "OIHW";
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr members<&deformable_conv2d_attributes::strides, &deformable_conv2d_attributes::padding,
                             &deformable_conv2d_attributes::dilation, &deformable_conv2d_attributes::deformable_groups,
                             &deformable_conv2d_attributes::groups, &deformable_conv2d_attributes::channels,
                             &deformable_conv2d_attributes::kernel_size, &deformable_conv2d_attributes::data_layout,
                             &deformable_conv2d_attributes::kernel_layout, &deformable_conv2d_attributes::out_layout,
                             &deformable_conv2d_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "deformable_groups", "groups",   "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout",        "out_dtype"};
};

namespace op::nn {

/// The transpose of a convolution: data N, I, H, W with a weight I, O, H, W, where O is the result's channels
/// / groups.
///
/// Source: Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relation 14.
struct conv2d_transpose {
    static constexpr std::string_view name = "nn.conv2d_transpose";
    static constexpr std::size_t rank = 2;
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = conv2d_transpose_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::convolution;
    static constexpr auto convert = &layout_conversions::transposed_convolution;
    static constexpr auto precision = precision_rule::always;

    static constexpr type_id infer(relation& r, const attributes& a) {
        spatial::convolution<2, attributes> c(r, a);
        spatial::check_rank(r, "output_padding", a.output_padding, 2);
        if (!c.reads_data()) return type_id::none;
        std::optional<dim> out;
        if (a.channels) out = quotient(*a.channels, a.groups);
        if (!c.finds_weight(1, c.in_channels(), out)) return type_id::none;
        return c.result(times(c.weight_size('O'), a.groups),
                        [&](dim, std::size_t i) { return c.spread(i, a.output_padding[i]); });
    }
};

/// Convolution whose window's elements are each moved by an offset, two numbers an element and place.
///
/// Source: Dai et al., "Deformable Convolutional Networks".
struct deformable_conv2d {
    static constexpr std::string_view name = "nn.deformable_conv2d";
    static constexpr std::array<std::string_view, 3> arguments{"data", "offset", "weight"};
    using attributes = deformable_conv2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::deformable_convolution;
    static constexpr auto convert = &layout_conversions::deformable_convolution;

    static constexpr type_id infer(relation& r, const attributes& a) {
        spatial::convolution<2, attributes> c(r, a);
        if (a.deformable_groups < 1)
            r.refuse_attribute("deformable_groups", "fewer than one group", "a positive number");
        if (!c.reads_data()) return type_id::none;
        if (!c.finds_weight(2, c.in_channels_a_group(), a.channels)) return type_id::none;
        const dim offsets = times(times(c.window(0), c.window(1)), times(2, a.deformable_groups));
        const auto places = [&](dim, std::size_t i) { return c.places(i); };
        r.expect(1, c.like_data(offsets, places), r.element(0));
        return c.result(c.weight_size('O'), places);
    }
};

} // namespace op::nn

/// Convolutions whose window does not slide.
using conv_transpose_ops = op_list<op::nn::conv2d_transpose, op::nn::deformable_conv2d>;

namespace nn {

inline constexpr spatial::conv_call<op::nn::conv2d_transpose> conv2d_transpose{};
/// A call of nn.deformable_conv2d. Padding is written out for all four sides (top, left, bottom, right).
constexpr expr deformable_conv2d(expr data, expr offset, expr weight, deformable_conv2d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::deformable_conv2d>(attributes, data, offset, weight);
}

} // namespace nn

} // namespace tutti::relay
