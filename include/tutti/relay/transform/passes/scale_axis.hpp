#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/small_vector.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::relay::detail {

// What the two directions of FoldScaleAxis share. A scale is a vector that multiplies a tensor along one axis.

/// The axes that a scale runs along: one, or two where the channels are stored in blocks.
struct scale_axes {
    std::int16_t first = -1;
    std::int16_t second = -1;

    constexpr std::size_t count() const { return first < 0 ? 0 : second < 0 ? 1 : 2; }
    constexpr bool contain(std::size_t axis) const {
        return static_cast<std::int64_t>(axis) == first || static_cast<std::int64_t>(axis) == second;
    }

    friend constexpr bool operator==(const scale_axes&, const scale_axes&) = default;
};

/// What an expression can do with a scale: take one along these axes, or nothing at all.
struct scale_message {
    scale_axes axes{};
    bool require_positive = false; // an activation is on the way, which only a positive scale can pass

    constexpr bool defined() const { return axes.count() != 0; }
};

constexpr bool same_shape(std::span<const dim> a, std::span<const dim> b) {
    bool same = a.size() == b.size();
    for (std::size_t d = 0; same && d < a.size(); ++d) same = a[d] == b[d];
    return same;
}

/// How a factor becomes a scale: its other axes, all of size 1, are squeezed out; a scalar is repeated.
struct scale_match {
    dims squeezed;
    std::optional<dim> repeated{};
};

/// Whether a tensor of shape `rhs`, broadcast to `lhs`, varies along those axes of `lhs` only, over their whole sizes.
constexpr std::optional<scale_match> match_axes(std::span<const dim> lhs, std::span<const dim> rhs, scale_axes axes) {
    if (lhs.size() < rhs.size()) return std::nullopt;
    const std::size_t base = lhs.size() - rhs.size();
    scale_match match;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        if (axes.contain(i)) {
            if (i < base || !(lhs[i] == rhs[i - base])) return std::nullopt;
        } else if (i >= base) {
            if (!rhs[i - base].same_number(1)) return std::nullopt;
            match.squeezed.push_back(static_cast<std::int64_t>(i - base));
        }
    }
    return match;
}

/// Whether no element is negative. Element types that the reference does not look into count as if one were.
constexpr bool none_negative(const tensor& value) {
    const auto none = [&]<class T>(std::type_identity<T>) {
        const T* x = value.data<T>();
        for (const T* end = x + value.size(); x != end; ++x)
            if (*x < T{}) return false;
        return true;
    };
    switch (value.type()) {
    case dtype::float32:
        return none(std::type_identity<float>{});
    case dtype::float64:
        return none(std::type_identity<double>{});
    case dtype::int8:
        return none(std::type_identity<std::int8_t>{});
    case dtype::int32:
        return none(std::type_identity<std::int32_t>{});
    case dtype::uint8:
    case dtype::uint32:
        return true;
    default:
        return false;
    }
}

/// The constant that an expression is, possibly under another shape, or none.
constexpr expr_id constant_under(const graph& g, expr_id e) {
    while (calls<op::expand_dims>(g, e) || calls<op::squeeze>(g, e) || calls<op::reshape>(g, e) ||
           calls<op::transpose>(g, e) || calls<op::repeat>(g, e))
        e = g.arguments(e)[0];
    return g.kind(e) == expr_kind::constant ? e : expr_id::none;
}

/// Whether an expression is a constant without negative elements, possibly under another shape.
constexpr bool is_positive_constant(const graph& g, expr_id e) {
    const expr_id constant = constant_under(g, e);
    return constant != expr_id::none && none_negative(g.constant_value(constant));
}

/// Whether all elements are numbers other than zero, and finite. Requires: they are floating-point numbers.
constexpr bool none_zero(const tensor& value) {
    const auto none = [&]<class T, class Number>(std::type_identity<T>, std::type_identity<Number>) {
        const T* x = value.data<T>();
        for (const T* end = x + value.size(); x != end; ++x) {
            const auto number = static_cast<Number>(*x);
            if (number == 0 || number - number != 0) return false;
        }
        return true;
    };
    switch (value.type()) {
    case dtype::float16:
        return none(std::type_identity<kernel::float16>{}, std::type_identity<float>{});
    case dtype::float32:
        return none(std::type_identity<float>{}, std::type_identity<float>{});
    default:
        return none(std::type_identity<double>{}, std::type_identity<double>{});
    }
}

/// Whether something may be divided by an expression and multiplied by it again; of what is no constant nothing is known.
constexpr bool can_divide_by(const graph& g, expr_id e) {
    const expr_id constant = constant_under(g, e);
    return constant == expr_id::none || none_zero(g.constant_value(constant));
}

/// The element type of a tensor. Requires: its type is inferred.
constexpr dtype element_type(const graph& g, expr_id e) { return g.types().element(g.type(e)); }

/// Whether a factor may move past other arithmetic: integers wrap and divide without a rest.
constexpr bool is_scalable(const graph& g, expr_id e) { return kernel::is_floating(element_type(g, e)); }

/// Adds `a * b`.
constexpr expr_id multiply(graph& g, expr_id a, expr_id b) {
    const expr_id arguments[]{a, b};
    return add_call<op::multiply>(g, arguments);
}

/// The same for what is to become a scale, which may also be a scalar where that is along one axis.
constexpr std::optional<scale_match> match_factor(std::span<const dim> value, std::span<const dim> factor,
                                                  scale_axes axes) {
    if (factor.empty() && !value.empty() && axes.count() == 1) {
        const dim channels = value[static_cast<std::size_t>(axes.first)];
        if (channels.is_any()) return std::nullopt;
        return scale_match{{}, channels};
    }
    return match_axes(value, factor, axes);
}

/// Adds the factor as the scale that the match says.
constexpr expr_id as_scale(graph& g, expr_id factor, const scale_match& match) {
    const expr_id arguments[]{factor};
    if (match.repeated) {
        const expr_id one[]{add_call<op::expand_dims>(g, arguments, {.axis = 0, .num_newaxis = 1})};
        return add_call<op::repeat>(g, one, {.repeats = *match.repeated, .axis = dim(0)});
    }
    if (match.squeezed.empty()) return factor;
    return add_call<op::squeeze>(g, arguments, {.axis = match.squeezed});
}

/// Adds a scale in a shape that broadcasts along those axes of a tensor of that shape.
constexpr expr_id expand_to_axes(graph& g, expr_id scale, std::span<const dim> shape, scale_axes axes) {
    if (axes.count() == 1) return expand_to_axis(g, scale, shape.size(), axes.first);
    dims newshape;
    for (std::size_t i = 0; i < shape.size(); ++i) newshape.push_back(axes.contain(i) ? shape[i] : dim(1));
    const expr_id arguments[]{scale};
    return add_call<op::reshape>(g, arguments, {.newshape = newshape});
}

/// Where a convolution has its channels, as far as a scale along them can go into its weight.
struct conv_axes {
    scale_axes in{};         // the channels of the data, or none
    scale_axes out{};        // those of the result, or none
    scale_axes weight_in{};  // the weight's axes that go with the data's channels
    scale_axes weight_out{}; // those that go with the result's
};

/// Whether it is a call of an operator that scales as its argument does.
constexpr bool lets_scales_pass(const graph& g, expr_id e) {
    const op_def* op = g.called_op(e);
    return op != nullptr && op->scales;
}
constexpr bool is_convolution(const graph& g, expr_id e) {
    return calls<op::nn::conv2d>(g, e) || calls<op::nn::conv3d>(g, e);
}

/// What of a convolution's attributes counts here.
struct conv_layouts {
    std::string_view data;
    std::string_view weight;
    std::string_view out;
    std::int64_t groups;
};
template <class Attributes>
constexpr conv_layouts layouts_in(const graph& g, expr_id conv) {
    const auto a = get_attributes<Attributes>(g, g.call_attributes(conv));
    return {a.data_layout, a.kernel_layout, a.out_layout.empty() ? a.data_layout : a.out_layout, a.groups};
}
constexpr conv_layouts layouts_of(const graph& g, expr_id conv) {
    if (calls<op::nn::conv3d>(g, conv)) return layouts_in<conv3d_attributes>(g, conv);
    return layouts_in<conv2d_attributes>(g, conv);
}

/// The axes of a convolution of one group or a depthwise one. Those of the data and of the result are given if they and
/// the weight's are both stored in blocks or both are not.
///
/// Requires: the weight's type is inferred.
constexpr conv_axes scalable_axes(const graph& g, expr_id conv) {
    const conv_layouts names = layouts_of(g, conv);
    const auto data = layout::parse(names.data);
    const auto out = layout::parse(names.out);
    const auto weight = layout::parse(names.weight);
    if (!data || !out || !weight) return {};
    const auto shape = shape_of(g, g.arguments(conv)[1]);
    const bool depthwise =
        weight->size(shape, 'O').same_number(names.groups) && weight->size(shape, 'I').same_number(1);
    if (names.groups != 1 && !depthwise) return {};
    const auto parts = [](const layout& l, char letter) {
        int count = 0;
        for (const layout::axis& a : l.axes()) count += a.letter == letter ? 1 : 0;
        return count;
    };
    for (const auto count : {parts(*data, 'C'), parts(*out, 'C'), parts(*weight, 'I'), parts(*weight, 'O')})
        if (count > 2) return {}; // blocks in blocks
    const bool blocks = weight->find('O', true).has_value();
    if (weight->find('I', true).has_value() != blocks) return {};
    const auto axes = [](const layout& l, char letter) {
        scale_axes found{static_cast<std::int16_t>(*l.find(letter)), -1};
        if (const auto block = l.find(letter, true)) found.second = static_cast<std::int16_t>(*block);
        return found;
    };
    const auto channels = [&](const layout& l) {
        return l.find('C', true).has_value() == blocks ? axes(l, 'C') : scale_axes{};
    };
    return {channels(*data), channels(*out), axes(*weight, depthwise ? 'O' : 'I'), axes(*weight, 'O')};
}

} // namespace tutti::relay::detail
