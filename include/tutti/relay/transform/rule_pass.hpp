#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/function_pass.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay {

/// What becomes of the calls of one operator, or of one field of what they give.
struct call_rule {
    static constexpr std::uint32_t whole = 0xFFFFFFFFU;

    const op_def* op;
    /// Adds what replaces it, over what the call's operands became, and returns that; none leaves it.
    expr_id (*replace)(rewriter&, expr_id call);
    std::uint32_t field = whole;

    /// Its name among the rules of its pass: the operator's.
    constexpr std::string_view name() const { return op->name; }
};

/// The rule for calls of `Op`, or for a field of theirs.
template <class Op>
constexpr call_rule on_call(expr_id (*replace)(rewriter&, expr_id call), std::uint32_t field = call_rule::whole) {
    return {&definition<Op>, replace, field};
}

/// What an argument of a call became, in the graph that is made.
constexpr expr argument(rewriter& r, expr_id call, std::size_t i) { return {&r.to(), r[r.from().arguments(call)[i]]}; }

/// What a call of `Op` with the same arguments and attributes replaces.
template <class Op>
constexpr expr_id call_instead(rewriter& r, expr_id call) {
    plain_vector<expr_id> arguments;
    for (const expr_id a : r.from().arguments(call)) arguments.push_back(r[a]);
    return r.to().call(r.to().op(definition<Op>), arguments.all(), r.from().call_attributes(call));
}

/// Rewrites a function once, operands before users, by the first rule that replaces something.
///
/// Cost: linear in the graph, times the rules.
constexpr function apply_rules(const function& f, std::span<const call_rule> rules) {
    return rewriter(f).rewrite([rules](rewriter& r, expr_id e) {
        const graph& g = r.from();
        const bool is_field = g.kind(e) == expr_kind::projection;
        const expr_id call = is_field ? g.operand(e, 0) : e;
        const op_def* op = g.called_op(call);
        const std::uint32_t field = is_field ? g.field(e) : call_rule::whole;
        for (const call_rule& rule : rules) {
            if (op == nullptr || rule.op != op || rule.field != field) continue;
            if (const expr_id made = rule.replace(r, call); made != expr_id::none) return made;
        }
        return r.rebuild(e);
    });
}

/// A pass over modules that says by rules what becomes of each function; InferType, and what else it requires, runs before
/// it, InferType after it too.
///
/// `P` is derived from it, and has `info` and either `rules` (an array of `call_rule`, or `pattern_rules`) or a static function
/// `transform(const function&)` that says it in another way. A pass with options has a call operator of its own, by
/// `transform_functions`.
///
/// Throws:  `tutti::error` without types; the module is as it was.
/// Example:
///     struct fast_tanh : relay::rule_pass<fast_tanh> {
///         static constexpr tutti::pass_info info{.name = "FastTanh", .opt_level = 4};
///         static constexpr relay::call_rule rules[]{relay::on_call<op::tanh>(&relay::call_instead<op::fast_tanh>)};
///     };
template <class P, class... Required>
struct rule_pass {
    using required = tutti::passes<infer_type, Required...>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        constexpr function (*transform)(const function&) = [](const function& f) {
            if constexpr (requires { P::rules; })
                return apply_rules(f, P::rules);
            else
                return P::transform(f);
        };
        transform_functions(m, ctx, P::info, transform);
    }
};

} // namespace tutti::relay
