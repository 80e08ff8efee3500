#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/properties.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Lifts all function literals except primitive ones to functions of the module.
///
/// A literal that captures variables becomes a function with the attribute `Closure=1`, which takes these variables and
/// returns the literal. A call of this function replaces the literal. Names are `lifted_name` and a hash. Equal
/// literals without captures share a function. Functions for other compilers and existing closures are unchanged.
///
/// Requires: inferred types, if there are literals.
/// Cost:     linear in the module for a bounded nesting depth and number of captures. At most `max_nodes` more
///           expressions are visited than the module has; nested literals count once per surrounding literal.
/// Throws:   `tutti::error` if types are missing or that limit is exceeded; the module is unchanged.
struct lambda_lift {
    static constexpr pass_info info{.name = "LambdaLift", .opt_level = 1};
    using breaks = tutti::properties<typed, in_a_normal_form>;

    /// Limit on the expressions visited in all literals, in addition to the size of the module. Nested literals and
    /// captures count once for each literal around them.
    std::uint32_t max_nodes = 1U << 23;

    static constexpr option_list<&lambda_lift::max_nodes> options{"max_nodes"};

    TUTTI_CONSTEXPR void operator()(ir_module& m, const pass_notes& notes = {}) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/lambda_lift.ipp>
#endif
