#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay {

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
        const bool alone = attributes.transpose_a || !attributes.transpose_b; // not combined
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

/// Combines nn.batch_matmul calls with the same first factor and attributes, and equal elementwise operators after
/// them; each result becomes a slice.
///
/// Skips: fewer than `min_num_branches` calls; transposed first or untransposed second factors, as in the reference;
/// unknown shapes; nested functions, lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and, for each first factor, in its products times the kinds of products.
/// Throws:   `tutti::error` without types; the module is unchanged.
struct combine_parallel_batch_matmul {
    static constexpr pass_info info{.name = "CombineParallelBatchMatmul", .opt_level = 4};
    using required = tutti::passes<infer_type>;

    std::int64_t min_num_branches = 3;

    static constexpr option_list<&combine_parallel_batch_matmul::min_num_branches> options{"min_num_branches"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, info, [&](const function& f, const pass_notes& notes) {
            return detail::parallel_combiner(f, detail::parallel_batch_matmul{},
                                             detail::least_branches(min_num_branches), notes)
                .run();
        });
    }
};

} // namespace tutti::relay
