#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <string>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Removes functions that the entry functions do not call directly or indirectly.
///
/// Cost:   linear in the module.
/// Throws: `tutti::error` if an entry or a called function is missing; the module is unchanged.
struct remove_unused_functions {
    static constexpr pass_info info{.name = "RemoveUnusedFunctions", .opt_level = 1};
    using keeps = tutti::all_properties;

    vector<std::string> entry_functions{}; ///< the entries of the program; `main` if empty

    static constexpr option_list<&remove_unused_functions::entry_functions> options{"entry_functions"};

    TUTTI_CONSTEXPR void operator()(ir_module& m, const pass_notes& notes = {}) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/remove_unused_functions.ipp>
#endif
