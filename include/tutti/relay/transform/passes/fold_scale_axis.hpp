#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/relay/transform/passes/backward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/forward_fold_scale_axis.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Folds scales along channels into weights, first backward and then forward, and finally folds constants. The
/// sequential has opt_level 0 and both scale passes have opt_level 3, so below level 3 at most FoldConstant runs.
using fold_scale_axis =
    decltype(sequential<"FoldScaleAxis">(backward_fold_scale_axis{}, forward_fold_scale_axis{}, fold_constant{}));

} // namespace tutti::relay::inline TUTTI_FORM
