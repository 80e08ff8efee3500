#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// A rule for the calls of one operator, or for one field of their results.
struct call_rule {
    static constexpr std::uint32_t whole = 0xFFFFFFFFU;

    const op_def* op;
    /// Adds the replacement, which uses the rewritten operands, and returns it, or returns none to keep the call.
    expr_id (*replace)(rewriter&, expr_id call);
    std::uint32_t field = whole;
    /// Builds the reference's replacement. Null unless that replacement changes the program's results.
    expr_id (*reference)(rewriter&, expr_id call) = nullptr;
    /// Returns the reason why a near match was left unchanged, for a remark, or "" if there is none. May be null.
    std::string_view (*why_left)(const graph&, expr_id call) = nullptr;

    /// Returns the name of the rule within its pass, which is the operator's name.
    constexpr std::string_view name() const { return op->name; }
};

/// Returns a rule for calls of `Op`, or for a field of their results.
template <class Op>
constexpr call_rule on_call(expr_id (*replace)(rewriter&, expr_id call), std::uint32_t field = call_rule::whole) {
    return {&definition<Op>, replace, field};
}

/// Returns the i-th argument of a call, as rewritten in the new graph.
constexpr expr argument(rewriter& r, expr_id call, std::size_t i) { return {&r.to(), r[r.from().arguments(call)[i]]}; }

/// Replaces a call by a call of `Op` with the same arguments and attributes.
template <class Op>
constexpr expr_id call_instead(rewriter& r, expr_id call) {
    plain_vector<expr_id> arguments;
    for (const expr_id a : r.from().arguments(call)) arguments.push_back(r[a]);
    return r.to().call(r.to().op(definition<Op>), arguments.all(), r.from().call_attributes(call));
}

/// Rewrites a function once, operands before users, by the first rule that applies.
///
/// Cost: linear in the graph, times the number of rules.
constexpr function apply_rules(const function& f, std::span<const call_rule> rules, const rewrite_terms& terms = {}) {
    return rewriter(f).rewrite([rules, &terms](rewriter& r, expr_id e) {
        const graph& g = r.from();
        const bool is_field = g.kind(e) == expr_kind::projection;
        const expr_id call = is_field ? g.operand(e, 0) : e;
        const op_def* op = g.called_op(call);
        const std::uint32_t field = is_field ? g.field(e) : call_rule::whole;
        for (const call_rule& rule : rules) {
            if (op == nullptr || rule.op != op || rule.field != field) continue;
            const auto replace = terms.as_reference && rule.reference != nullptr ? rule.reference : rule.replace;
            const expr_id made = replace(r, call);
            if (made == expr_id::none) {
                if (terms.notes.misses_heard() && rule.why_left != nullptr)
                    if (const std::string_view why = rule.why_left(g, call); !why.empty())
                        terms.notes.missed(g, call, why);
                continue;
            }
            if (!terms.notes.may_apply(g, call, rule.name())) continue;
            terms.notes.applied(g, call, rule.name(), "rewritten");
            return made;
        }
        return r.rebuild(e);
    });
}

namespace detail {

// The transformation of a function by a pass. All passes share this type.
struct transformation {
    function (*make)(const function&, const rewrite_terms&);
    bool as_reference;

    constexpr function operator()(const function& f, const pass_notes& notes) const {
        return make(f, {as_reference, notes});
    }
};

} // namespace detail

/// Runs a rule-based pass over a module. Transforms each function with `make`, whose second argument contains the
/// pass's notes and `as_reference`.
template <class Context>
constexpr void run_rules(ir_module& m, Context& ctx, const pass_info& pass,
                         function (*make)(const function&, const rewrite_terms&), bool as_reference = false) {
    transform_functions(m, ctx, pass, detail::transformation{make, as_reference});
}

/// Runs a pass with its own rules, and with its option `as_reference` if it has one.
///
/// Passes with options call this function in their call operator. Other passes get a call operator from `rule_pass`.
template <class P, class Context>
constexpr void run_rules(const P& pass, ir_module& m, Context& ctx) {
    bool as_reference = false;
    if constexpr (requires { pass.as_reference; }) as_reference = pass.as_reference;
    constexpr auto make = [](const function& f, const rewrite_terms& terms) -> function {
        if constexpr (requires { P::rules; })
            return apply_rules(f, P::rules, terms);
        else if constexpr (requires { P::transform(f, terms); })
            return P::transform(f, terms);
        else
            return P::transform(f);
    };
    run_rules(m, ctx, P::info, make, as_reference);
}

/// Base of a pass over modules that consists of rules for functions. InferType and the other required passes
/// run before the pass, and InferType runs again after it.
///
/// `P` derives from this class, and has `info` and either `rules` (an array of `call_rule`, or `pattern_rules`) or a
/// static function `transform(const function&, const rewrite_terms&)`, whose second parameter is optional. A pass with
/// options has its own call operator, which uses `run_rules` or `transform_functions`.
///
/// Throws:  `tutti::error` if types are missing; the module is unchanged.
/// Example:
///     struct fast_tanh : relay::rule_pass<fast_tanh> {
///         static constexpr tutti::pass_info info{.name = "FastTanh", .opt_level = 4};
///         static constexpr relay::call_rule rules[]{relay::on_call<op::tanh>(&relay::call_instead<op::fast_tanh>)};
///     };
template <class P, class... Required>
struct rule_pass {
    using required = tutti::passes<infer_type, Required...>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;

    static constexpr bool is_partwise() { return true; }

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        run_rules(static_cast<const P&>(*this), m, ctx);
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
