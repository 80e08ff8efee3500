#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Binds each expression that several branches or functions share to a variable, before the branches or functions.
/// Each scope then uses only values computed in the scope or bound around it. Variables are named `x_0`, `x_1` and so
/// on. Primitive functions are unchanged.
///
/// As in the reference, an expression first used outside of branches gets no variable, so a second run may bind more.
///
/// Ensures: the same values are computed. New expressions have no types.
/// Cost:    linear in the graph, times the logarithm of the depth for expressions shared across scopes; no recursion.
struct to_basic_block_normal_form {
    static constexpr pass_info info{.name = "ToBasicBlockNormalForm", .opt_level = 1};
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
#include <tutti/relay/transform/passes/to_basic_block_normal_form.ipp>
#endif
