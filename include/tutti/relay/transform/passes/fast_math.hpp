#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/function_pass.hpp>

#include <utility>

namespace tutti::relay {

namespace detail {

/// The approximate operator that takes the place of what `call` calls, or null if there is none.
constexpr const op_def* fast_operator(const graph& g, expr_id call) {
    if (calls<op::exp>(g, call)) return &definition<op::fast_exp>;
    if (calls<op::erf>(g, call)) return &definition<op::fast_erf>;
    if (calls<op::tanh>(g, call)) return &definition<op::fast_tanh>;
    if (calls<op::nn::softmax>(g, call)) return &definition<op::nn::fast_softmax>;
    return nullptr;
}

} // namespace detail

/// Calls exp, erf, tanh and nn.softmax by their approximations, which are faster.
///
/// The values that are computed change a little.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct fast_math {
    static constexpr pass_info info{.name = "FastMath", .opt_level = 4};
    using required = tutti::passes<infer_type>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [](const function& f) {
            require_types(f, info);
            rewriter r(f.graph, f.root);
            const expr_id root = r.run([](rewriter& into, expr_id e) {
                const graph& from = into.from();
                const op_def* fast = detail::fast_operator(from, e);
                if (fast == nullptr) return into.rebuild(e);
                const expr_id argument[]{into[from.arguments(e)[0]]};
                return into.to().call(into.to().op(*fast), argument, from.call_attributes(e));
            });
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
