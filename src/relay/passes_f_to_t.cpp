// Passes from FakeQuantizationToInteger to ToMixedPrecision, and the properties that passes state.

#include <tutti/relay/transform/module_division.ipp>
#include <tutti/relay/transform/passes/fake_quantization_to_integer.ipp>
#include <tutti/relay/transform/passes/fast_math.ipp>
#include <tutti/relay/transform/passes/flatten_atrous_conv.ipp>
#include <tutti/relay/transform/passes/fold_constant.ipp>
#include <tutti/relay/transform/passes/fold_explicit_padding.ipp>
#include <tutti/relay/transform/passes/forward_fold_scale_axis.ipp>
#include <tutti/relay/transform/passes/fuse_ops.ipp>
#include <tutti/relay/transform/passes/infer_type.ipp>
#include <tutti/relay/transform/passes/inline_globals.ipp>
#include <tutti/relay/transform/passes/lambda_lift.ipp>
#include <tutti/relay/transform/passes/remove_unused_functions.ipp>
#include <tutti/relay/transform/passes/simplify_expr.ipp>
#include <tutti/relay/transform/passes/simplify_inference.ipp>
#include <tutti/relay/transform/passes/split_args.ipp>
#include <tutti/relay/transform/passes/to_a_normal_form.ipp>
#include <tutti/relay/transform/passes/to_basic_block_normal_form.ipp>
#include <tutti/relay/transform/passes/to_graph_normal_form.ipp>
#include <tutti/relay/transform/passes/to_mixed_precision.ipp>
#include <tutti/relay/transform/properties.ipp>
