#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/op_set.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the built-in operators, which are `op_set{standard_ops}`. Does not include the operators' headers.
TUTTI_CONSTEXPR op_set default_operators();

/// True for a built-in operator. False for a custom operator of the same name.
TUTTI_CONSTEXPR bool is_built_in(const op_def& op);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/default_operators.ipp>
#endif
