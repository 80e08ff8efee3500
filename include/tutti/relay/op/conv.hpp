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
#include <vector>

namespace tutti::relay {

/// Attributes of nn.conv2d. `channels` and `kernel_size` may be left to the weight's shape; `out_layout` is
/// the data's if empty, `out_dtype` the data's if none.
struct conv2d_attributes {
    dims strides{1, 1};
    dims padding{0, 0};
    dims dilation{1, 1};
    std::int64_t groups = 1;
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    std::string_view data_layout = "NCHW";
    std::string_view kernel_layout = "OIHW";
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr members<&conv2d_attributes::strides, &conv2d_attributes::padding, &conv2d_attributes::dilation,
                             &conv2d_attributes::groups, &conv2d_attributes::channels, &conv2d_attributes::kernel_size,
                             &conv2d_attributes::data_layout, &conv2d_attributes::kernel_layout,
                             &conv2d_attributes::out_layout, &conv2d_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "groups",     "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout", "out_dtype"};
};

/// Attributes of nn.conv1d, likewise.
struct conv1d_attributes {
    dims strides{1};
    dims padding{0, 0};
    dims dilation{1};
    std::int64_t groups = 1;
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    std::string_view data_layout = "NCW";
    std::string_view kernel_layout = "OIW";
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr members<&conv1d_attributes::strides, &conv1d_attributes::padding, &conv1d_attributes::dilation,
                             &conv1d_attributes::groups, &conv1d_attributes::channels, &conv1d_attributes::kernel_size,
                             &conv1d_attributes::data_layout, &conv1d_attributes::kernel_layout,
                             &conv1d_attributes::out_layout, &conv1d_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "groups",     "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout", "out_dtype"};
};

/// Attributes of nn.conv3d, likewise.
struct conv3d_attributes {
    dims strides{1, 1, 1};
    dims padding{0, 0, 0};
    dims dilation{1, 1, 1};
    std::int64_t groups = 1;
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    std::string_view data_layout = "NCDHW";
    std::string_view kernel_layout = "OIDHW";
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr members<&conv3d_attributes::strides, &conv3d_attributes::padding, &conv3d_attributes::dilation,
                             &conv3d_attributes::groups, &conv3d_attributes::channels, &conv3d_attributes::kernel_size,
                             &conv3d_attributes::data_layout, &conv3d_attributes::kernel_layout,
                             &conv3d_attributes::out_layout, &conv3d_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "groups",     "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout", "out_dtype"};
};

namespace op::nn {

/// What convolutions over `Rank` spatial axes share: data N, C, … with a weight O, I, … where I = C / groups. Images and volumes may
/// also be convolved channel by channel (groups = C) with a weight whose O is C and I is channels / C.
template <std::size_t Rank>
struct conv {
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::convolution;

    template <class Attributes>
    static constexpr type_id convolved(relation& r, const Attributes& a, std::size_t weight_argument = 1) {
        spatial::convolution<Rank, Attributes> c(r, a);
        if (!c.reads_data()) return type_id::none;
        const auto places = [&](std::size_t i) { return c.places(i); };
        if (Rank > 1 && c.multiplies_channels(weight_argument)) {
            c.finds_weight(weight_argument, quotient(*a.channels, a.groups), a.groups);
            return c.result(*a.channels, places);
        }
        if (!c.finds_weight(weight_argument, c.in_channels_a_group(), a.channels)) return type_id::none;
        return c.result(c.weight_size('O'), places);
    }
};

/// Convolution (cross-correlation) along one axis.
struct conv1d : conv<1> {
    static constexpr std::string_view name = "nn.conv1d";
    using attributes = conv1d_attributes;
    static constexpr auto convert = &layout_conversions::convolution;
    static constexpr auto precision = precision_rule::always;
    static constexpr type_id infer(relation& r, const attributes& a) { return convolved(r, a); }
};

/// Convolution of volumes.
struct conv3d : conv<3> {
    static constexpr std::string_view name = "nn.conv3d";
    using attributes = conv3d_attributes;
    static constexpr auto convert = &layout_conversions::convolution;
    static constexpr auto precision = precision_rule::always;
    static constexpr type_id infer(relation& r, const attributes& a) { return convolved(r, a); }
};

/// Convolution of images.
struct conv2d : conv<2> {
    static constexpr std::string_view name = "nn.conv2d";
    using attributes = conv2d_attributes;
    static constexpr auto convert = &layout_conversions::convolution;
    static constexpr auto precision = precision_rule::always;
    static constexpr type_id infer(relation& r, const attributes& a) { return convolved(r, a); }
};

/// Convolution of images in blocked layouts.
struct contrib_conv2d_nchwc : conv<2> {
    static constexpr std::string_view name = "nn.contrib_conv2d_NCHWc";
    using attributes = conv2d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return convolved(r, a); }
};

/// Convolution of each channel by itself, in blocked layouts.
struct contrib_depthwise_conv2d_nchwc : conv<2> {
    static constexpr std::string_view name = "nn.contrib_depthwise_conv2d_NCHWc";
    using attributes = conv2d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return convolved(r, a); }
};

} // namespace op::nn

/// The convolutions.
using conv_ops = op_list<op::nn::contrib_conv2d_nchwc, op::nn::contrib_depthwise_conv2d_nchwc, op::nn::conv1d,
                         op::nn::conv2d, op::nn::conv3d>;

namespace nn {

/// A call of nn.conv1d. Padding is written out for both sides.
constexpr expr conv1d(expr data, expr weight, conv1d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 1);
    return call_op<op::nn::conv1d>(attributes, data, weight);
}
/// A call of nn.conv2d. Padding is written out for all four sides (top, left, bottom, right).
constexpr expr conv2d(expr data, expr weight, conv2d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::conv2d>(attributes, data, weight);
}
/// A call of nn.conv3d. Padding is written out for all six sides (those before each axis first).
constexpr expr conv3d(expr data, expr weight, conv3d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 3);
    return call_op<op::nn::conv3d>(attributes, data, weight);
}
/// A call of nn.contrib_conv2d_NCHWc, likewise.
constexpr expr contrib_conv2d_nchwc(expr data, expr weight, conv2d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::contrib_conv2d_nchwc>(attributes, data, weight);
}
/// A call of nn.contrib_depthwise_conv2d_NCHWc, likewise.
constexpr expr contrib_depthwise_conv2d_nchwc(expr data, expr weight, conv2d_attributes attributes = {}) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::contrib_depthwise_conv2d_nchwc>(attributes, data, weight);
}

} // namespace nn

} // namespace tutti::relay
