#pragma once

#include <tutti/base/described.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/transform/passes/simplify_expr_arithmetic.hpp>
#include <tutti/relay/transform/passes/simplify_expr_cast.hpp>
#include <tutti/relay/transform/passes/simplify_expr_shape.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

namespace tutti::relay {

/// The rules of SimplifyExpr in the reference's order, which matters.
inline constexpr rewrite_rule simplification_rules[]{
    rule_of<detail::filled_like<op::zeros_like, op::zeros>>,
    rule_of<detail::filled_like<op::ones_like, op::ones>>,
    rule_of<detail::full_like_another>,
    rule_of<detail::to_reshape<op::reshape_like>>,
    rule_of<detail::sum_to_another>,
    rule_of<detail::broadcast_to_another>,
    rule_of<detail::cast_as_another>,
    rule_of<detail::add_to_itself>,
    rule_of<detail::divide_by_root>,
    rule_of<detail::neutral_operand>,
    rule_of<detail::to_reshape<op::reshape>>,
    rule_of<detail::two_transposes>,
    rule_of<detail::cast_to_the_same>,
    rule_of<detail::cast_of_a_wider>,
    rule_of<detail::full_operand>,
    rule_of<detail::factor_after_sum>,
    rule_of<detail::two_constants>,
    rule_of<detail::order_of_dequantized<op::argmax>>,
    rule_of<detail::order_of_dequantized<op::argmin>>,
    rule_of<detail::order_of_dequantized<op::argsort>>,
    rule_of<detail::casts_of_a_clip>,
    rule_of<detail::clip_of_a_cast>,
};

/// Simplifies expressions by rules: arithmetic with neutral operands or several constants; casts, clips, reshapes and
/// transposes in sequence; operators "like" another tensor of known type.
///
/// `Kernels` computes with constants.
///
/// Requires: inferred types.
/// Ensures:  results are the same up to rounding, unless `as_reference` is set.
/// Cost:     see `apply_rules`.
/// Throws:   `tutti::error` without types; the module is unchanged.
template <kernel_set Kernels = kernels::reference>
struct basic_simplify_expr {
    static constexpr pass_info info{.name = "SimplifyExpr", .opt_level = 0};
    using required = tutti::passes<infer_type>;
    static constexpr pattern_rules rules{simplification_rules, &Kernels::find};

    bool as_reference = false; ///< apply all rewrites of the reference; docs/differences.md lists the effects

    static constexpr option_list<&basic_simplify_expr::as_reference> options{"as_reference"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        run_rules(*this, m, ctx);
    }
};

/// SimplifyExpr with the reference kernels.
using simplify_expr = basic_simplify_expr<>;

} // namespace tutti::relay
