#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.max_pool1d, nn.max_pool2d and nn.max_pool3d.
template <std::size_t Rank>
struct max_pool_attributes {
    required<dims> pool_size{};
    dims strides = dims(Rank, 1);
    dims dilation = dims(Rank, 1);
    dims padding = dims(Rank, 0);
    std::string_view layout = spatial::data_layout(Rank);
    std::string_view out_layout = "";
    bool ceil_mode = false;

    static constexpr option_list<&max_pool_attributes::pool_size, &max_pool_attributes::strides,
                                 &max_pool_attributes::dilation, &max_pool_attributes::padding,
                                 &max_pool_attributes::layout, &max_pool_attributes::out_layout,
                                 &max_pool_attributes::ceil_mode>
        options{"pool_size", "strides", "dilation", "padding", "layout", "out_layout", "ceil_mode"};
};
using max_pool1d_attributes = max_pool_attributes<1>;
using max_pool2d_attributes = max_pool_attributes<2>;
using max_pool3d_attributes = max_pool_attributes<3>;

/// Attributes of nn.avg_pool1d, nn.avg_pool2d and nn.avg_pool3d. With `count_include_pad`, the divisor is the window's
/// size even at the border.
template <std::size_t Rank>
struct avg_pool_attributes {
    required<dims> pool_size{};
    dims strides = dims(Rank, 1);
    dims dilation = dims(Rank, 1);
    dims padding = dims(Rank, 0);
    std::string_view layout = spatial::data_layout(Rank);
    std::string_view out_layout = "";
    bool ceil_mode = false;
    bool count_include_pad = false;

    static constexpr option_list<&avg_pool_attributes::pool_size, &avg_pool_attributes::strides,
                                 &avg_pool_attributes::dilation, &avg_pool_attributes::padding,
                                 &avg_pool_attributes::layout, &avg_pool_attributes::out_layout,
                                 &avg_pool_attributes::ceil_mode, &avg_pool_attributes::count_include_pad>
        options{"pool_size", "strides",    "dilation",  "padding",
                "layout",    "out_layout", "ceil_mode", "count_include_pad"};
};
using avg_pool1d_attributes = avg_pool_attributes<1>;
using avg_pool2d_attributes = avg_pool_attributes<2>;
using avg_pool3d_attributes = avg_pool_attributes<3>;

/// Attributes of global pooling, which has one window over all spatial axes.
struct global_pool2d_attributes {
    std::string_view layout = "NCHW";
    std::string_view out_layout = "";

    static constexpr option_list<&global_pool2d_attributes::layout, &global_pool2d_attributes::out_layout> options{
        "layout", "out_layout"};
};

/// Attributes of nn.adaptive_max_pool1d and related operators: the number of windows along each spatial axis. A single
/// number applies to all axes. If `output_size` is empty, there is one window per element.
template <std::size_t Rank>
struct adaptive_pool_attributes {
    dims output_size{};
    std::string_view layout = spatial::data_layout(Rank);
    std::string_view out_layout = "";

    static constexpr option_list<&adaptive_pool_attributes::output_size, &adaptive_pool_attributes::layout,
                                 &adaptive_pool_attributes::out_layout>
        options{"output_size", "layout", "out_layout"};
};
using adaptive_pool1d_attributes = adaptive_pool_attributes<1>;
using adaptive_pool2d_attributes = adaptive_pool_attributes<2>;
using adaptive_pool3d_attributes = adaptive_pool_attributes<3>;

namespace spatial {

/// The layouts of the argument and of the result. If `out` is empty, the result has the argument's layout.
struct pool_layouts {
    std::string_view in;
    std::string_view out;
};

/// Returns the result's type for pooling over `rank` spatial axes. `size(n, i)` returns the result's i-th spatial size
/// for an argument of size n.
template <class Size>
constexpr type_id pooled(relation& r, std::size_t rank, const pool_layouts& layouts, Size size) {
    if (!r.knows(0)) return type_id::none;
    const layout in = parse_layout(r, "layout", layouts.in, data_layout(rank));
    const layout out = layouts.out.empty() ? in : parse_layout(r, "out_layout", layouts.out, data_layout(rank));
    const dims data = r.shape(0);
    if (!in.fits(data)) r.refuse(0, "a tensor of layout " + std::string(layouts.in));
    axis_sizes sizes(in, data);
    resize_axes(sizes, rank, size);
    return r.tensor(shape_in(r, layouts.out.empty() ? "layout" : "out_layout", out, sizes), r.element(0));
}

/// The attributes of a sliding window.
struct pool_window {
    const dims& size;
    const dims& strides;
    const dims& dilation;
    const dims& padding;
    bool ceil;
};

/// Returns the result's type for pooling with a sliding window.
TUTTI_CONSTEXPR type_id pooled(relation& r, std::size_t rank, const pool_layouts& layouts, const pool_window& w);

/// Returns the number of windows along spatial axis `i`, which has size `n`: see `adaptive_pool_attributes`.
constexpr dim output_windows(const dims& output_size, dim n, std::size_t i) {
    return output_size.empty() ? n : output_size[output_size.size() == 1 ? 0 : i];
}
/// Returns the result's type for adaptive pooling.
TUTTI_CONSTEXPR type_id pooled(relation& r, std::size_t rank, const pool_layouts& layouts, const dims& output_size);

} // namespace spatial

namespace op::nn {

/// Base of pooling operators over `Rank` spatial axes.
template <std::size_t Rank>
struct pool {
    static constexpr std::size_t rank = Rank;
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::pooling;
    static constexpr layout_conversion convert =
        Rank == 2 ? &layout_conversions::single : nullptr; // as in the reference
    static constexpr auto precision = precision_rule::follow;

    /// Returns the result's type for a sliding window.
    template <class Attributes>
    static constexpr type_id windowed(relation& r, const Attributes& a) {
        return spatial::pooled(r, Rank, {a.layout, a.out_layout},
                               {a.pool_size, a.strides, a.dilation, a.padding, a.ceil_mode});
    }
};

/// The maximum of each window.
template <std::size_t Rank>
struct max_pool : pool<Rank> {
    static constexpr std::string_view name = spatial::of_rank(Rank, "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d");
    using attributes = max_pool_attributes<Rank>;
    static constexpr type_id infer(relation& r, const attributes& a) { return pool<Rank>::windowed(r, a); }
};
using max_pool1d = max_pool<1>;
using max_pool2d = max_pool<2>;
using max_pool3d = max_pool<3>;

/// The mean of each window.
template <std::size_t Rank>
struct avg_pool : pool<Rank> {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = spatial::of_rank(Rank, "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d");
    using attributes = avg_pool_attributes<Rank>;
    static constexpr type_id infer(relation& r, const attributes& a) { return pool<Rank>::windowed(r, a); }
};
using avg_pool1d = avg_pool<1>;
using avg_pool2d = avg_pool<2>;
using avg_pool3d = avg_pool<3>;

/// Pools all elements of a channel.
struct global_pool2d : pool<2> {
    using attributes = global_pool2d_attributes;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
struct global_max_pool2d : global_pool2d {
    static constexpr std::string_view name = "nn.global_max_pool2d";
};
struct global_avg_pool2d : global_pool2d {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.global_avg_pool2d";
    static constexpr auto precision = precision_rule::never;
};

/// Pools with a given number of windows.
template <std::size_t Rank>
struct adaptive_pool : pool<Rank> {
    using attributes = adaptive_pool_attributes<Rank>;
    static constexpr layout_conversion convert = nullptr; // as in the reference

    static constexpr type_id infer(relation& r, const attributes& a) {
        return spatial::pooled(r, Rank, {a.layout, a.out_layout}, a.output_size);
    }
};

template <std::size_t Rank>
struct adaptive_max_pool : adaptive_pool<Rank> {
    static constexpr std::string_view name =
        spatial::of_rank(Rank, "nn.adaptive_max_pool1d", "nn.adaptive_max_pool2d", "nn.adaptive_max_pool3d");
};
using adaptive_max_pool1d = adaptive_max_pool<1>;
using adaptive_max_pool2d = adaptive_max_pool<2>;
using adaptive_max_pool3d = adaptive_max_pool<3>;

template <std::size_t Rank>
struct adaptive_avg_pool : adaptive_pool<Rank> {
    static constexpr bool rounds = true;
    static constexpr std::string_view name =
        spatial::of_rank(Rank, "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d");
    static constexpr auto precision = precision_rule::never;
};
using adaptive_avg_pool1d = adaptive_avg_pool<1>;
using adaptive_avg_pool2d = adaptive_avg_pool<2>;
using adaptive_avg_pool3d = adaptive_avg_pool<3>;

} // namespace op::nn

/// Pooling operators.
using pool_ops = op_list<op::nn::adaptive_avg_pool1d, op::nn::adaptive_avg_pool2d, op::nn::adaptive_avg_pool3d,
                         op::nn::adaptive_max_pool1d, op::nn::adaptive_max_pool2d, op::nn::adaptive_max_pool3d,
                         op::nn::avg_pool1d, op::nn::avg_pool2d, op::nn::avg_pool3d, op::nn::global_avg_pool2d,
                         op::nn::global_max_pool2d, op::nn::max_pool1d, op::nn::max_pool2d, op::nn::max_pool3d>;

namespace spatial {

/// Builds calls of the pooling operator `Op`. Writes out the padding of all sides: first the sizes before each axis,
/// then the sizes after each axis.
template <class Op>
struct pool_call {
    constexpr expr operator()(expr data, typename Op::attributes attributes) const {
        attributes.padding = pad(attributes.padding, Op::rank);
        return call_op<Op>(attributes, data);
    }
};

/// Builds calls of the adaptive pooling operator `Op`.
template <class Op>
struct adaptive_pool_call {
    constexpr expr operator()(expr data, const typename Op::attributes& attributes) const {
        return call_op<Op>(attributes, data);
    }
};

} // namespace spatial

namespace nn {

inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_max_pool1d> adaptive_max_pool1d{};
inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_max_pool2d> adaptive_max_pool2d{};
inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_max_pool3d> adaptive_max_pool3d{};
inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_avg_pool1d> adaptive_avg_pool1d{};
inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_avg_pool2d> adaptive_avg_pool2d{};
inline constexpr spatial::adaptive_pool_call<op::nn::adaptive_avg_pool3d> adaptive_avg_pool3d{};
inline constexpr spatial::pool_call<op::nn::max_pool1d> max_pool1d{};
inline constexpr spatial::pool_call<op::nn::max_pool2d> max_pool2d{};
inline constexpr spatial::pool_call<op::nn::max_pool3d> max_pool3d{};
inline constexpr spatial::pool_call<op::nn::avg_pool1d> avg_pool1d{};
inline constexpr spatial::pool_call<op::nn::avg_pool2d> avg_pool2d{};
inline constexpr spatial::pool_call<op::nn::avg_pool3d> avg_pool3d{};
TUTTI_CONSTEXPR expr global_avg_pool2d(expr data, const global_pool2d_attributes& attributes = {});
TUTTI_CONSTEXPR expr global_max_pool2d(expr data, const global_pool2d_attributes& attributes = {});

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/pool.ipp>
#endif
