#pragma once

#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Infers the types of all expressions of a module and stores them.
///
/// Requires: recursive functions declare the types of their parameters and results.
/// Ensures:  variables and functions without annotations get them; nothing else changes.
/// Cost:     linear in the module. On an executor, functions that refer to no other functions run in parallel. Results
///           and errors do not depend on the executor.
/// Throws:   `tutti::error` that names the function, the operator, the argument and the types if the types do not fit.
///           The module is then unchanged.
TUTTI_CONSTEXPR void infer_types(ir_module& m);
TUTTI_INLINE void infer_types(ir_module& m, executor_ref on);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/infer.ipp>
#endif
