#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/passes/fast_math.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <span>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

inline constexpr call_rule fast_math_rules[]{
    on_call<op::exp>(&call_instead<op::fast_exp>), on_call<op::erf>(&call_instead<op::fast_erf>),
    on_call<op::tanh>(&call_instead<op::fast_tanh>), on_call<op::nn::softmax>(&call_instead<op::nn::fast_softmax>)};

} // namespace detail

TUTTI_CONSTEXPR std::span<const call_rule> fast_math::rules() { return detail::fast_math_rules; }

TUTTI_CONSTEXPR void fast_math::apply(ir_module& m, module_context&& ctx) const {
    run_rules(m, ctx, info,
              [](const function& f, const rewrite_terms& terms) { return apply_rules(f, rules(), terms); });
}

} // namespace tutti::relay::inline TUTTI_FORM
