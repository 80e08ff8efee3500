#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/standard_ops.hpp>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR op_set default_operators() { return standard_ops; }

TUTTI_CONSTEXPR bool is_built_in(const op_def& op) { return default_operators().find(op.name) == &op; }

} // namespace tutti::relay::inline TUTTI_FORM
