#pragma once

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

namespace tutti::test {

/// A faulty rule that swaps the operands of a subtraction. The program's types stay correct if both have the same
/// shape.
inline relay::expr_id swap_operands(relay::rewriter& r, relay::expr_id call) {
    return relay::subtract(relay::argument(r, call, 1), relay::argument(r, call, 0)).id;
}
struct swapping_pass : relay::rule_pass<swapping_pass> {
    static constexpr pass_info info{.name = "Swapping", .opt_level = 1};
    static constexpr relay::call_rule rules[]{relay::on_call<relay::op::subtract>(&swap_operands)};
};

} // namespace tutti::test
