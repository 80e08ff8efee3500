#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_batch_matmul.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Matrix products with a transposed second factor: the second factors are concatenated along the columns of the
/// result.
struct parallel_batch_matmul : along_one_axis {
    using op = relay::op::nn::batch_matmul;

    static constexpr bool supports(const graph& g, expr_id call) {
        return is_static(shape_of(g, g.arguments(call)[1])) && is_static(shape_of(g, call));
    }
    static constexpr std::uint64_t key(const graph& g, expr_id call) {
        const auto attributes = get_attributes<batch_matmul_attributes>(g, g.call_attributes(call));
        const bool alone = attributes.transpose_a || !attributes.transpose_b; // not combined with other calls
        return hash_combine(alone ? index(call) + 1 : 0, index(g.call_attributes(call)));
    }
    static constexpr bool together(const graph& g, expr_id call, expr_id other) {
        const auto attributes = get_attributes<batch_matmul_attributes>(g, g.call_attributes(call));
        const expr_id a = g.arguments(call)[1];
        const expr_id b = g.arguments(other)[1];
        return !attributes.transpose_a && attributes.transpose_b &&
               g.call_attributes(call) == g.call_attributes(other) && same_element(g, a, b) &&
               same_element(g, call, other) && shape_of(g, a)[0].same_number(shape_of(g, b)[0]);
    }

    static constexpr expr_id combine(graph& g, const parallel_branches& branches) {
        const expr_id first = branches[0][0];
        const bool rows = get_attributes<batch_matmul_attributes>(g, g.call_attributes(first)).transpose_b;
        const expr_id factors = concatenate_branches(g, branches, 0, 1, rows ? 1 : 2);
        const expr_id operands[]{g.callee(first), g.arguments(first)[0], factors};
        return g.add_like(g, first, operands);
    }

    static constexpr std::size_t axis(const graph&, expr_id) { return 2; }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i,
                                    std::size_t axis) {
        const expr_id argument = g.arguments(branches[0][depth])[i];
        const auto rank = static_cast<std::int64_t>(shape_of(g, argument).size());
        const auto at = static_cast<std::int64_t>(*argument_axis(g, branches[0][depth], i, axis));
        return concatenate_branches(g, branches, depth, i, at - rank);
    }

    static constexpr vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches,
                                           std::size_t depth, std::size_t axis) {
        return slices_of(g, combined, branches, depth, axis, axis + 1);
    }
};

} // namespace detail

TUTTI_CONSTEXPR void combine_parallel_batch_matmul::apply(ir_module& m, module_context&& ctx) const {
    transform_functions(m, ctx, info, [&](const function& f, const pass_notes& notes) {
        return detail::parallel_combiner(f, detail::parallel_batch_matmul{}, detail::least_branches(min_num_branches),
                                         notes)
            .run();
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
