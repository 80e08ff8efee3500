#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/layout.hpp>
#include <tutti/relay/op/dim_math.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// A tensor layout, for shapes that may contain `?`.
using kernel::layout;

} // namespace tutti::relay::inline TUTTI_FORM
