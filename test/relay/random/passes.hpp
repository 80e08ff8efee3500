#pragma once

#include <tutti/cache/result_cache.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tutti::test {

/// Runs InferType and then a pipeline over the module, at level 4.
///
/// Throws: the errors of the passes, and `runtime::pipeline_error` if the pipeline is invalid.
relay::ir_module after_passes(relay::ir_module m, const std::string& pipeline);

/// Runs a pipeline like `after_passes`, inside `cached`. An empty name of a pass in `refused` means that the pipeline
/// ran; otherwise it did not, since the results of this pass cannot be cached.
relay::ir_module after_cached_passes(relay::ir_module m, const std::string& pipeline, result_cache& cache,
                                     std::string& refused);

/// A rewrite that a pass is about to make.
struct asked_rewrite {
    std::string pass, rule, part, where;
    std::size_t number = 0; ///< counted from 1
};

/// Runs passes like `after_passes`. A rewrite is made if `may_apply` returns true.
relay::ir_module after_rewrites(relay::ir_module m, const std::string& pipeline,
                                const std::function<bool(const asked_rewrite&)>& may_apply);

/// Runs InferType and then a pipeline over the module, at level 4, and checks what the passes state about properties.
///
/// Throws: `tutti::error` for a wrong statement, and as `after_passes` does. With `planted`, the pipeline may also have
///         the passes KeepsTypes, which is ToANormalForm, and GivesNormalForm, which is ToGraphNormalForm. Both state
///         something wrong.
relay::ir_module with_checked_properties(relay::ir_module m, const std::string& pipeline, bool planted = false);

/// Returns the names of all registered passes.
std::vector<std::string> registered_names();

} // namespace tutti::test
