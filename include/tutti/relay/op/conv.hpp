#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/convolution.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>
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

/// Attributes of nn.conv1d, nn.conv2d and nn.conv3d. `channels` and `kernel_size` may be inferred from the weight's
/// shape. `out_layout` defaults to the data's layout, and `out_dtype` to the data's element type.
template <std::size_t Rank>
struct conv_attributes {
    dims strides = dims(Rank, 1);
    dims padding = dims(Rank == 1 ? 2 : Rank, 0); // the reference's defaults
    dims dilation = dims(Rank, 1);
    std::int64_t groups = 1;
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    std::string_view data_layout = spatial::data_layout(Rank);
    std::string_view kernel_layout = spatial::weight_layout(Rank);
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr option_list<&conv_attributes::strides, &conv_attributes::padding, &conv_attributes::dilation,
                                 &conv_attributes::groups, &conv_attributes::channels, &conv_attributes::kernel_size,
                                 &conv_attributes::data_layout, &conv_attributes::kernel_layout,
                                 &conv_attributes::out_layout, &conv_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "groups",     "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout", "out_dtype"};
};
using conv1d_attributes = conv_attributes<1>;
using conv2d_attributes = conv_attributes<2>;
using conv3d_attributes = conv_attributes<3>;

namespace layout_conversions {

/// Converts the layout of an image convolution. For blocked channels, as in NCHW4c, also changes the operator.
TUTTI_CONSTEXPR void image_convolution(layout_change& c, std::span<const std::string> desired);

} // namespace layout_conversions

namespace op::nn {

/// Convolution (cross-correlation) over `Rank` spatial axes. The data has axes N, C, … and the weight has axes O, I, …
/// where I = C / groups. Images and volumes also allow a depthwise form (groups = C), in which the weight's O is C and
/// its I is channels / C.
template <std::size_t Rank>
struct conv {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = spatial::of_rank(Rank, "nn.conv1d", "nn.conv2d", "nn.conv3d");
    static constexpr std::size_t rank = Rank;
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = conv_attributes<Rank>;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::convolution;
    static constexpr layout_conversion convert =
        Rank == 2 ? &layout_conversions::image_convolution : &layout_conversions::convolution;
    static constexpr auto precision = precision_rule::always;

    static constexpr type_id infer(relation& r, const attributes& a) {
        spatial::convolution c(r, Rank, a);
        if (!c.reads_data()) return type_id::none;
        const auto places = [&](dim, std::size_t i) { return c.places(i); };
        if (Rank > 1 && c.multiplies_channels(1)) {
            c.finds_weight(1, quotient(*a.channels, a.groups), a.groups);
            return c.result(*a.channels, places);
        }
        if (!c.finds_weight(1, c.in_channels_a_group(), a.channels)) return type_id::none;
        return c.result(c.weight_size('O'), places);
    }
};
using conv1d = conv<1>;
using conv2d = conv<2>;
using conv3d = conv<3>;

/// Base of convolutions in blocked layouts. Passes create such convolutions, and do not convert them again.
struct blocked_conv2d : conv2d {
    static constexpr layout_conversion convert = nullptr;
    static constexpr auto precision = precision_rule::unknown;
};

/// Convolution of images in blocked layouts.
struct contrib_conv2d_nchwc : blocked_conv2d {
    static constexpr std::string_view name = "nn.contrib_conv2d_NCHWc";
};

/// Depthwise convolution in blocked layouts.
struct contrib_depthwise_conv2d_nchwc : blocked_conv2d {
    static constexpr std::string_view name = "nn.contrib_depthwise_conv2d_NCHWc";
};

} // namespace op::nn

namespace layout_conversions {

TUTTI_CONSTEXPR void image_convolution(layout_change& c, std::span<const std::string> desired);

} // namespace layout_conversions

/// Convolutions.
using conv_ops = op_list<op::nn::contrib_conv2d_nchwc, op::nn::contrib_depthwise_conv2d_nchwc, op::nn::conv1d,
                         op::nn::conv2d, op::nn::conv3d>;

namespace nn {

inline constexpr spatial::conv_call<op::nn::conv1d> conv1d{};
inline constexpr spatial::conv_call<op::nn::conv2d> conv2d{};
inline constexpr spatial::conv_call<op::nn::conv3d> conv3d{};
inline constexpr spatial::conv_call<op::nn::contrib_conv2d_nchwc> contrib_conv2d_nchwc{};
inline constexpr spatial::conv_call<op::nn::contrib_depthwise_conv2d_nchwc> contrib_depthwise_conv2d_nchwc{};

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/conv.ipp>
#endif
