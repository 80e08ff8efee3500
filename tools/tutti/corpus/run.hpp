#pragma once

#include "settings.hpp"

namespace program::corpus {

/// Runs passes over a corpus: `tutti corpus run`.
void run(run_options options);

} // namespace program::corpus
