#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/function_pass.hpp>

#include <cstdint>
#include <utility>

namespace tutti::relay {

/// Writes nn.bias_add as an addition of the bias, expanded to the axis where it is not the last.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct canonicalize_ops {
    static constexpr pass_info info{.name = "CanonicalizeOps", .opt_level = 3};
    using required = tutti::passes<infer_type>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [](const function& f) {
            require_types(f, info);
            rewriter r(f.graph, f.root);
            const expr_id root = r.run([](rewriter& into, expr_id e) {
                const graph& from = into.from();
                if (!calls<op::nn::bias_add>(from, e)) return into.rebuild(e);
                const expr_id data = from.arguments(e)[0];
                const std::size_t rank = shape_of(from, data).size();
                std::int64_t axis = get_attributes<bias_add_attributes>(from, from.call_attributes(e)).axis;
                if (axis < 0) axis += static_cast<std::int64_t>(rank);
                const expr_id bias = expand_to_axis(into.to(), into[from.arguments(e)[1]], rank, axis);
                const expr_id sum[]{into[data], bias};
                return add_call<op::add>(into.to(), sum);
            });
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
