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

/// Combines nn.batch_matmul calls that have the same first factor and attributes, together with equal elementwise
/// operators after the calls. Each result becomes a slice of the combined result.
///
/// Skips: fewer than `min_num_branches` calls; transposed first or untransposed second factors, as in the reference;
/// unknown shapes; nested functions, lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph; for each first factor, also the number of its products times the number of kinds.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct combine_parallel_batch_matmul {
    static constexpr pass_info info{.name = "CombineParallelBatchMatmul", .opt_level = 4};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::int64_t min_num_branches = 3;

    static constexpr option_list<&combine_parallel_batch_matmul::min_num_branches> options{"min_num_branches"};

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
#include <tutti/relay/transform/passes/combine_parallel_batch_matmul.ipp>
#endif
