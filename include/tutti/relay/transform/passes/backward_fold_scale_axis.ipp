#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/transform/passes/backward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/scale_axis.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Plans which multiplications pass their scale to a preceding weight, and which expressions the scale passes through.
///
/// An expression accepts a scale from its user if it has no other use, and if all operands to which it would pass the
/// scale accept it. Messages about this go from operands to users. The scales then move from users to operands.
class backward_plan {
public:
    /// A scale that a user passes to an expression.
    struct load {
        expr_id source = expr_id::none; // the multiplication with the scale
        scale_axes axes{};

        constexpr bool defined() const { return source != expr_id::none; }
    };

    constexpr backward_plan(const graph& g, expr_id root, const rewrite_terms& terms)
        : g_(&g)
        , as_reference_(terms.as_reference)
        , notes_(&terms.notes)
        , order_(post_order(g, root))
        , messages_(g.size())
        , loads_(g.size())
        , factor_side_(g.size(), -1) {
        const plain_vector<std::uint32_t> uses = count_uses(g, order_);
        for (const expr_id e : order_)
            if (g.called_op(e) != nullptr && uses[index(e)] == 1) messages_[index(e)] = offer(e);
        for (std::size_t i = order_.size(); i-- > 0;)
            if (g.called_op(order_[i]) != nullptr) hand_down(order_[i]);
        if (terms.notes.heard())
            for (const expr_id e : order_)
                if (role_of(g, e) == scale_role::factor) note(e, uses, terms.notes);
    }

    /// Returns the scale passed to `e`.
    constexpr load load_of(expr_id e) const { return loads_[index(e)]; }
    /// Returns the index of the argument of a multiplication that became a scale, or -1 if the multiplication stays.
    constexpr int factor_side(expr_id multiplication) const { return factor_side_[index(multiplication)]; }
    /// Returns the argument that became a scale.
    constexpr expr_id factor(expr_id multiplication) const {
        return g_->arguments(multiplication)[static_cast<std::size_t>(factor_side(multiplication))];
    }
    /// Returns whether and how `e` accepts a scale.
    constexpr scale_message message(expr_id e) const { return messages_[index(e)]; }

    /// Returns the order of rewriting: a scale before the expression that takes it.
    constexpr plain_vector<expr_id> rewriting_order() const {
        return post_order(*g_, order_.back(), [&](expr_id e) {
            const load l = load_of(e);
            return l.defined() ? factor(l.source) : expr_id::none;
        });
    }

private:
    constexpr scale_message offer(expr_id e) const {
        const graph& g = *g_;
        const scale_role role = role_of(g, e);
        if (role == scale_role::none) return {};
        const auto arguments = g.arguments(e);
        const scale_message first = message(arguments[0]);
        switch (role) {
        case scale_role::activation:
            return {first.axes, first.defined()};
        case scale_role::sum: {
            const auto lhs = shape_of(g, arguments[0]);
            const auto rhs = shape_of(g, arguments[1]);
            const scale_message second = message(arguments[1]);
            if (first.defined() && second.defined()) {
                const bool fit = (same_elements(lhs, rhs) && known_along(lhs, first.axes)) ||
                                 match_axes(lhs, rhs, first.axes) || match_axes(rhs, lhs, first.axes);
                if (first.axes != second.axes || !fit) return {};
                return {first.axes, first.require_positive || second.require_positive};
            }
            if (first.defined() && match_axes(lhs, rhs, first.axes)) return first;
            if (second.defined() && match_axes(rhs, lhs, second.axes)) return second;
            return {};
        }
        case scale_role::bias:
            // Compares the axis as written, because in the reference an axis counted from the end stops a scale.
            return first.axes == scale_axes{static_cast<std::int16_t>(bias_axis(e)), -1} ? first : scale_message{};
        case scale_role::convolution:
            return takes_scale(e) ? convolution_message(scalable_axes(g, e)) : scale_message{};
        case scale_role::dense:
            return takes_scale(e) && shape_of(g, e).size() == 2 ? scale_message{{1, -1}, false} : scale_message{};
        default:
            return {};
        }
    }

    // Returns the scale that can be folded into a convolution. With `as_reference_`, grouped convolutions take none.
    constexpr scale_message convolution_message(const conv_axes& axes) const {
        return axes.grouped && as_reference_ ? scale_message{} : scale_message{axes.out, false};
    }

    // True if the weight has the element type of the result. The scale has that type too.
    constexpr bool takes_scale(expr_id e) const { return element_of(*g_, g_->arguments(e)[1]) == element_of(*g_, e); }

    constexpr void hand_down(expr_id e) {
        const graph& g = *g_;
        const load l = load_of(e);
        const auto arguments = g.arguments(e);
        const scale_role role = role_of(g, e);
        if (role == scale_role::factor) {
            // Integers wrap around. The reference does not check for them.
            if (!as_reference_ && !kernel::is_floating(element_of(g, e))) return;
            for (const int side : {1, 0}) { // the right side first, as in the reference
                const expr_id value = arguments[static_cast<std::size_t>(1 - side)];
                const expr_id factor = arguments[static_cast<std::size_t>(side)];
                const scale_message m = message(value);
                if (!m.defined()) continue;
                if (match_factor(shape_of(g, value), shape_of(g, factor), m.axes) &&
                    (!m.require_positive || is_positive_constant(g, factor)) &&
                    (as_reference_ || all_finite(g, factor)) && notes_->may_apply(g, e, "folded")) {
                    factor_side_[index(e)] = static_cast<std::int8_t>(side);
                    loads_[index(value)] = {e, m.axes};
                }
                return;
            }
        } else if (!l.defined()) {
            return;
        } else if (role == scale_role::activation || role == scale_role::bias) {
            loads_[index(arguments[0])] = l;
        } else if (role == scale_role::sum) {
            for (const expr_id a : arguments)
                if (message(a).defined()) loads_[index(a)] = l;
        }
    }

    // Emits a remark about a multiplication.
    constexpr void note(expr_id e, const plain_vector<std::uint32_t>& uses, const pass_notes& notes) const {
        const graph& g = *g_;
        if (factor_side(e) >= 0) return notes.applied(g, e, "folded", "the factor goes into the weight before it");
        for (const int side : {1, 0}) {
            const expr_id value = g.arguments(e)[static_cast<std::size_t>(1 - side)];
            const expr_id factor = g.arguments(e)[static_cast<std::size_t>(side)];
            if (const scale_message m = message(value); m.defined()) {
                if (!match_factor(shape_of(g, value), shape_of(g, factor), m.axes))
                    return notes.missed(g, e, "the factor is not one number per channel");
                if (m.require_positive && !is_positive_constant(g, factor))
                    return notes.missed(
                        g, e, "an activation precedes it, and the factor is not a constant without negative elements");
                return notes.missed(g, e, "the factor is of integers, or not finite");
            }
            for (expr_id at = value; role_of(g, at) != scale_role::none; at = g.arguments(at)[0]) {
                if (uses[index(at)] != 1 && offer(at).defined())
                    return notes.missed(g, e,
                                        "its input is used elsewhere too: " + std::string(g.called_op(at)->name) +
                                            " at " + notes.where(g, at));
                if (role_of(g, at) == scale_role::convolution)
                    return notes.missed(g, e, "the convolution before it cannot take a scale into its weight");
            }
        }
    }

    constexpr std::int64_t bias_axis(expr_id e) const {
        return get_attributes<bias_add_attributes>(*g_, g_->call_attributes(e)).axis;
    }

    const graph* g_;
    bool as_reference_;
    const pass_notes* notes_;
    plain_vector<expr_id> order_;
    plain_vector<scale_message> messages_;
    plain_vector<load> loads_;
    plain_vector<std::int8_t> factor_side_;
};

/// Rewrites according to the plan.
class backward_scale_folder {
public:
    constexpr backward_scale_folder(const graph& from, const backward_plan& plan)
        : plan_(&plan), scales_(from.size(), expr_id::none), originals_(from.size(), expr_id::none) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (calls<op::multiply>(from, e) && plan_->factor_side(e) >= 0)
            return r[from.arguments(e)[plan_->factor_side(e) == 0 ? 1 : 0]];
        const auto load = plan_->load_of(e);
        if (!load.defined() || from.called_op(e) == nullptr || from.arguments(e).size() < 2)
            return r.rebuild(e); // an activation such as relu

        const expr_id first = from.arguments(e)[0];
        const expr_id second = from.arguments(e)[1];
        expr_id made[]{r[from.callee(e)], r[first], r[second]};
        if (is_convolution(from, e)) {
            made[2] = scaled(r, made[2], load, shape_of(from, second), scalable_axes(from, e).weight_out);
        } else if (calls<op::nn::dense>(from, e) || calls<op::nn::bias_add>(from, e)) {
            made[2] = scaled(r, made[2], load, shape_of(from, second), {0, -1});
        } else if (!plan_->message(second).defined()) { // add, subtract
            made[2] = scaled(r, made[2], load, shape_of(from, first), load.axes);
        } else if (!plan_->message(first).defined()) {
            made[1] = scaled(r, made[1], load, shape_of(from, second), load.axes);
        }
        return r.to().add_like(from, e, made);
    }

private:
    // Returns `value` times the scale. The scale is expanded to the axes `axes` of a tensor of shape `shape`.
    constexpr expr_id scaled(rewriter& r, expr_id value, backward_plan::load load, std::span<const dim> shape,
                             scale_axes axes) {
        return multiply(r.to(), value, expand_to_axes(r.to(), scale_of(r, load.source), shape, axes));
    }

    // Returns the scale of a multiplication, which is built once.
    constexpr expr_id scale_of(rewriter& r, expr_id multiplication) {
        expr_id& made = scales_[index(multiplication)];
        if (made == expr_id::none) {
            const graph& from = r.from();
            const expr_id factor = plan_->factor(multiplication);
            const expr_id value = from.arguments(multiplication)[plan_->factor_side(multiplication) == 0 ? 1 : 0];
            const auto match = match_factor(shape_of(from, value), shape_of(from, factor), plan_->load_of(value).axes);
            made = as_scale(r.to(), original(r, factor), *match);
        }
        return made;
    }

    // Returns the unfolded form of an expression, because the reference folds nothing inside a scale. Unchanged
    // expressions are shared.
    constexpr expr_id original(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const auto enter = [&](expr_id at) {
            expr_id& made = originals_[index(at)];
            if (made == expr_id::none && r.kept(at)) made = r[at];
            return made == expr_id::none;
        };
        walk(from, e, enter, [&](expr_id at) {
            plain_vector<expr_id> operands;
            for (const expr_id o : from.operands(at)) operands.push_back(originals_[index(o)]);
            originals_[index(at)] = r.to().add_like(from, at, operands.all());
            r.to().set_type(originals_[index(at)], from.type(at));
        });
        return originals_[index(e)];
    }

    const backward_plan* plan_;
    plain_vector<expr_id> scales_;    // indexed by multiplication
    plain_vector<expr_id> originals_; // indexed by expression: its unfolded form, if a scale needs it
};

} // namespace detail

TUTTI_CONSTEXPR void backward_fold_scale_axis::apply(ir_module& m, module_context&& ctx) const {
    run_rules(
        m, ctx, info,
        [](const function& f, const rewrite_terms& terms) {
            const detail::backward_plan plan(f.graph, f.root, terms);
            return rewriter(f.graph, plan.rewriting_order()).rewrite(detail::backward_scale_folder(f.graph, plan));
        },
        as_reference);
}

} // namespace tutti::relay::inline TUTTI_FORM
