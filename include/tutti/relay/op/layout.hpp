#pragma once

#include <tutti/kernel/layout.hpp>
#include <tutti/relay/op/dim_math.hpp>

namespace tutti::relay {

/// A tensor layout; dimensions may be `?`.
using kernel::layout;

} // namespace tutti::relay
