// Passes from AlterOpLayout to EtaExpand, and analyses.

#include <tutti/relay/transform/analysis/call_costs.ipp>
#include <tutti/relay/transform/layout/alter_layouts.ipp>
#include <tutti/relay/transform/passes/alter_op_layout.ipp>
#include <tutti/relay/transform/passes/backward_fold_scale_axis.ipp>
#include <tutti/relay/transform/passes/bind_params.ipp>
#include <tutti/relay/transform/passes/canonicalize_cast.ipp>
#include <tutti/relay/transform/passes/canonicalize_ops.ipp>
#include <tutti/relay/transform/passes/combine_parallel_batch_matmul.ipp>
#include <tutti/relay/transform/passes/combine_parallel_conv2d.ipp>
#include <tutti/relay/transform/passes/combine_parallel_dense.ipp>
#include <tutti/relay/transform/passes/convert_layout.ipp>
#include <tutti/relay/transform/passes/dead_code_elimination.ipp>
#include <tutti/relay/transform/passes/defuse_ops.ipp>
#include <tutti/relay/transform/passes/div_to_mul.ipp>
#include <tutti/relay/transform/passes/dynamic_to_static.ipp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.ipp>
#include <tutti/relay/transform/passes/eta_expand.ipp>
