#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Replaces each reference to a function of the module, or each constructor that is used as a value, by a function
/// literal that calls the function or constructor with all arguments.
///
/// Calls lose their inferred types, as in the reference; run InferType afterwards.
///
/// Cost:   linear in the module, times the logarithm of the number of its functions.
/// Throws: `tutti::error` if both options are false, or a function is missing; the module is unchanged.
struct eta_expand {
    static constexpr pass_info info{.name = "EtaExpand", .opt_level = 1};
    using breaks = tutti::properties<typed, in_a_normal_form>;

    bool expand_constructor = false; ///< constructors of data types
    bool expand_global_var = false;  ///< functions of the module

    static constexpr option_list<&eta_expand::expand_constructor, &eta_expand::expand_global_var> options{
        "expand_constructor", "expand_global_var"};

    TUTTI_CONSTEXPR void operator()(ir_module& m, const pass_notes& notes = {}) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/eta_expand.ipp>
#endif
