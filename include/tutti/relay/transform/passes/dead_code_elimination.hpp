#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Removes lets with unused variables, and expressions that only these lets needed.
///
/// Stateful values and side effects stay in place; see `purity`.
///
/// Requires: inferred types.
/// Ensures:  other expressions keep their types.
/// Cost:     linear in the module; without `inline_once`, works in place with memory for one id per expression.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct dead_code_elimination {
    static constexpr pass_info info{.name = "DeadCodeElimination", .opt_level = 1};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool inline_once = false;     ///< move a value to the only use of its variable
    bool ignore_impurity = false; ///< treat all values as pure

    static constexpr option_list<&dead_code_elimination::inline_once, &dead_code_elimination::ignore_impurity> options{
        "inline_once", "ignore_impurity"};

    /// Runs the pass. With notes in place of a context, processes functions in sequence.
    template <class Context = const pass_notes>
    constexpr void operator()(ir_module& m, Context& ctx = {}) const {
        apply(m, as_module_context(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/dead_code_elimination.ipp>
#endif
