#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Combines nn.dense calls with the same data, together with equal elementwise operators after the calls. The calls
/// become one wider nn.dense, whose result is sliced. With `to_batch`, the calls with weights of one shape become one
/// nn.batch_matmul, whose result is split.
///
/// Skips: fewer than `min_num_branches` calls; unknown shapes; nested functions, lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct combine_parallel_dense {
    static constexpr pass_info info{.name = "CombineParallelDense", .opt_level = 4};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::int64_t min_num_branches = 3;
    bool to_batch = true;

    static constexpr option_list<&combine_parallel_dense::min_num_branches, &combine_parallel_dense::to_batch> options{
        "min_num_branches", "to_batch"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type>(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/combine_parallel_dense.ipp>
#endif
