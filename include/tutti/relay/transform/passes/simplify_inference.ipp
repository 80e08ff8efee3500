#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Rules of SimplifyInference: normalisations as arithmetic.

// Adds epsilon in the data's element type. The reference first rounds epsilon to float32.
constexpr expr epsilon(rewriter& r, expr_id data, double value) {
    return scalar_constant(r.to(), element_of(r.from(), data), value);
}

// The channel axis, counted from the front, and the rank of the data.
struct channel_axis {
    std::size_t rank;
    std::int64_t axis;

    constexpr expr expand(expr vector) const {
        return {vector.graph, expand_to_axis(*vector.graph, vector.id, rank, axis)};
    }
};
constexpr channel_axis channels(const graph& g, expr_id data, std::int64_t axis) {
    const std::size_t rank = shape_of(g, data).size();
    return {rank, axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis};
}

TUTTI_CONSTEXPR expr_id write_batch_norm(rewriter& r, expr_id e) {
    const graph& from = r.from();
    const expr_id data = from.arguments(e)[0];
    const auto a = get_attributes<batch_norm_attributes>(from, from.call_attributes(e));
    const channel_axis at = channels(from, data, a.axis);

    const expr deviation = sqrt(add(argument(r, e, 4), epsilon(r, data, a.epsilon)));
    expr scale = divide(scalar_constant(r.to(), element_of(from, data), 1), deviation);
    if (a.scale) scale = multiply(scale, argument(r, e, 1));
    expr shift = multiply(negative(argument(r, e, 3)), scale);
    if (a.center) shift = add(shift, argument(r, e, 2));
    return add(multiply(argument(r, e, 0), at.expand(scale)), at.expand(shift)).id;
}

TUTTI_CONSTEXPR expr standardized(expr data, const dims& axes, expr added) {
    const expr average = mean(data, {.axis = axes, .keepdims = true});
    const expr spread = variance(data, average, {.axis = axes, .keepdims = true});
    return divide(subtract(data, average), sqrt(add(spread, added)));
}

template <class Attributes>
constexpr expr with_gamma_and_beta(rewriter& r, expr_id call, const Attributes& a, const channel_axis& at, expr out) {
    if (a.scale) out = multiply(out, at.expand(argument(r, call, 1)));
    if (a.center) out = add(out, at.expand(argument(r, call, 2)));
    return out;
}

constexpr expr_id write_instance_norm(rewriter& r, expr_id e) {
    const graph& from = r.from();
    const auto a = get_attributes<instance_norm_attributes>(from, from.call_attributes(e));
    const channel_axis at = channels(from, from.arguments(e)[0], a.axis);
    dims axes;
    for (std::size_t i = 1; i < at.rank; ++i)
        if (static_cast<std::int64_t>(i) != at.axis) axes.push_back(static_cast<std::int64_t>(i));
    if (axes.empty())
        return expr_id::none; // each instance is one element; reducing over an empty list of axes would reduce all axes

    const expr out = standardized(argument(r, e, 0), axes, epsilon(r, from.arguments(e)[0], a.epsilon));
    return with_gamma_and_beta(r, e, a, at, out).id;
}

TUTTI_CONSTEXPR expr_id write_layer_norm(rewriter& r, expr_id e) {
    const graph& from = r.from();
    const auto a = get_attributes<layer_norm_attributes>(from, from.call_attributes(e));
    const channel_axis at = channels(from, from.arguments(e)[0], a.axis);
    const expr out = standardized(argument(r, e, 0), dims{a.axis}, epsilon(r, from.arguments(e)[0], a.epsilon));
    return with_gamma_and_beta(r, e, a, at, out).id;
}

// Writes nn.group_norm as arithmetic. A temporary axis splits the channels into groups.
constexpr expr_id write_group_norm(rewriter& r, expr_id e) {
    const graph& from = r.from();
    const auto a = get_attributes<group_norm_attributes>(from, from.call_attributes(e));
    const channel_axis at = channels(from, from.arguments(e)[0], a.axis);
    const dims shape(shape_of(from, from.arguments(e)[0]));
    dims grouped;
    dims axes;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i);
        if (shape[i].is_any() || shape[i].value() == 0) return expr_id::none; // `?` and 0 are not literal in reshape
        if (number == at.axis) {
            grouped.push_back(a.num_groups);
            grouped.push_back(shape[i].value() / a.num_groups);
        } else {
            grouped.push_back(shape[i]);
        }
        if (number >= at.axis) axes.push_back(number + 1);
    }
    const expr data = reshape(argument(r, e, 0), {.newshape = grouped});
    const expr out = standardized(data, axes, epsilon(r, from.arguments(e)[0], a.epsilon));
    return with_gamma_and_beta(r, e, a, at, reshape(out, {.newshape = shape})).id;
}

constexpr std::string_view why_group_norm_stays(const graph&, expr_id) {
    return "a size of its data is not known, or is 0";
}

constexpr std::string_view why_instance_norm_stays(const graph&, expr_id) {
    return "each element is all of its instance and channel";
}

TUTTI_CONSTEXPR expr_id write_l2_normalize(rewriter& r, expr_id e) {
    const graph& from = r.from();
    const auto a = get_attributes<l2_normalize_attributes>(from, from.call_attributes(e));
    const expr data = argument(r, e, 0);
    const expr squares = sum(multiply(data, data), {.axis = a.axis.value, .keepdims = true});
    return divide(data, sqrt(maximum(squares, epsilon(r, from.arguments(e)[0], a.eps)))).id;
}

constexpr expr_id only_argument(rewriter& r, expr_id call) { return argument(r, call, 0).id; }

inline constexpr call_rule inference_rules[]{
    on_call<op::nn::batch_norm>(&write_batch_norm, 0),
    on_call<op::nn::dropout>(&only_argument, 0),
    {.op = &definition<op::nn::group_norm>, .replace = &write_group_norm, .why_left = &why_group_norm_stays},
    {.op = &definition<op::nn::instance_norm>, .replace = &write_instance_norm, .why_left = &why_instance_norm_stays},
    on_call<op::nn::l2_normalize>(&write_l2_normalize),
    on_call<op::nn::layer_norm>(&write_layer_norm)};

} // namespace detail

TUTTI_CONSTEXPR std::span<const call_rule> simplify_inference::rules() { return detail::inference_rules; }

TUTTI_CONSTEXPR void simplify_inference::apply(ir_module& m, module_context&& ctx) const {
    constexpr auto all = [](const function& f, const rewrite_terms& terms) { return apply_rules(f, rules(), terms); };
    static_assert(detail::inference_rules[0].op == &definition<op::nn::batch_norm> &&
                  detail::inference_rules[1].op == &definition<op::nn::dropout>);
    constexpr auto few = [](const function& f, const rewrite_terms& terms) {
        return apply_rules(f, rules().first(2), terms);
    };
    if (batch_norm_only)
        run_rules(m, ctx, info, few);
    else
        run_rules(m, ctx, info, all);
}

} // namespace tutti::relay::inline TUTTI_FORM
