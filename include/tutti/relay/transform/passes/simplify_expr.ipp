#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_expr_arithmetic.hpp>
#include <tutti/relay/transform/passes/simplify_expr_cast.hpp>
#include <tutti/relay/transform/passes/simplify_expr_shape.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// The rules of SimplifyExpr in the reference's order, which matters.
inline constexpr rewrite_rule simplification_rules[]{
    rule_of<filled_like<op::zeros_like, op::zeros>>,
    rule_of<filled_like<op::ones_like, op::ones>>,
    rule_of<full_like_another>,
    rule_of<to_reshape<op::reshape_like>>,
    rule_of<sum_to_another>,
    rule_of<broadcast_to_another>,
    rule_of<cast_as_another>,
    rule_of<add_to_itself>,
    rule_of<divide_by_root>,
    rule_of<neutral_operand>,
    rule_of<to_reshape<op::reshape>>,
    rule_of<two_transposes>,
    rule_of<cast_to_the_same>,
    rule_of<cast_of_a_wider>,
    rule_of<full_operand>,
    rule_of<factor_after_sum>,
    rule_of<two_constants>,
    rule_of<order_of_dequantized<op::argmax>>,
    rule_of<order_of_dequantized<op::argmin>>,
    rule_of<order_of_dequantized<op::argsort>>,
    rule_of<casts_of_a_clip>,
    rule_of<clip_of_a_cast>,
};

TUTTI_CONSTEXPR pattern_rules simplification(const kernel_set& kernels) { return {simplification_rules, &kernels}; }

TUTTI_CONSTEXPR void simplify(ir_module& m, module_context&& ctx, bool as_reference, const kernel_set& kernels) {
    const pattern_rules rules = simplification(kernels);
    transform_functions(m, ctx, simplify_expr::info, [&](const function& f, const pass_notes& notes) {
        return apply_rules(f, rules, {as_reference, notes});
    });
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
