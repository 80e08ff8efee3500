#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

TUTTI_CONSTEXPR expr_id bias_as_sum(rewriter& r, expr_id call) {
    const graph& from = r.from();
    const std::size_t rank = shape_of(from, from.arguments(call)[0]).size();
    std::int64_t axis = get_attributes<bias_add_attributes>(from, from.call_attributes(call)).axis;
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    const expr_id bias = expand_to_axis(r.to(), argument(r, call, 1).id, rank, axis);
    return add(argument(r, call, 0), {&r.to(), bias}).id;
}

inline constexpr call_rule bias_rules[]{on_call<op::nn::bias_add>(&bias_as_sum)};

} // namespace detail

TUTTI_CONSTEXPR std::span<const call_rule> canonicalize_ops::rules() { return detail::bias_rules; }

TUTTI_CONSTEXPR void canonicalize_ops::apply(ir_module& m, module_context&& ctx) const {
    run_rules(m, ctx, info,
              [](const function& f, const rewrite_terms& terms) { return apply_rules(f, rules(), terms); });
}

} // namespace tutti::relay::inline TUTTI_FORM
