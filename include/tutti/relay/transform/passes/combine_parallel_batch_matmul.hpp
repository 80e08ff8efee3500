#pragma once

#include <tutti/described.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <boost/hana/tuple.hpp>

namespace tutti::relay {

namespace detail {

/// Products of matrices, the second factor transposed: the second factors are put together along the columns of the result.
struct parallel_batch_matmul {
    using op = relay::op::nn::batch_matmul;

    static constexpr bool supports(const graph& g, expr_id call) {
        return is_static(shape_of(g, g.arguments(call)[1])) && is_static(shape_of(g, call));
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

    // An argument must have as many columns as the result.
    static constexpr bool fits(const graph& g, expr_id, expr_id call, expr_id other, std::size_t i) {
        const expr_id a = g.arguments(call)[i];
        const expr_id b = g.arguments(other)[i];
        const auto x = shape_of(g, a);
        const auto y = shape_of(g, b);
        const std::size_t rank = shape_of(g, call).size();
        return !x.empty() && x.size() == y.size() && x.size() <= rank && takes_along(g, call, rank - 1) &&
               same_element(g, a, b) && x.back().same_number(shape_of(g, call).back()) &&
               y.back().same_number(shape_of(g, other).back()) &&
               same_numbers(x.first(x.size() - 1), y.first(y.size() - 1));
    }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i) {
        return concatenate_branches(g, branches, depth, i, -1);
    }

    static constexpr std::vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches,
                                                std::size_t) {
        return slices_of(g, combined, 2, branches,
                         [&](const parallel_branch& b) { return shape_of(g, b[0]).back().value(); });
    }
};

} // namespace detail

/// Makes one nn.batch_matmul of those with the same first factor and the same attributes, and one operator of
/// the elementwise ones that follow them alike; each result becomes a slice.
///
/// Leaves alone: less than `min_num_branches` of them; those whose first factor is transposed or whose second
/// is not, as the reference does; unknown shapes; what is inside of nested functions,
/// lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and, for each first factor, in its products times their kinds.
/// Throws:   `tutti::error` without types; the module is as it was.
struct combine_parallel_batch_matmul {
    static constexpr pass_info info{.name = "CombineParallelBatchMatmul", .opt_level = 4};
    using required = tutti::passes<infer_type>;

    std::int64_t min_num_branches = 3;

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"min_num_branches", &combine_parallel_batch_matmul::min_num_branches});

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, info, [&](const function& f) {
            return detail::parallel_combiner(f, detail::parallel_batch_matmul{},
                                             detail::least_branches(min_num_branches))
                .run();
        });
    }
};

} // namespace tutti::relay
