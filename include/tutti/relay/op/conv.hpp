#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tutti/kernel/conv.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

namespace tutti::relay {

/// Attributes of nn.conv2d. `channels` and `kernel_size` may be left to the weight's shape; `out_layout` is the data's if empty,
/// `out_dtype` the data's if none.
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
};

}  // namespace tutti::relay

BOOST_HANA_ADAPT_STRUCT(tutti::relay::conv2d_attributes, strides, padding, dilation, groups, channels, kernel_size, data_layout,
                        kernel_layout, out_layout, out_dtype);

namespace tutti::relay {

namespace op::nn {

/// Two-dimensional convolution (cross-correlation) of data N, C, H, W with a weight O, I, H, W where I = C / groups.
struct conv2d {
    static constexpr std::string_view name = "nn.conv2d";
    static constexpr std::array<std::string_view, 2> arguments{"data", "weight"};
    using attributes = conv2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const layout data_layout = spatial::parse_layout(r, "data_layout", a.data_layout, "NCHW");
        const layout kernel_layout = spatial::parse_layout(r, "kernel_layout", a.kernel_layout, "OIHW");
        const std::string_view out_name = a.out_layout.empty() ? "data_layout" : "out_layout";
        const layout out_layout =
            a.out_layout.empty() ? data_layout : spatial::parse_layout(r, "out_layout", a.out_layout, "NCHW");
        spatial::check_rank(r, "strides", a.strides, 2);
        spatial::check_rank(r, "dilation", a.dilation, 2);
        if (a.groups < 1) r.refuse_attribute("groups", "fewer than one group", "a positive number");

        const dims data = r.shape(0);
        if (!data_layout.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.data_layout));
        const dim in_channels = data_layout.size(data, 'C');
        const bool weight_known = r.knows(1);
        if (!weight_known && !(a.kernel_size && a.channels)) return type_id::none;
        if (a.kernel_size) spatial::check_rank(r, "kernel_size", *a.kernel_size, 2);
        if (!in_channels.is_any() && in_channels.value() % a.groups != 0) r.refuse(0, "channels in as many equal parts as groups");

        const dims weight = weight_known ? r.shape(1) : dims{};
        if (weight_known && !kernel_layout.fits(weight))
            r.refuse(1, "a tensor of layout " + std::string(a.kernel_layout));
        // What the data and the attributes say of the weight; what they do not say, it says itself.
        const auto expected = [&](char letter) -> dim {
            if (letter == 'I') return in_channels.is_any() ? dim::any() : dim(in_channels.value() / a.groups);
            if (letter == 'O' && a.channels) return *a.channels;
            if (letter == 'H' && a.kernel_size) return (*a.kernel_size)[0];
            if (letter == 'W' && a.kernel_size) return (*a.kernel_size)[1];
            return kernel_layout.size(weight, letter);
        };
        const dims wanted = spatial::shape_in(r, "kernel_layout", kernel_layout, expected);
        r.expect(1, wanted, weight_known ? r.element(1) : r.element(0));

        const auto out = [&](char letter) -> dim {
            if (letter == 'N') return data_layout.size(data, 'N');
            if (letter == 'C') return kernel_layout.size(wanted, 'O');
            const std::size_t i = letter == 'H' ? 0 : 1;
            const dim window = kernel_layout.size(wanted, letter);
            if (window.is_any()) return dim::any();
            if (window.value() < 1) r.refuse(1, "a window of one element or more");
            return spatial::places(r, data_layout.size(data, letter), spatial::padding(r, a.padding, i, 2).total(), window.value(),
                                   a.dilation[i].value(), a.strides[i].value());
        };
        return r.tensor(spatial::shape_in(r, out_name, out_layout, out), a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
    }

    /// There is a kernel for NCHW and NHWC with OIHW, HWIO and OHWI.
    static constexpr std::vector<tensor> evaluate(const invocation& in, const attributes& a) {
        const auto data_layout = spatial::image_layout(a.data_layout);
        const auto weight_layout = kernel_layout(a.kernel_layout);
        if (!data_layout || !weight_layout || !(a.out_layout.empty() || a.out_layout == a.data_layout)) return {};
        return {kernel::conv2d(in.inputs[0], in.inputs[1],
                               {.strides = spatial::size_2d(a.strides),
                                .padding = spatial::padding_2d(a.padding),
                                .dilation = spatial::size_2d(a.dilation),
                                .groups = a.groups,
                                .data_layout = *data_layout,
                                .weight_layout = *weight_layout,
                                .out = a.out_dtype})};
    }

private:
    static constexpr std::optional<kernel::kernel_layout> kernel_layout(std::string_view text) {
        if (text == "OIHW") return kernel::kernel_layout::oihw;
        if (text == "HWIO") return kernel::kernel_layout::hwio;
        if (text == "OHWI") return kernel::kernel_layout::ohwi;
        return std::nullopt;
    }
};

}  // namespace op::nn

/// The convolutions.
using conv_ops = op_list<op::nn::conv2d>;

namespace nn {

/// A call of nn.conv2d. Padding is written out for all four sides (top, left, bottom, right).
constexpr expr conv2d(expr data, expr weight, conv2d_attributes attributes = {}) {
    attributes.padding = spatial::pad_2d(attributes.padding);
    return call_op<op::nn::conv2d>(attributes, data, weight);
}

}  // namespace nn

}  // namespace tutti::relay
