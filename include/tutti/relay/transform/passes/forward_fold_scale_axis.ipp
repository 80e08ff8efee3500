#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/transform/passes/forward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/scale_axis.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Messages from users to each expression: whether and how they accept a scale.
class forward_messages {
public:
    constexpr explicit forward_messages(const rewriter& r) : g_(&r.from()), messages_(g_->size()), sent_(g_->size()) {
        for (std::size_t i = r.order().size(); i-- > 0;) {
            const expr_id e = r.order()[i];
            if (g_->called_op(e) != nullptr) {
                send_to_arguments(e, at(e));
            } else if (g_->kind(e) != expr_kind::projection) {
                for (const expr_id o : g_->operands(e)) send(o, {});
            }
        }
    }

    /// Returns the common answer of all users of `e`.
    constexpr scale_message at(expr_id e) const { return messages_[index(e)]; }

    /// True if only some users of `e` accept a scale, or if their axes differ.
    constexpr bool torn(expr_id e) const { return sent_[index(e)] == disagreed; }

    /// True if any expression accepts a scale.
    constexpr bool any() const {
        for (const scale_message& m : messages_)
            if (m.defined()) return true;
        return false;
    }

private:
    constexpr void send_to_arguments(expr_id call, scale_message from_users) {
        scale_message first{};
        scale_message second{};
        switch (role_of(*g_, call)) {
        case scale_role::activation:
            first = {from_users.axes, from_users.defined()};
            break;
        case scale_role::sum: {
            const auto lhs = shape_of(*g_, g_->arguments(call)[0]);
            const auto rhs = shape_of(*g_, g_->arguments(call)[1]);
            if (from_users.defined() && match_axes(lhs, rhs, from_users.axes))
                first = from_users;
            else if (from_users.defined() && match_axes(rhs, lhs, from_users.axes))
                second = from_users;
            break;
        }
        case scale_role::convolution:
            if (of_one_type(call)) first.axes = scalable_axes(*g_, call).in;
            break;
        case scale_role::dense:
            if (shape_of(*g_, g_->arguments(call)[0]).size() == 2 && of_one_type(call)) first.axes = {1, -1};
            break;
        default:
            break;
        }
        for (std::size_t i = 0; i < g_->arguments(call).size(); ++i)
            send(g_->arguments(call)[i], i == 0 ? first : i == 1 ? second : scale_message{});
    }

    // True if the weight has the element type of the data and thus of the scale, so that the two can be multiplied.
    constexpr bool of_one_type(expr_id call) const {
        return element_of(*g_, g_->arguments(call)[0]) == element_of(*g_, g_->arguments(call)[1]);
    }

    constexpr void send(expr_id e, scale_message m) {
        scale_message& known = messages_[index(e)];
        char& sent = sent_[index(e)];
        if (sent == nothing) {
            sent = agreed;
            known = m;
        } else if (known.axes != m.axes) {
            sent = disagreed;
            known = {};
        } else
            known.require_positive = known.require_positive || m.require_positive;
    }

    enum : char { nothing, agreed, disagreed };

    const graph* g_;
    plain_vector<scale_message> messages_;
    plain_vector<char> sent_; // indexed by expression: the users' answers so far
};

/// Moves the scale of a multiplication through expressions that accept it into the following weight.
class forward_scale_folder {
public:
    constexpr forward_scale_folder(const rewriter& r, const rewrite_terms& terms)
        : terms_(&terms)
        , messages_(r)
        , looks_into_tuples_(messages_.any() && !may_have_effects(r.from(), r.order().back()))
        , scales_(r.from().size()) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        if (looks_into_tuples_ && r.from().kind(e) == expr_kind::projection) {
            const expr_id tuple = r[r.from().operand(e, 0)];
            if (r.to().kind(tuple) == expr_kind::tuple && terms_->notes.may_apply(r.from(), e, "field"))
                return r.to().operand(tuple, r.from().field(e));
        }
        const scale_role role = role_of(r.from(), e);
        expr_id made = expr_id::none;
        if (role == scale_role::factor) made = take(r, e);
        if (role == scale_role::activation) made = pass_relu(r, e);
        if (role == scale_role::sum) made = pass_add(r, e);
        if (role == scale_role::convolution || role == scale_role::dense) made = put(r, e);
        if (made != expr_id::none) return made;
        for (const expr_id o : r.from().operands(e)) realize(r, o);
        return r.rebuild(e);
    }

private:
    /// A scale that was removed from an expression and is to be applied later.
    struct scale {
        expr_id factor = expr_id::none; // in the new graph
        scale_axes axes{};
        bool divides = true; // division by the scale is possible
    };

    constexpr scale& scale_of(expr_id e) { return scales_[index(e)]; }
    constexpr bool has_scale(expr_id e) { return scale_of(e).factor != expr_id::none; }

    constexpr expr_id take(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const scale_message m = messages_.at(e);
        const expr_id arguments[]{from.arguments(e)[0], from.arguments(e)[1]};
        if (has_scale(arguments[0]) || has_scale(arguments[1])) return expr_id::none;
        if (!m.defined()) {
            if (messages_.torn(e)) terms_->notes.missed(from, e, "not all of its users can take a scale");
            return expr_id::none;
        }
        std::string_view why = "no factor is one number per channel";
        for (const int side : {0, 1}) {
            const expr_id value = arguments[side];
            const expr_id factor = arguments[1 - side];
            const auto match = match_factor(shape_of(from, value), shape_of(from, factor), m.axes);
            if (!match) continue;
            if (m.require_positive && !is_positive_constant(r.to(), r[factor])) {
                why = "an activation follows it, and the factor is not a constant without negative elements";
                continue;
            }
            if (!terms_->as_reference && !(kernel::is_floating(element_of(from, e)) && all_finite(r.to(), r[factor]))) {
                why = "the factor is of integers, or not finite";
                continue;
            }
            if (!terms_->notes.may_apply(from, e, "scaled weights")) return expr_id::none;
            scale_of(e) = {as_scale(r.to(), r[factor], *match), m.axes,
                           terms_->as_reference || can_divide_by(r.to(), r[factor])};
            return r[value];
        }
        terms_->notes.missed(from, e, why);
        return expr_id::none;
    }

    constexpr expr_id pass_relu(rewriter& r, expr_id e) {
        const expr_id data = r.from().arguments(e)[0];
        if (!has_scale(data)) return expr_id::none;
        scale_of(e) = scale_of(data);
        return r.rebuild(e);
    }

    constexpr expr_id pass_add(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_id lhs = from.arguments(e)[0];
        const expr_id rhs = from.arguments(e)[1];
        if (has_scale(lhs) == has_scale(rhs)) return expr_id::none;
        const bool left = has_scale(lhs);
        const scale s = scale_of(left ? lhs : rhs);
        if (!s.divides) {
            terms_->notes.missed(from, e, "a scale does not pass: it is not a constant that can be divided by");
            return expr_id::none;
        }
        const expr_id other = r[left ? rhs : lhs];
        const expr_id expanded = expand_to_axes(r.to(), s.factor, shape_of(from, left ? lhs : rhs), s.axes);
        const expr_id quotient = add_call<op::divide>(r.to(), {other, expanded});
        const expr_id operands[]{r[from.callee(e)], left ? r[lhs] : quotient, left ? quotient : r[rhs]};
        scale_of(e) = s;
        return r.to().add_like(from, e, operands);
    }

    constexpr expr_id put(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_id data = from.arguments(e)[0];
        const expr_id weight = from.arguments(e)[1];
        if (!has_scale(data) || has_scale(weight)) return expr_id::none;
        terms_->notes.applied(from, e, "scaled weights", "its weight takes a scale");
        expr_id factor = scale_of(data).factor;
        if (is_convolution(from, e))
            factor = expand_to_axes(r.to(), factor, shape_of(from, weight), scalable_axes(from, e).weight_in);
        const expr_id operands[]{r[from.callee(e)], r[data], multiply(r.to(), r[weight], factor)};
        return r.to().add_like(from, e, operands);
    }

    // Multiplies an expression by its removed scale, for a user that does not accept the scale.
    constexpr void realize(rewriter& r, expr_id e) {
        if (!has_scale(e)) return;
        const scale s = std::exchange(scale_of(e), scale{});
        const expr_id expanded = expand_to_axes(r.to(), s.factor, shape_of(r.from(), e), s.axes);
        r.replace(e, multiply(r.to(), r[e], expanded));
    }

    const rewrite_terms* terms_; // with as_reference, scales are checked only for their sign
    forward_messages messages_;
    bool looks_into_tuples_;     // an expression accepts a scale, as in the reference, and there are no side effects
    plain_vector<scale> scales_; // indexed by expression of the old graph
};

} // namespace detail

TUTTI_CONSTEXPR void forward_fold_scale_axis::apply(ir_module& m, module_context&& ctx) const {
    run_rules(
        m, ctx, info,
        [](const function& f, const rewrite_terms& terms) {
            rewriter r(f);
            return r.rewrite(detail::forward_scale_folder(r, terms));
        },
        as_reference);
}

} // namespace tutti::relay::inline TUTTI_FORM
