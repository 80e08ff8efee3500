#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Binds the result of every call, tuple, projection, if, function and constant to a variable, in the order of
/// computation. Expressions used in only one branch or function are bound there. Variables are named `x_0`, `x_1` and
/// so on. Primitive functions are unchanged.
///
/// Ensures: the same values are computed. New expressions have no types.
/// Cost:    linear in the graph, times the logarithm of the depth for expressions shared across scopes; no recursion.
struct to_a_normal_form {
    static constexpr pass_info info{.name = "ToANormalForm", .opt_level = 1};
    using gives = tutti::properties<in_a_normal_form>;
    using breaks = tutti::properties<typed>;

    /// Runs the pass. With notes in place of a context, processes functions in sequence.
    template <class Context = const pass_notes>
    constexpr void operator()(ir_module& m, Context& ctx = {}) const {
        apply(m, as_module_context(ctx));
    }

private:
    static TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx);
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/to_a_normal_form.ipp>
#endif
