#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/small_vector.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::detail {

// Shared by both directions of FoldScaleAxis. A scale is a vector that multiplies a tensor along one axis.

/// The axes of a scale: one, or two if the channels are blocked.
struct scale_axes {
    std::int16_t first = -1;
    std::int16_t second = -1;

    constexpr std::size_t count() const { return first < 0 ? 0 : second < 0 ? 1 : 2; }
    constexpr bool contain(std::size_t axis) const {
        return static_cast<std::int64_t>(axis) == first || static_cast<std::int64_t>(axis) == second;
    }

    friend constexpr bool operator==(const scale_axes&, const scale_axes&) = default;
};

/// The answer of an expression to a scale: the axes along which the expression accepts a scale, if any.
struct scale_message {
    scale_axes axes{};
    bool require_positive = false; // the scale passes through an activation, which requires it to be positive

    constexpr bool defined() const { return axes.count() != 0; }
};

/// The conversion of a factor to a scale. Axes other than those of the scale have size 1 and are squeezed. A scalar is
/// repeated.
struct scale_match {
    dims squeezed;
    std::optional<dim> repeated{};
};

/// Returns a match if a tensor of shape `rhs`, broadcast to `lhs`, varies only along these axes of `lhs`, over their
/// full sizes. Unknown sizes never match, because either may be 1.
constexpr std::optional<scale_match> match_axes(std::span<const dim> lhs, std::span<const dim> rhs, scale_axes axes) {
    if (lhs.size() < rhs.size()) return std::nullopt;
    const std::size_t base = lhs.size() - rhs.size();
    scale_match match;
    for (std::size_t i = 0; i < lhs.size(); ++i) {
        if (axes.contain(i)) {
            if (i < base || !lhs[i].same_number(rhs[i - base])) return std::nullopt;
        } else if (i >= base) {
            if (!rhs[i - base].same_number(1)) return std::nullopt;
            match.squeezed.push_back(static_cast<std::int64_t>(i - base));
        }
    }
    return match;
}

/// True if no element is negative. Elements of types that the reference does not examine count as negative.
constexpr bool none_negative(const tensor& value) {
    const dtype type = value.type();
    if (type == dtype::uint8 || type == dtype::uint32) return true;
    bool none = type == dtype::float32 || type == dtype::float64 || type == dtype::int8 || type == dtype::int32;
    for (std::int64_t i = 0; none && i < value.size(); ++i) none = !(number_at(value, i) < 0);
    return none;
}

/// Returns the expression if it is a constant, or the constant that it reshapes; none for others.
constexpr expr_id constant_under(const graph& g, expr_id e) {
    while (calls<op::expand_dims>(g, e) || calls<op::squeeze>(g, e) || calls<op::reshape>(g, e) ||
           calls<op::transpose>(g, e) || calls<op::repeat>(g, e))
        e = g.arguments(e)[0];
    return g.kind(e) == expr_kind::constant ? e : expr_id::none;
}

/// True if an expression is or reshapes a constant without negative elements.
constexpr bool is_positive_constant(const graph& g, expr_id e) {
    const expr_id constant = constant_under(g, e);
    return constant != expr_id::none && none_negative(g.constant_value(constant));
}

/// True if the absolute values of all elements are between `least` and `greatest`. Requires: floating-point elements.
constexpr bool all_between(const tensor& value, double least, double greatest) {
    for (std::int64_t i = 0; i < value.size(); ++i) {
        const double x = magnitude(number_at(value, i));
        if (!(x >= least && x <= greatest)) return false;
    }
    return true;
}

/// True if dividing by a factor and multiplying by it again is safe: the factor is a constant whose elements and their
/// reciprocals are finite normal numbers.
constexpr bool can_divide_by(const graph& g, expr_id factor) {
    const expr_id constant = constant_under(g, factor);
    if (constant == expr_id::none) return false;
    const tensor& value = g.constant_value(constant);
    const double least = floating_range_of(value.type()).least;
    return all_between(value, least, 1 / least);
}

/// True unless an expression is a constant with an infinity or a NaN.
constexpr bool all_finite(const graph& g, expr_id factor) {
    const expr_id constant = constant_under(g, factor);
    if (constant == expr_id::none) return true;
    const tensor& value = g.constant_value(constant);
    return all_between(value, 0, floating_range_of(value.type()).greatest);
}

/// True if the sizes along the axes are known.
constexpr bool known_along(std::span<const dim> shape, scale_axes axes) {
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (axes.contain(i) && shape[i].is_any()) return false;
    return true;
}

constexpr expr_id multiply(graph& g, expr_id a, expr_id b) { return add_call<op::multiply>(g, {a, b}); }

/// Matches a factor that is to become a scale. If the scale has one axis, the factor may also be a scalar.
constexpr std::optional<scale_match> match_factor(std::span<const dim> value, std::span<const dim> factor,
                                                  scale_axes axes) {
    if (factor.empty() && !value.empty() && axes.count() == 1) {
        const dim channels = value[static_cast<std::size_t>(axes.first)];
        if (channels.is_any()) return std::nullopt;
        return scale_match{{}, channels};
    }
    return match_axes(value, factor, axes);
}

/// Converts a factor to a scale according to its match.
constexpr expr_id as_scale(graph& g, expr_id factor, const scale_match& match) {
    if (match.repeated) {
        const expr_id one = add_call<op::expand_dims>(g, {factor}, {.axis = 0, .num_newaxis = 1});
        return add_call<op::repeat>(g, {one}, {.repeats = *match.repeated, .axis = dim(0)});
    }
    if (match.squeezed.empty()) return factor;
    return add_call<op::squeeze>(g, {factor}, {.axis = match.squeezed});
}

/// Reshapes a scale so that it broadcasts along the axes `axes` of a tensor of shape `shape`.
constexpr expr_id expand_to_axes(graph& g, expr_id scale, std::span<const dim> shape, scale_axes axes) {
    if (axes.count() == 1) return expand_to_axis(g, scale, shape.size(), axes.first);
    dims newshape;
    for (std::size_t i = 0; i < shape.size(); ++i) newshape.push_back(axes.contain(i) ? shape[i] : dim(1));
    return add_call<op::reshape>(g, {scale}, {.newshape = newshape});
}

/// The channel axes of a convolution along which a scale can be folded into the weight.
struct conv_axes {
    scale_axes in{};         // the data's channel axes, or none
    scale_axes out{};        // the result's channel axes, or none
    scale_axes weight_in{};  // the weight's axes for the data's channels
    scale_axes weight_out{}; // the weight's axes for the result's channels
    bool grouped = false;    // more than one group and not depthwise
};

constexpr bool is_convolution(const graph& g, expr_id e) {
    return calls<op::nn::conv2d>(g, e) || calls<op::nn::conv3d>(g, e);
}

/// The role of a call in folding scales.
enum class scale_role : std::uint8_t { none, factor, activation, sum, bias, convolution, dense };

constexpr scale_role role_of(const graph& g, expr_id e) {
    const op_def* op = g.called_op(e);
    if (op == nullptr) return scale_role::none;
    if (op->scales) return scale_role::activation; // f(s·x) = s·f(x)
    if (calls<op::multiply>(g, e)) return scale_role::factor;
    if (calls<op::add>(g, e) || calls<op::subtract>(g, e)) return scale_role::sum;
    if (calls<op::nn::bias_add>(g, e)) return scale_role::bias;
    if (is_convolution(g, e)) return scale_role::convolution;
    return calls<op::nn::dense>(g, e) ? scale_role::dense : scale_role::none;
}

/// The layouts of a convolution and its number of groups.
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

/// Returns the channel axes of a convolution. The data has no such axes if only the data or only the weight is blocked,
/// and likewise the result. The data of a grouped convolution has none either, because all groups share the weight's
/// input axis.
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
    const bool grouped = names.groups != 1 && !depthwise;
    // A weight with as many outputs as groups may also be depthwise, with several outputs per channel along its input
    // axis.
    if (const dim outputs = weight->size(shape, 'O');
        grouped && (outputs.is_any() || outputs.same_number(names.groups)))
        return {};
    const auto parts = [](const layout& l, char letter) {
        int count = 0;
        for (const layout::axis& a : l.axes()) count += a.letter == letter ? 1 : 0;
        return count;
    };
    for (const auto count : {parts(*data, 'C'), parts(*out, 'C'), parts(*weight, 'I'), parts(*weight, 'O')})
        if (count > 2) return {}; // nested blocks
    const bool blocks = weight->find('O', true).has_value();
    if (weight->find('I', true).has_value() != blocks) return {};
    const auto axes = [](const layout& l, char letter) {
        scale_axes found{static_cast<std::int16_t>(*l.find(letter)), -1};
        if (const auto block = l.find(letter, true)) found.second = static_cast<std::int16_t>(*block);
        return found;
    };
    // A scale along two axes is reshaped to the weight's sizes along these axes, which must be known.
    if (blocks && !(known_along(shape, axes(*weight, 'I')) && known_along(shape, axes(*weight, 'O')))) return {};
    const auto channels = [&](const layout& l) {
        return l.find('C', true).has_value() == blocks ? axes(l, 'C') : scale_axes{};
    };
    return {grouped ? scale_axes{} : channels(*data), channels(*out), axes(*weight, depthwise ? 'O' : 'I'),
            axes(*weight, 'O'), grouped};
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
