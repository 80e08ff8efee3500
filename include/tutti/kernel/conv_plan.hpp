#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// Strides, padding, groups and layouts of a convolution.
struct conv_options {
    spatial strides{1, 1, 1};
    spatial dilation{1, 1, 1};
    spatial before{}; ///< Padding at the beginning of each axis.
    spatial after{};  ///< Padding at the end of each axis.
    std::int64_t groups = 1;
    std::string_view data_layout{};   ///< NCW, NCHW or NCDHW by the data's rank if empty.
    std::string_view weight_layout{}; ///< OIW, OIHW or OIDHW by the data's rank if empty.
    std::string_view out_layout{};    ///< The data's layout if empty.
    dtype out = dtype::none;          ///< The result's element type; the data's if `none`.
};

namespace detail {

/// Axes and windows of a convolution. `out` determines the number of places of the result, however many windows fit.
struct conv_plan {
    lettered_axes in;
    lettered_axes weight;
    lettered_axes out;
    windows window;
    std::int64_t groups = 1;

    constexpr std::int64_t out_channels() const { return out.channel.size / groups; }
};

/// Returns the options with all layouts filled in.
constexpr conv_options with_layouts(conv_options o, const tensor& data, const tensor& weight) {
    o.data_layout = layout_or_usual(lettered::data, o.data_layout, data);
    o.weight_layout = layout_or_usual(lettered::weight, o.weight_layout, weight);
    if (o.out_layout.empty()) o.out_layout = o.data_layout;
    return o;
}

/// Returns the plan of a convolution without the result: the checked axes of the operands, the windows and the groups.
///
/// Throws: tutti::error, naming both shapes, if the operands do not fit.
constexpr conv_plan plan_operands(std::string_view kernel, const tensor& data, const tensor& weight,
                                  const conv_options& o) {
    conv_plan p;
    p.in = axes_in(kernel, "data", lettered::data, o.data_layout, data.shape());
    p.weight = axes_in(kernel, "weight", lettered::weight, o.weight_layout, weight.shape());
    p.groups = o.groups;
    const std::size_t rank = spatial_rank(o.data_layout);
    if (spatial_rank(o.weight_layout) != rank)
        fail_pair(kernel, "data", data, "weight", weight, "the same number of spatial axes");
    if (o.groups < 1) fail(kernel, {o.groups, " groups"}, "at least 1");
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = 3 - rank + i;
        p.window[axis] = {
            p.in.space[axis].size, p.weight.space[axis].size, o.strides[i], o.dilation[i], o.before[i], o.after[i]};
    }
    return p;
}

/// Merges two axes into one: each place of the first axis combined with all places of the second. Requires: together,
/// the axes have at most `max_parts` parts.
constexpr lettered_axis joined(const lettered_axis& first, const lettered_axis& second) {
    lettered_axis both = first;
    both.size *= second.size;
    if (first.parts == 1 && second.parts == 1 && first.stride() == second.size * second.stride())
        both.part_of[0] = {both.size, second.stride()};
    else
        for (std::size_t i = 0; i < second.parts; ++i) both.part_of[both.parts++] = second.part_of[i];
    return both;
}

/// Merges the axis I of depthwise weights into the axis O: output channel o * size(I) + i. Leaves the weights unchanged
/// if the merged axis would have more than `max_parts` parts.
constexpr void join_output_channels(lettered_axes& weight) {
    const std::int64_t step = weight.channel.step();
    if (weight.outer.parts + weight.channel.parts > lettered_axis::max_parts) return;
    weight.outer = joined(weight.outer, weight.channel);
    weight.channel = {.size = 1, .parts = 1, .part_of = {{{1, step}}}};
}

/// Returns the plan of a convolution. The axes of the result have sizes, but no strides.
constexpr conv_plan plan_conv(std::string_view kernel, const tensor& data, const tensor& weight,
                              const conv_options& o) {
    conv_plan p = plan_operands(kernel, data, weight, o);
    const std::int64_t in = p.in.channel.size;
    if (p.groups > 1 && in == p.groups && p.weight.outer.size == p.groups && p.weight.channel.size > 1)
        join_output_channels(p.weight);
    const std::int64_t group = p.weight.channel.size;
    if (in % p.groups != 0 || in / p.groups != group)
        fail_pair(kernel, "data", data, "weight", weight, {"data of ", p.groups, " groups of ", group, " channels"});
    if (p.weight.outer.size % p.groups != 0)
        fail_pair(kernel, "data", data, "weight", weight,
                  {"a multiple of ", p.groups, " output channels, the number of groups"});
    check_windows(kernel, p.window, spatial_rank(o.data_layout));
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.weight.outer.size;
    for (std::size_t i = 0; i < 3; ++i) p.out.space[i].size = p.window[i].count();
    return p;
}

/// Returns the number of multiply-adds.
constexpr std::uint64_t steps_of(const conv_plan& p) {
    return steps(p.out.outer.size, p.out.channel.size, p.out.places(), p.weight.channel.size, p.weight.places());
}

} // namespace detail
} // namespace tutti::kernel
