#pragma once

#include <tutti/instrument/run_totals.hpp>

#include <string>

// Files of profiles: the JSON of `run_totals`.

namespace program::profiles {

/// Reads a file that `--add-profile` or `tutti profile merge` wrote. Errors end the program.
tutti::instrument::run_totals read(const std::string& file);
/// Adds totals to a file, which is created if it does not exist. Processes may add to a file at the same time. Errors
/// end the program.
void add_to(const std::string& file, const tutti::instrument::run_totals& all);

} // namespace program::profiles
