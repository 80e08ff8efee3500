#pragma once

#include <tutti/described.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/transform/passes/scale_axis.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay {

namespace detail {

/// Which multiplications hand their scale to the weight before them, and which expressions it goes through on the way.
///
/// An expression may take a scale from its user if that is its only use and all that it would pass it on to may: a message says so
/// from operands to users. Then the scales go down, from users to operands.
class backward_plan {
public:
    /// What a user hands down to an expression.
    struct load {
        expr_id source = expr_id::none; // the multiplication that the scale was taken from
        scale_axes axes{};

        constexpr bool defined() const { return source != expr_id::none; }
    };

    constexpr backward_plan(const graph& g, expr_id root, const rewrite_terms& terms)
        : g_(&g)
        , as_reference_(terms.as_reference)
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

    /// The load that comes down to `e`.
    constexpr load load_of(expr_id e) const { return loads_[index(e)]; }
    /// Which argument of a multiplication became a scale, or -1 if the multiplication stays.
    constexpr int factor_side(expr_id multiplication) const { return factor_side_[index(multiplication)]; }
    /// The argument that became a scale.
    constexpr expr_id factor(expr_id multiplication) const {
        return g_->arguments(multiplication)[static_cast<std::size_t>(factor_side(multiplication))];
    }
    /// Whether `e` said that it can take a scale.
    constexpr scale_message message(expr_id e) const { return messages_[index(e)]; }

    /// The order in which to rewrite: a scale before what takes it.
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
            // The axis as it is written: the reference takes no scale through one that is counted from the end.
            return first.axes == scale_axes{static_cast<std::int16_t>(bias_axis(e)), -1} ? first : scale_message{};
        case scale_role::convolution:
            return takes_scale(e) ? convolution_message(scalable_axes(g, e)) : scale_message{};
        case scale_role::dense:
            return takes_scale(e) && shape_of(g, e).size() == 2 ? scale_message{{1, -1}, false} : scale_message{};
        default:
            return {};
        }
    }

    // The reference folds nothing into a convolution of groups.
    constexpr scale_message convolution_message(const conv_axes& axes) const {
        return axes.grouped && as_reference_ ? scale_message{} : scale_message{axes.out, false};
    }

    // Whether the weight is of the type that a scale has, which is the result's.
    constexpr bool takes_scale(expr_id e) const { return element_of(*g_, g_->arguments(e)[1]) == element_of(*g_, e); }

    constexpr void hand_down(expr_id e) {
        const graph& g = *g_;
        const load l = load_of(e);
        const auto arguments = g.arguments(e);
        const scale_role role = role_of(g, e);
        if (role == scale_role::factor) {
            // Integers wrap; the reference does not look.
            if (!as_reference_ && !kernel::is_floating(element_of(g, e))) return;
            for (const int side : {1, 0}) { // the scale on the right first, as the reference looks for it
                const expr_id value = arguments[static_cast<std::size_t>(1 - side)];
                const expr_id factor = arguments[static_cast<std::size_t>(side)];
                const scale_message m = message(value);
                if (!m.defined()) continue;
                if (match_factor(shape_of(g, value), shape_of(g, factor), m.axes) &&
                    (!m.require_positive || is_positive_constant(g, factor)) &&
                    (as_reference_ || all_finite(g, factor))) {
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

    // Says what became of a multiplication.
    constexpr void note(expr_id e, const plain_vector<std::uint32_t>& uses, const pass_notes& notes) const {
        const graph& g = *g_;
        if (factor_side(e) >= 0) return notes.applied(g, e, "folded", "the factor goes into the weight before it");
        for (const int side : {1, 0}) {
            const expr_id value = g.arguments(e)[static_cast<std::size_t>(1 - side)];
            const expr_id factor = g.arguments(e)[static_cast<std::size_t>(side)];
            if (const scale_message m = message(value); m.defined()) {
                if (!match_factor(shape_of(g, value), shape_of(g, factor), m.axes))
                    return notes.missed(g, e, "the factor is not one number a channel");
                if (m.require_positive && !is_positive_constant(g, factor))
                    return notes.missed(
                        g, e, "an activation is before it, and the factor is no constant without negative elements");
                return notes.missed(g, e, "the factor is of integers, or not finite");
            }
            for (expr_id at = value; role_of(g, at) != scale_role::none; at = g.arguments(at)[0]) {
                if (uses[index(at)] != 1 && offer(at).defined())
                    return notes.missed(g, e,
                                        "what is before it is used elsewhere too: " +
                                            std::string(g.called_op(at)->name) + " at " + notes.where(g, at));
                if (role_of(g, at) == scale_role::convolution)
                    return notes.missed(g, e, "the convolution before it lets no scale into its weight");
            }
        }
    }

    constexpr std::int64_t bias_axis(expr_id e) const {
        return get_attributes<bias_add_attributes>(*g_, g_->call_attributes(e)).axis;
    }

    const graph* g_;
    bool as_reference_;
    plain_vector<expr_id> order_;
    plain_vector<scale_message> messages_;
    plain_vector<load> loads_;
    plain_vector<std::int8_t> factor_side_;
};

/// Rewrites as planned.
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
            return r.rebuild(e); // relu

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
    // `value` times the load, which is to broadcast along those axes of a tensor of that shape.
    constexpr expr_id scaled(rewriter& r, expr_id value, backward_plan::load load, std::span<const dim> shape,
                             scale_axes axes) {
        return multiply(r.to(), value, expand_to_axes(r.to(), scale_of(r, load.source), shape, axes));
    }

    // What a multiplication hands down; made once.
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

    // The expression as it was: within a scale, the reference folds nothing. What did not change is shared.
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
    plain_vector<expr_id> scales_;    // by multiplication
    plain_vector<expr_id> originals_; // by expression: as it was, where a scale has needed that
};

} // namespace detail

/// Folds a multiplication by a vector along the channels into the weight of the convolution or dense layer before it.
///
/// The scale may pass additions, subtractions, bias_add (of an axis that is counted from the front) and, if it is a
/// constant without negative elements, operators that scale as their argument does (relu, say), where these have no
/// other use. A convolution may have groups. What the scale itself is made of stays as it is. Integers are left alone, and so
/// are scales that are constants with an infinity or a NaN.
///
/// Requires: inferred types; scales that are finite.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct backward_fold_scale_axis {
    static constexpr pass_info info{.name = "BackwardFoldScaleAxis", .opt_level = 3};
    using required = tutti::passes<infer_type>;

    bool as_reference = false; ///< whatever the values of a scale are; docs/differences.md has what that changes

    static constexpr members<&backward_fold_scale_axis::as_reference> options{"as_reference"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        run_rules(*this, m, ctx);
    }

    static constexpr function transform(const function& f, const rewrite_terms& terms) {
        const detail::backward_plan plan(f.graph, f.root, terms);
        return rewriter(f.graph, plan.rewriting_order()).rewrite(detail::backward_scale_folder(f.graph, plan));
    }
};

} // namespace tutti::relay
