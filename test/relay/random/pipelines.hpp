#pragma once

#include <tutti/relay/testing/choices.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::test {

/// Passes that keep results, some with options that change their behaviour. Other registered passes are omitted.
inline constexpr std::string_view single_passes[]{
    "AlterOpLayout",
    "BackwardFoldScaleAxis",
    "CanonicalizeCast",
    "CanonicalizeOps",
    "CombineParallelBatchMatmul{min_num_branches=2}",
    "CombineParallelConv2D{min_num_branches=2}",
    "CombineParallelConv2D",
    "CombineParallelDense{min_num_branches=2}",
    "CombineParallelDense{min_num_branches=2,to_batch=False}",
    "ConvertLayout{nn.conv2d=[NHWC,default]}",
    "ConvertLayout{nn.conv2d=[NHWC,HWIO],nn.max_pool2d=[NHWC],qnn.conv2d=[NHWC,default],nn.conv2d_transpose=[NHWC,default]}",
    "ConvertLayout{nn.conv2d=[NCHW4c,OIHW4o],nn.avg_pool2d=[NHWC]}",
    "ConvertLayout{nn.conv2d=[NCHW,default],nn.conv1d=[NWC,default],nn.conv3d=[NDHWC,default]}",
    "DeadCodeElimination",
    "DeadCodeElimination{inline_once=True}",
    "DefuseOps",
    "DivToMul",
    "DynamicToStatic",
    "EliminateCommonSubexpr",
    "EtaExpand{expand_global_var=True}",
    "FastMath",
    "FlattenAtrousConv",
    "FoldConstant",
    "FoldConstant{fold_qnn=False}",
    "FoldExplicitPadding",
    "FoldScaleAxis",
    "ForwardFoldScaleAxis",
    "FuseOps",
    "FuseOps{fuse_opt_level=0}",
    "FuseOps{max_depth=3}",
    "InferType",
    "Inline",
    "LambdaLift",
    "RemoveUnusedFunctions",
    "SimplifyExpr",
    "SimplifyInference",
    "SplitArgs{max_function_args=2}",
    "ToANormalForm",
    "ToBasicBlockNormalForm",
    "ToGraphNormalForm",
};

/// Passes that change results on purpose.
inline constexpr std::string_view other_results[]{"ToMixedPrecision",
                                                  "FakeQuantizationToInteger{use_qat=True,conv2d=True}"};

/// True if a pipeline contains a pass listed in `other_results`.
inline bool gives_other_results(std::string_view pipeline) {
    for (const std::string_view pass : other_results)
        if (pipeline.find(pass.substr(0, pass.find('{'))) != std::string_view::npos) return true;
    return false;
}

/// Returns a pipeline of random passes of `single_passes`.
inline std::string random_pipeline(relay::testing::choices& c) {
    std::string text;
    for (std::int64_t n = c.between(1, 5); n != 0; --n) {
        if (!text.empty()) text += ",InferType,"; // most passes need types, and some module passes drop them
        text += c.of(single_passes);
    }
    return text;
}

} // namespace tutti::test
