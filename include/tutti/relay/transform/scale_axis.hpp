#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/small_vector.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/shape.hpp>

namespace tutti::relay::detail {

// What the two directions of FoldScaleAxis share. A scale is a vector that multiplies a tensor along one axis.

/// What an expression can do with a scale: take one along this axis, or nothing at all.
struct scale_message {
    std::int64_t axis = -1;
    bool require_positive = false;  // an activation is on the way, which only a positive scale can pass

    constexpr bool defined() const { return axis >= 0; }
};

/// How a factor becomes a vector along one axis: its other axes, all of size 1, are squeezed out; a scalar is repeated.
struct scale_match {
    dims squeezed;
    std::optional<dim> repeated{};
};

/// Whether a tensor of shape `rhs`, broadcast to `lhs`, varies along that axis of `lhs` only, over its whole size.
constexpr std::optional<scale_match> match_axis(std::span<const dim> lhs, std::span<const dim> rhs, std::int64_t axis) {
    if (lhs.size() < rhs.size()) return std::nullopt;
    const std::size_t base = lhs.size() - rhs.size();
    scale_match match;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        if (static_cast<std::int64_t>(i) == axis) {
            if (i < base || !(lhs[i] == rhs[i - base])) return std::nullopt;
        } else if (i >= base) {
            if (!rhs[i - base].same_number(1)) return std::nullopt;
            match.squeezed.push_back(static_cast<std::int64_t>(i - base));
        }
    }
    return match;
}

constexpr bool all_positive(const tensor& value) {
    return kernel::with_element_type(value.type(), [&]<class T>(std::type_identity<T>) {
        return std::ranges::all_of(value.elements<T>(), [](T x) {
            if constexpr (std::is_same_v<T, kernel::float16>) return float(x) > 0;
            else return x > T{};
        });
    });
}

/// Whether an expression is a constant without zeros and negative elements, possibly under another shape.
constexpr bool is_positive_constant(const graph& g, expr_id e) {
    while (calls<op::expand_dims>(g, e) || calls<op::squeeze>(g, e)) e = g.arguments(e)[0];
    return g.kind(e) == expr_kind::constant && all_positive(g.constant_value(e));
}

/// Adds `a * b`.
constexpr expr_id multiply(graph& g, expr_id a, expr_id b) {
    const expr_id arguments[]{a, b};
    return add_call<op::multiply>(g, arguments);
}

/// The same for what is to become a scale, which may also be a scalar.
constexpr std::optional<scale_match> match_factor(std::span<const dim> value, std::span<const dim> factor, std::int64_t axis) {
    if (factor.empty() && !value.empty()) return scale_match{{}, value[static_cast<std::size_t>(axis)]};
    return match_axis(value, factor, axis);
}

/// Adds the factor as the vector that the match says.
constexpr expr_id as_vector(graph& g, expr_id factor, const scale_match& match) {
    const expr_id arguments[]{factor};
    if (match.repeated) return add_call<op::broadcast_to>(g, arguments, {.shape = dims{*match.repeated}});
    if (match.squeezed.empty()) return factor;
    return add_call<op::squeeze>(g, arguments, {.axis = match.squeezed});
}

/// Where a conv2d has its channels, if a scale along them can go into its weight: one group or depthwise, and no blocks.
struct conv_axes {
    std::int64_t in = 0;          // the channels of the data
    std::int64_t out = 0;         // those of the result
    std::int64_t weight_in = 0;   // the weight's axis that goes with the data's channels
    std::int64_t weight_out = 0;  // the one that goes with the result's
};
constexpr std::optional<conv_axes> scalable_axes(const graph& g, expr_id conv) {
    const auto a = get_attributes<conv2d_attributes>(g, g.call_attributes(conv));
    const auto data = layout::parse(a.data_layout);
    const auto out = layout::parse(a.out_layout.empty() ? a.data_layout : a.out_layout);
    const auto weight = layout::parse(a.kernel_layout);
    if (!data || !out || !weight || data->rank() != 4 || out->rank() != 4 || weight->rank() != 4) return std::nullopt;
    const auto shape = g.types().shape(g.type(g.arguments(conv)[1]));
    const bool depthwise = weight->size(shape, 'O').same_number(a.groups) && weight->size(shape, 'I').same_number(1);
    if (a.groups != 1 && !depthwise) return std::nullopt;
    const auto at = [](const layout& l, char letter) { return static_cast<std::int64_t>(*l.find(letter)); };
    const bool grouped = a.groups != 1;
    return conv_axes{at(*data, 'C'), at(*out, 'C'), at(*weight, grouped ? 'O' : 'I'), at(*weight, 'O')};
}

}  // namespace tutti::relay::detail
