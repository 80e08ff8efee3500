#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Infers the types of all expressions; see `infer_types`.
///
/// Ensures: variables and functions without annotations are annotated; nothing else changes.
/// Cost:    linear in the module.
/// Throws:  as `infer_types` does; the module is then unchanged.
struct infer_type {
    static constexpr pass_info info{.name = "InferType"};
    static constexpr bool is_partwise() { return true; }
    using gives = tutti::properties<typed>;

    TUTTI_CONSTEXPR void operator()(ir_module& m) const { apply(m); }

    /// Runs the pass. Functions that call no others are processed in parallel if the context has an executor.
    template <class Context>
        requires requires(const Context& ctx) { ctx.runs_at_once(0); }
    constexpr void operator()(ir_module& m, Context& ctx) const {
        if constexpr (Context::parts_at_once)
            if (ctx.runs_at_once(m.size())) return apply(m, as_module_context(ctx));
        apply(m);
    }

private:
    static TUTTI_CONSTEXPR void apply(ir_module& m);
    static TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx);
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/infer_type.ipp>
#endif
