#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/standard_ops.hpp>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR op_set default_operators() { return standard_ops; }

} // namespace tutti::relay::inline TUTTI_FORM
