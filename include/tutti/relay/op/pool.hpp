#pragma once

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

/// Attributes of nn.max_pool1d.
struct max_pool1d_attributes {
    required<dims> pool_size{};
    dims strides{1};
    dims dilation{1};
    dims padding{0};
    std::string_view layout = "NCW";
    std::string_view out_layout = "";
    bool ceil_mode = false;

    static constexpr members<&max_pool1d_attributes::pool_size, &max_pool1d_attributes::strides,
                             &max_pool1d_attributes::dilation, &max_pool1d_attributes::padding,
                             &max_pool1d_attributes::layout, &max_pool1d_attributes::out_layout,
                             &max_pool1d_attributes::ceil_mode>
        options{"pool_size", "strides", "dilation", "padding", "layout", "out_layout", "ceil_mode"};
};

/// Attributes of nn.max_pool2d.
struct max_pool2d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1};
    dims dilation{1, 1};
    dims padding{0, 0};
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;

    static constexpr members<&max_pool2d_attributes::pool_size, &max_pool2d_attributes::strides,
                             &max_pool2d_attributes::dilation, &max_pool2d_attributes::padding,
                             &max_pool2d_attributes::layout, &max_pool2d_attributes::out_layout,
                             &max_pool2d_attributes::ceil_mode>
        options{"pool_size", "strides", "dilation", "padding", "layout", "out_layout", "ceil_mode"};
};

/// Attributes of nn.max_pool3d.
struct max_pool3d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1, 1};
    dims dilation{1, 1, 1};
    dims padding{0, 0, 0};
    std::string_view layout = "NCDHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;

    static constexpr members<&max_pool3d_attributes::pool_size, &max_pool3d_attributes::strides,
                             &max_pool3d_attributes::dilation, &max_pool3d_attributes::padding,
                             &max_pool3d_attributes::layout, &max_pool3d_attributes::out_layout,
                             &max_pool3d_attributes::ceil_mode>
        options{"pool_size", "strides", "dilation", "padding", "layout", "out_layout", "ceil_mode"};
};

/// Attributes of nn.avg_pool1d. With `count_include_pad` the divisor is the window's size even at the border.
struct avg_pool1d_attributes {
    required<dims> pool_size{};
    dims strides{1};
    dims dilation{1};
    dims padding{0};
    std::string_view layout = "NCW";
    std::string_view out_layout = "";
    bool ceil_mode = false;
    bool count_include_pad = false;

    static constexpr members<&avg_pool1d_attributes::pool_size, &avg_pool1d_attributes::strides,
                             &avg_pool1d_attributes::dilation, &avg_pool1d_attributes::padding,
                             &avg_pool1d_attributes::layout, &avg_pool1d_attributes::out_layout,
                             &avg_pool1d_attributes::ceil_mode, &avg_pool1d_attributes::count_include_pad>
        options{"pool_size", "strides",    "dilation",  "padding",
                "layout",    "out_layout", "ceil_mode", "count_include_pad"};
};

/// Attributes of nn.avg_pool2d, likewise.
struct avg_pool2d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1};
    dims dilation{1, 1};
    dims padding{0, 0};
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;
    bool count_include_pad = false;

    static constexpr members<&avg_pool2d_attributes::pool_size, &avg_pool2d_attributes::strides,
                             &avg_pool2d_attributes::dilation, &avg_pool2d_attributes::padding,
                             &avg_pool2d_attributes::layout, &avg_pool2d_attributes::out_layout,
                             &avg_pool2d_attributes::ceil_mode, &avg_pool2d_attributes::count_include_pad>
        options{"pool_size", "strides",    "dilation",  "padding",
                "layout",    "out_layout", "ceil_mode", "count_include_pad"};
};

/// Attributes of nn.avg_pool3d, likewise.
struct avg_pool3d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1, 1};
    dims dilation{1, 1, 1};
    dims padding{0, 0, 0};
    std::string_view layout = "NCDHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;
    bool count_include_pad = false;

    static constexpr members<&avg_pool3d_attributes::pool_size, &avg_pool3d_attributes::strides,
                             &avg_pool3d_attributes::dilation, &avg_pool3d_attributes::padding,
                             &avg_pool3d_attributes::layout, &avg_pool3d_attributes::out_layout,
                             &avg_pool3d_attributes::ceil_mode, &avg_pool3d_attributes::count_include_pad>
        options{"pool_size", "strides",    "dilation",  "padding",
                "layout",    "out_layout", "ceil_mode", "count_include_pad"};
};

/// Attributes of pooling over the whole of the spatial axes.
struct global_pool2d_attributes {
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";

    static constexpr members<&global_pool2d_attributes::layout, &global_pool2d_attributes::out_layout> options{
        "layout", "out_layout"};
};

namespace op::nn {

/// What pooling operators over `Rank` spatial axes share: the layout, and a result like the argument but for
/// these axes.
template <std::size_t Rank>
struct pool {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::pooling;
    static constexpr auto precision = precision_rule::follow;

    /// The result's type, where `size(size of the axis, which of the spatial axes)` gives those.
    template <class Attributes, class Size>
    static constexpr type_id pooled(relation& r, const Attributes& a, Size size) {
        if (!r.knows(0)) return type_id::none;
        const relay::layout in = spatial::parse_layout(r, "layout", a.layout, spatial::data_layout(Rank));
        const relay::layout out =
            a.out_layout.empty() ? in
                                 : spatial::parse_layout(r, "out_layout", a.out_layout, spatial::data_layout(Rank));
        const dims data = r.shape(0);
        if (!in.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.layout));
        const auto size_of = [&](char letter) {
            const dim n = in.size(data, letter);
            const std::size_t i = spatial::axes(Rank).find(letter);
            return i < Rank ? size(n, i) : n;
        };
        return r.tensor(spatial::shape_in(r, a.out_layout.empty() ? "layout" : "out_layout", out, size_of),
                        r.element(0));
    }

    /// The same for a window that slides.
    template <class Attributes>
    static constexpr type_id windowed(relation& r, const Attributes& a) {
        spatial::check_rank(r, "pool_size", a.pool_size, Rank);
        for (const dim d : a.pool_size.value)
            if (d.value() < 1) r.refuse_attribute("pool_size", "a window without elements", "positive sizes");
        spatial::check_rank(r, "strides", a.strides, Rank);
        spatial::check_rank(r, "dilation", a.dilation, Rank);
        return pooled(r, a, [&](dim n, std::size_t i) {
            return spatial::places(r, n, spatial::padding(r, a.padding, i, Rank).total(), a.pool_size.value[i].value(),
                                   a.dilation[i].value(), a.strides[i].value(), a.ceil_mode);
        });
    }
};

struct max_pool2d : pool<2> {
    static constexpr std::string_view name = "nn.max_pool2d";
    using attributes = max_pool2d_attributes;
    static constexpr auto convert = &layout_conversions::single;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};

struct avg_pool2d : pool<2> {
    static constexpr std::string_view name = "nn.avg_pool2d";
    using attributes = avg_pool2d_attributes;
    static constexpr auto convert = &layout_conversions::single;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};

/// The largest element of each window.
struct max_pool1d : pool<1> {
    static constexpr std::string_view name = "nn.max_pool1d";
    using attributes = max_pool1d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};
struct max_pool3d : pool<3> {
    static constexpr std::string_view name = "nn.max_pool3d";
    using attributes = max_pool3d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};

/// The mean of each window.
struct avg_pool1d : pool<1> {
    static constexpr std::string_view name = "nn.avg_pool1d";
    using attributes = avg_pool1d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};
struct avg_pool3d : pool<3> {
    static constexpr std::string_view name = "nn.avg_pool3d";
    using attributes = avg_pool3d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
};

/// The largest element of each channel.
struct global_max_pool2d : pool<2> {
    static constexpr std::string_view name = "nn.global_max_pool2d";
    using attributes = global_pool2d_attributes;
    static constexpr auto convert = &layout_conversions::single;
    static constexpr type_id infer(relation& r, const attributes& a) {
        return pooled(r, a, [](dim, std::size_t) { return dim(1); });
    }
};

/// The mean of each channel.
struct global_avg_pool2d : pool<2> {
    static constexpr std::string_view name = "nn.global_avg_pool2d";
    using attributes = global_pool2d_attributes;
    static constexpr auto convert = &layout_conversions::single;
    static constexpr auto precision = precision_rule::never;
    static constexpr type_id infer(relation& r, const attributes& a) {
        return pooled(r, a, [](dim, std::size_t) { return dim(1); });
    }
};

} // namespace op::nn

/// The pooling operators.
using pool_ops = op_list<op::nn::avg_pool1d, op::nn::avg_pool2d, op::nn::avg_pool3d, op::nn::global_avg_pool2d,
                         op::nn::global_max_pool2d, op::nn::max_pool1d, op::nn::max_pool2d, op::nn::max_pool3d>;

namespace nn {

/// A call of nn.max_pool1d. Padding is written out for both sides.
constexpr expr max_pool1d(expr data, max_pool1d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 1);
    return call_op<op::nn::max_pool1d>(attributes, data);
}
/// A call of nn.max_pool2d. Padding is written out for all sides.
constexpr expr max_pool2d(expr data, max_pool2d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::max_pool2d>(attributes, data);
}
/// A call of nn.max_pool3d. Padding is written out for all sides.
constexpr expr max_pool3d(expr data, max_pool3d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 3);
    return call_op<op::nn::max_pool3d>(attributes, data);
}
/// A call of nn.avg_pool1d. Padding is written out for both sides.
constexpr expr avg_pool1d(expr data, avg_pool1d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 1);
    return call_op<op::nn::avg_pool1d>(attributes, data);
}
/// A call of nn.avg_pool2d. Padding is written out for all sides.
constexpr expr avg_pool2d(expr data, avg_pool2d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::avg_pool2d>(attributes, data);
}
/// A call of nn.avg_pool3d. Padding is written out for all sides.
constexpr expr avg_pool3d(expr data, avg_pool3d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 3);
    return call_op<op::nn::avg_pool3d>(attributes, data);
}
constexpr expr global_avg_pool2d(expr data, const global_pool2d_attributes& attributes = {}) {
    return call_op<op::nn::global_avg_pool2d>(attributes, data);
}
constexpr expr global_max_pool2d(expr data, const global_pool2d_attributes& attributes = {}) {
    return call_op<op::nn::global_max_pool2d>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay
