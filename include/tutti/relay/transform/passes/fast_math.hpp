#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

namespace tutti::relay {

/// Replaces exp, erf, tanh and nn.softmax by faster approximations.
///
/// The values change slightly.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is unchanged.
struct fast_math : rule_pass<fast_math> {
    static constexpr pass_info info{.name = "FastMath", .opt_level = 4};
    static constexpr call_rule rules[]{
        on_call<op::exp>(&call_instead<op::fast_exp>), on_call<op::erf>(&call_instead<op::fast_erf>),
        on_call<op::tanh>(&call_instead<op::fast_tanh>), on_call<op::nn::softmax>(&call_instead<op::nn::fast_softmax>)};
};

} // namespace tutti::relay
