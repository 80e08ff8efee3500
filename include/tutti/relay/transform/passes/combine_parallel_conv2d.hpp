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

/// Combines convolutions that differ only in the weight and the number of output channels, together with equal
/// elementwise operators after the convolutions. Each result becomes a slice of the combined result.
///
/// Skips: fewer than `min_num_branches` calls; grouped convolutions; blocked layouts; nested functions, lets and ifs.
///
/// Requires: inferred types.
/// Cost:     linear in the graph; for each data tensor, also the number of its convolutions times the number of kinds.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct combine_parallel_conv2d {
    static constexpr pass_info info{.name = "CombineParallelConv2D", .opt_level = 4};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::int64_t min_num_branches = 3;

    static constexpr option_list<&combine_parallel_conv2d::min_num_branches> options{"min_num_branches"};

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
#include <tutti/relay/transform/passes/combine_parallel_conv2d.ipp>
#endif
