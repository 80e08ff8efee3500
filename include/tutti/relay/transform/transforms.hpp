#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/relay/transform/passes/alter_op_layout.hpp>
#include <tutti/relay/transform/passes/backward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/canonicalize_cast.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/combine_parallel_batch_matmul.hpp>
#include <tutti/relay/transform/passes/combine_parallel_conv2d.hpp>
#include <tutti/relay/transform/passes/combine_parallel_dense.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/relay/transform/passes/dead_code_elimination.hpp>
#include <tutti/relay/transform/passes/defuse_ops.hpp>
#include <tutti/relay/transform/passes/div_to_mul.hpp>
#include <tutti/relay/transform/passes/dynamic_to_static.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/eta_expand.hpp>
#include <tutti/relay/transform/passes/fake_quantization_to_integer.hpp>
#include <tutti/relay/transform/passes/fast_math.hpp>
#include <tutti/relay/transform/passes/flatten_atrous_conv.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fold_explicit_padding.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/forward_fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/inline_globals.hpp>
#include <tutti/relay/transform/passes/lambda_lift.hpp>
#include <tutti/relay/transform/passes/remove_unused_functions.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>
#include <tutti/relay/transform/passes/split_args.hpp>
#include <tutti/relay/transform/passes/to_a_normal_form.hpp>
#include <tutti/relay/transform/passes/to_basic_block_normal_form.hpp>
#include <tutti/relay/transform/passes/to_graph_normal_form.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// All passes of this folder that change programs. `relay::passes` includes these and all others.
inline constexpr tutti::passes<    //
    alter_op_layout,               //
    backward_fold_scale_axis,      //
    canonicalize_cast,             //
    canonicalize_ops,              //
    combine_parallel_batch_matmul, //
    combine_parallel_conv2d,       //
    combine_parallel_dense,        //
    convert_layout,                //
    dead_code_elimination,         //
    defuse_ops,                    //
    div_to_mul,                    //
    dynamic_to_static,             //
    eliminate_common_subexpr,      //
    eta_expand,                    //
    fake_quantization_to_integer,  //
    fast_math,                     //
    flatten_atrous_conv,           //
    fold_constant,                 //
    fold_explicit_padding,         //
    fold_scale_axis,               //
    forward_fold_scale_axis,       //
    fuse_ops,                      //
    infer_type,                    //
    inline_globals,                //
    lambda_lift,                   //
    remove_unused_functions,       //
    simplify_expr,                 //
    simplify_inference,            //
    split_args,                    //
    to_a_normal_form,              //
    to_basic_block_normal_form,    //
    to_graph_normal_form,          //
    to_mixed_precision             //
    >
    transforms{};

} // namespace tutti::relay::inline TUTTI_FORM
