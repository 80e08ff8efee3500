#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/relay/transform/passes/backward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/forward_fold_scale_axis.hpp>

namespace tutti::relay {

/// Folds scales along the channels into weights, backward then forward, then the constants that come of it: a sequential of
/// level 0 whose folds are of level 3, so that at lower levels only FoldConstant runs.
using fold_scale_axis =
    decltype(sequential<"FoldScaleAxis">(backward_fold_scale_axis{}, forward_fold_scale_axis{}, fold_constant{}));

} // namespace tutti::relay
