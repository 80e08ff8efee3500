#pragma once

#include "row.hpp"
#include "settings.hpp"

#include <string>

namespace program::corpus {

/// Adds the reproducer to the row of a module that failed: its program and passes, as `tutti opt` reads them. With
/// --reduce, they are reduced first.
void add_reproducer(module_row& row, const std::string& name, const run_settings& settings);

} // namespace program::corpus
