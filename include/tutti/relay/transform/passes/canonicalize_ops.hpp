#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay {

namespace detail {

constexpr expr_id bias_as_sum(rewriter& r, expr_id call) {
    const graph& from = r.from();
    const std::size_t rank = shape_of(from, from.arguments(call)[0]).size();
    std::int64_t axis = get_attributes<bias_add_attributes>(from, from.call_attributes(call)).axis;
    if (axis < 0) axis += static_cast<std::int64_t>(rank);
    const expr_id bias = expand_to_axis(r.to(), argument(r, call, 1).id, rank, axis);
    return add(argument(r, call, 0), {&r.to(), bias}).id;
}

} // namespace detail

/// Replaces nn.bias_add by an addition of the bias, expanded to the axis unless that is the last.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is unchanged.
struct canonicalize_ops : rule_pass<canonicalize_ops> {
    static constexpr pass_info info{.name = "CanonicalizeOps", .opt_level = 3};
    static constexpr call_rule rules[]{on_call<op::nn::bias_add>(&detail::bias_as_sum)};
};

} // namespace tutti::relay
