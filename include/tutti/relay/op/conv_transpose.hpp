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
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.conv1d_transpose, nn.conv2d_transpose and nn.conv3d_transpose. `output_padding` adds elements at
/// the end of each spatial axis of the result. The default layout of the weight is O, I, H, W for images and I, O, …
/// otherwise.
template <std::size_t Rank>
struct conv_transpose_attributes {
    std::optional<dim> channels{};
    std::optional<dims> kernel_size{};
    dims strides = dims(Rank, 1);
    dims output_padding = dims(Rank, 0);
    dims padding = dims(Rank, 0);
    dims dilation = dims(Rank, 1);
    std::int64_t groups = 1;
    std::string_view data_layout = spatial::data_layout(Rank);
    std::string_view kernel_layout = spatial::of_rank(Rank, "IOW", "OIHW", "IODHW");
    std::string_view out_layout = "";
    dtype out_dtype = dtype::none;

    static constexpr option_list<&conv_transpose_attributes::channels, &conv_transpose_attributes::kernel_size,
                                 &conv_transpose_attributes::strides, &conv_transpose_attributes::output_padding,
                                 &conv_transpose_attributes::padding, &conv_transpose_attributes::dilation,
                                 &conv_transpose_attributes::groups, &conv_transpose_attributes::data_layout,
                                 &conv_transpose_attributes::kernel_layout, &conv_transpose_attributes::out_layout,
                                 &conv_transpose_attributes::out_dtype>
        options{"channels", "kernel_size", "strides",       "output_padding", "padding",  "dilation",
                "groups",   "data_layout", "kernel_layout", "out_layout",     "out_dtype"};
};
using conv1d_transpose_attributes = conv_transpose_attributes<1>;
using conv2d_transpose_attributes = conv_transpose_attributes<2>;
using conv3d_transpose_attributes = conv_transpose_attributes<3>;

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

    static constexpr option_list<&deformable_conv2d_attributes::strides, &deformable_conv2d_attributes::padding,
                                 &deformable_conv2d_attributes::dilation,
                                 &deformable_conv2d_attributes::deformable_groups,
                                 &deformable_conv2d_attributes::groups, &deformable_conv2d_attributes::channels,
                                 &deformable_conv2d_attributes::kernel_size, &deformable_conv2d_attributes::data_layout,
                                 &deformable_conv2d_attributes::kernel_layout,
                                 &deformable_conv2d_attributes::out_layout, &deformable_conv2d_attributes::out_dtype>
        options{"strides",     "padding",     "dilation",      "deformable_groups", "groups",   "channels",
                "kernel_size", "data_layout", "kernel_layout", "out_layout",        "out_dtype"};
};

namespace op::nn {

/// Transposed convolution. The data has axes N, C, … The size of the weight's axis I is the data's number of
/// channels, and the size of its axis O is the result's number of channels / groups.
///
/// Source: Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relation 14.
template <std::size_t Rank>
struct conv_transpose {
    static constexpr bool rounds = true;
    static constexpr std::string_view name =
        spatial::of_rank(Rank, "nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose");
    static constexpr std::size_t rank = Rank;
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = conv_transpose_attributes<Rank>;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::convolution;
    static constexpr layout_conversion convert =
        Rank == 2 ? &layout_conversions::transposed_convolution : nullptr; // as in the reference
    static constexpr auto precision = precision_rule::always;

    static constexpr type_id infer(relation& r, const attributes& a) {
        spatial::convolution c(r, Rank, a);
        spatial::check_rank(r, "output_padding", a.output_padding, Rank);
        if (!c.reads_data()) return type_id::none;
        std::optional<dim> out;
        if (a.channels) out = quotient(*a.channels, a.groups);
        if (!c.finds_weight(1, c.in_channels(), out)) return type_id::none;
        return c.result(times(c.weight_size('O'), a.groups),
                        [&](dim, std::size_t i) { return c.spread(i, a.output_padding[i]); });
    }
};
using conv1d_transpose = conv_transpose<1>;
using conv2d_transpose = conv_transpose<2>;
using conv3d_transpose = conv_transpose<3>;

/// Convolution that moves each element of the window by an offset. There are two offset numbers for each element of the
/// window at each position.
///
/// Source: Dai et al., "Deformable Convolutional Networks".
struct deformable_conv2d {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.deformable_conv2d";
    static constexpr std::array<std::string_view, 3> arguments{"data", "offset", "weight"};
    using attributes = deformable_conv2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::deformable_convolution;
    static constexpr auto convert = &layout_conversions::deformable_convolution;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::nn

/// Transposed and deformable convolutions.
using conv_transpose_ops =
    op_list<op::nn::conv1d_transpose, op::nn::conv2d_transpose, op::nn::conv3d_transpose, op::nn::deformable_conv2d>;

namespace nn {

inline constexpr spatial::conv_call<op::nn::conv1d_transpose> conv1d_transpose{};
inline constexpr spatial::conv_call<op::nn::conv2d_transpose> conv2d_transpose{};
inline constexpr spatial::conv_call<op::nn::conv3d_transpose> conv3d_transpose{};
/// Calls nn.deformable_conv2d. Writes out the padding of all four sides (top, left, bottom, right).
TUTTI_CONSTEXPR expr deformable_conv2d(expr data, expr offset, expr weight,
                                       deformable_conv2d_attributes attributes = {});

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/conv_transpose.ipp>
#endif
