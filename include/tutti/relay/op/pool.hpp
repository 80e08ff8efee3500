#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tutti/kernel/pool.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

namespace tutti::relay {

/// Attributes of nn.max_pool2d.
struct max_pool2d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1};
    dims dilation{1, 1};
    dims padding{0, 0};
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;
};

/// Attributes of nn.avg_pool2d. With `count_include_pad` the divisor is the window's size even at the border.
struct avg_pool2d_attributes {
    required<dims> pool_size{};
    dims strides{1, 1};
    dims dilation{1, 1};
    dims padding{0, 0};
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";
    bool ceil_mode = false;
    bool count_include_pad = false;
};

/// Attributes of pooling over the whole of the spatial axes.
struct global_pool2d_attributes {
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";
};

}  // namespace tutti::relay

BOOST_HANA_ADAPT_STRUCT(tutti::relay::max_pool2d_attributes, pool_size, strides, dilation, padding, layout, out_layout,
                        ceil_mode);
BOOST_HANA_ADAPT_STRUCT(tutti::relay::avg_pool2d_attributes, pool_size, strides, dilation, padding, layout, out_layout,
                        ceil_mode, count_include_pad);
BOOST_HANA_ADAPT_STRUCT(tutti::relay::global_pool2d_attributes, layout, out_layout);

namespace tutti::relay {

namespace op::nn {

/// What pooling operators share: the layout, and a result like the argument but for its spatial axes.
struct pool2d {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    /// The result's type, where `size(size of the axis, which of the spatial axes)` gives those.
    template <class Attributes, class Size>
    static constexpr type_id pooled(relation& r, const Attributes& a, Size size) {
        if (!r.knows(0)) return type_id::none;
        const layout in = spatial::parse_layout(r, "layout", a.layout, "NCHW");
        const layout out = a.out_layout.empty() ? in : spatial::parse_layout(r, "out_layout", a.out_layout, "NCHW");
        const dims data = r.shape(0);
        if (!in.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.layout));
        const auto size_of = [&](char letter) {
            const dim n = in.size(data, letter);
            return letter == 'H' || letter == 'W' ? size(n, letter == 'H' ? std::size_t{0} : std::size_t{1}) : n;
        };
        return r.tensor(spatial::shape_in(r, a.out_layout.empty() ? "layout" : "out_layout", out, size_of), r.element(0));
    }

    /// The same for a window that slides.
    template <class Attributes>
    static constexpr type_id windowed(relation& r, const Attributes& a) {
        spatial::check_rank(r, "pool_size", a.pool_size, 2);
        for (const dim d : a.pool_size.value)
            if (d.value() < 1) r.refuse_attribute("pool_size", "a window without elements", "positive sizes");
        spatial::check_rank(r, "strides", a.strides, 2);
        spatial::check_rank(r, "dilation", a.dilation, 2);
        return pooled(r, a, [&](dim n, std::size_t i) {
            return spatial::places(r, n, spatial::padding(r, a.padding, i, 2).total(), a.pool_size.value[i].value(),
                                   a.dilation[i].value(), a.strides[i].value(), a.ceil_mode);
        });
    }

    /// The layout for the kernels, which have NCHW and NHWC.
    template <class Attributes>
    static constexpr std::optional<kernel::image_layout> kernel_layout(const Attributes& a) {
        return a.out_layout.empty() || a.out_layout == a.layout ? spatial::image_layout(a.layout) : std::nullopt;
    }

    /// The window for the kernels.
    template <class Attributes>
    static constexpr kernel::pool2d_options window(const Attributes& a, kernel::image_layout layout) {
        return {.pool = spatial::size_2d(a.pool_size),
                .strides = spatial::size_2d(a.strides),
                .padding = spatial::padding_2d(a.padding),
                .dilation = spatial::size_2d(a.dilation),
                .layout = layout,
                .ceil_mode = a.ceil_mode};
    }
};

struct max_pool2d : pool2d {
    static constexpr std::string_view name = "nn.max_pool2d";
    using attributes = max_pool2d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
    static constexpr std::vector<tensor> evaluate(const invocation& in, const attributes& a) {
        const auto layout = kernel_layout(a);
        if (!layout) return {};
        return {kernel::max_pool2d(in.inputs[0], window(a, *layout))};
    }
};

struct avg_pool2d : pool2d {
    static constexpr std::string_view name = "nn.avg_pool2d";
    using attributes = avg_pool2d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) { return windowed(r, a); }
    static constexpr std::vector<tensor> evaluate(const invocation& in, const attributes& a) {
        const auto layout = kernel_layout(a);
        if (!layout) return {};
        kernel::pool2d_options options = window(a, *layout);
        options.count_include_pad = a.count_include_pad;
        return {kernel::avg_pool2d(in.inputs[0], options)};
    }
};

/// The mean of each channel.
struct global_avg_pool2d : pool2d {
    static constexpr std::string_view name = "nn.global_avg_pool2d";
    using attributes = global_pool2d_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) {
        return pooled(r, a, [](dim, std::size_t) { return dim(1); });
    }
    static constexpr std::vector<tensor> evaluate(const invocation& in, const attributes& a) {
        const auto layout = kernel_layout(a);
        if (!layout) return {};
        return {kernel::global_avg_pool2d(in.inputs[0], *layout)};
    }
};

}  // namespace op::nn

/// The pooling operators.
using pool_ops = op_list<op::nn::avg_pool2d, op::nn::global_avg_pool2d, op::nn::max_pool2d>;

namespace nn {

/// A call of nn.max_pool2d. Padding is written out for all four sides.
constexpr expr max_pool2d(expr data, max_pool2d_attributes attributes) {
    attributes.padding = spatial::pad_2d(attributes.padding);
    return call_op<op::nn::max_pool2d>(attributes, data);
}
/// A call of nn.avg_pool2d. Padding is written out for all four sides.
constexpr expr avg_pool2d(expr data, avg_pool2d_attributes attributes) {
    attributes.padding = spatial::pad_2d(attributes.padding);
    return call_op<op::nn::avg_pool2d>(attributes, data);
}
constexpr expr global_avg_pool2d(expr data, const global_pool2d_attributes& attributes = {}) {
    return call_op<op::nn::global_avg_pool2d>(attributes, data);
}

}  // namespace nn

}  // namespace tutti::relay
