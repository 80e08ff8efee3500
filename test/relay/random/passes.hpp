#pragma once

#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <vector>

namespace tutti::test {

/// Runs InferType and then a pipeline over the module, at level 4.
///
/// Throws: the errors of the passes, and `runtime::pipeline_error` if the pipeline is invalid.
relay::ir_module after_passes(relay::ir_module m, const std::string& pipeline);

/// Returns the names of all registered passes.
std::vector<std::string> registered_names();

} // namespace tutti::test
