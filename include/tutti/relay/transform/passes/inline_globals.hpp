#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Inlines functions of the module with the attribute `Inline=1` at their calls, and removes these functions.
///
/// Recursive functions, functions without the attribute, and functions that call one of these are not inlined.
/// Functions that have the attribute `Compiler` or type parameters, or are used as values, become function literals
/// where they are used. So do all functions called from a function with references or function parameters, because
/// removing or moving an argument could remove or move a side effect. Functions without callers in the original module
/// stay.
///
/// Cost:   linear in the resulting module; copies are limited to `max_nodes` more expressions than the module has.
/// Throws: `tutti::error` if a function is missing or called with the wrong number of arguments, or if the limit is
///         exceeded; the module is unchanged.
struct inline_globals {
    static constexpr pass_info info{.name = "Inline", .opt_level = 1};
    using breaks = tutti::properties<in_a_normal_form>;

    std::uint32_t max_nodes =
        most_copies; ///< limit on copied expressions in all functions, in addition to the size of the module

    static constexpr option_list<&inline_globals::max_nodes> options{"max_nodes"};

    TUTTI_CONSTEXPR void operator()(ir_module& m, const pass_notes& notes = {}) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/inline_globals.ipp>
#endif
