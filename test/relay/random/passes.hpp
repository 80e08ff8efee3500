#pragma once

#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <vector>

namespace tutti::test {

/// The module after InferType and a pipeline, at level 4.
///
/// Throws: what the passes throw; `runtime::pipeline_error`.
relay::ir_module after_passes(relay::ir_module m, const std::string& pipeline);

/// The names of all passes that are registered.
std::vector<std::string> registered_names();

} // namespace tutti::test
