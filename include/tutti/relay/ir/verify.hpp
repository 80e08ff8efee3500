#pragma once

#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Options of the verifier.
struct verify_options {
    /// Accept variables that nothing binds.
    bool free_variables = false;
};

/// Checks that a graph is valid: ids are in its tables, operands precede their users and have the right number and
/// kind, and each variable is bound once, by a let, function or match clause around all its uses.
///
/// Scopes are checked only below `root`, everything else in the whole graph. The value of a let may use the let's
/// variable, as in recursive functions.
///
/// Cost:   linear in the graph, times the logarithm of the depth for expressions shared across scopes; no recursion.
/// Throws: `tutti::error` that names the expression; a `located_error` if it was read from a text.
TUTTI_CONSTEXPR void verify_structure(const graph& g, expr_id root, const verify_options& options = {});

/// Verifies a module. The root of each function must be a function expression. All functions, data types and
/// constructors that the module uses must exist.
///
/// Throws: `tutti::error` that names the function and the expression; a `located_error` if it was read from a text.
TUTTI_CONSTEXPR void verify_structure(const ir_module& m, const verify_options& options = {});
/// Verifies the functions of a module in parallel on an executor. Reports the same error with any executor.
TUTTI_INLINE void verify_structure(const ir_module& m, const verify_options& options, executor_ref on);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/ir/verify.ipp>
#endif
