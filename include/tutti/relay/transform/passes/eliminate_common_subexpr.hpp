#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Merges equal calls of operators (same attributes and arguments) and equal projections of one tuple. Arguments are
/// equal if they are the same expression, or scalar constants of equal value.
///
/// Skips stateful operators and calls without arguments.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct eliminate_common_subexpr {
    static constexpr pass_info info{.name = "EliminateCommonSubexpr", .opt_level = 3};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

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
#include <tutti/relay/transform/passes/eliminate_common_subexpr.ipp>
#endif
