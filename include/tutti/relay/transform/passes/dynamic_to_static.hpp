#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Replaces operators with arguments in place of attributes (such as `dyn.reshape`) by their forms with attributes if
/// these arguments are constants. Repeats constant folding and type inference as long as calls change.
///
/// Result types become as precise as InferType finds them, except for recursive functions, which keep their declared
/// result types. The first run recognises let-bound constants, whereas the reference needs a second run.
///
/// Some models branch on sizes, and each branch fits only some of the sizes. Once the sizes are known, the branch that
/// does not run may be ill-typed. In that case, calls stay dynamic.
///
/// Cost:   linear in the module per round, while calls change.
/// Throws: the exceptions of FoldConstant and InferType; the module is unchanged.
struct dynamic_to_static {
    static constexpr pass_info info{.name = "DynamicToStatic", .opt_level = 2};
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// Limit on the rounds, as in the reference.
    static constexpr int most_rounds = 1000;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type, fold_constant>(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/dynamic_to_static.ipp>
#endif
