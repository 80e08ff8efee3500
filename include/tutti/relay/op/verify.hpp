#pragma once

#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/verify.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Verifies a module: its structure, and the number of arguments and the attributes of every operator call. If the
/// module has stored types, inferred types must agree with them (`?` agrees with every dimension).
///
/// Cost:   linear in the module.
/// Throws: `tutti::error` that names the function and the expression; see `verify_structure` and `infer_types`.
TUTTI_CONSTEXPR void verify(const ir_module& m, const verify_options& options = {});
/// Like the overload above, but verifies the functions in parallel on an executor. Errors do not depend on the
/// executor.
TUTTI_INLINE void verify(const ir_module& m, const verify_options& options, executor_ref on);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/verify.ipp>
#endif
