#pragma once

#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>
#include <tutti/relay/op/layout_rule_shape.hpp>
#include <tutti/relay/op/layout_rule_slice.hpp>

#include <array>

namespace tutti::relay::layout_rules {

/// A rule for the operator of that name.
using rule_entry = op_entry<layout_rule>;

inline constexpr std::array elementwise_rules{rule_entry{"abs", &elementwise},
                                              rule_entry{"annotation.stop_fusion", &elementwise},
                                              rule_entry{"cast", &elementwise},
                                              rule_entry{"cast_like", &elementwise},
                                              rule_entry{"clip", &elementwise},
                                              rule_entry{"copy", &elementwise},
                                              rule_entry{"erf", &elementwise},
                                              rule_entry{"exp", &elementwise},
                                              rule_entry{"fast_erf", &elementwise},
                                              rule_entry{"fast_exp", &elementwise},
                                              rule_entry{"fast_tanh", &elementwise},
                                              rule_entry{"floor", &elementwise},
                                              rule_entry{"isfinite", &elementwise},
                                              rule_entry{"isinf", &elementwise},
                                              rule_entry{"log", &elementwise},
                                              rule_entry{"negative", &elementwise},
                                              rule_entry{"nn.dropout", &elementwise_pair},
                                              rule_entry{"nn.leaky_relu", &elementwise},
                                              rule_entry{"nn.relu", &elementwise},
                                              rule_entry{"ones_like", &elementwise},
                                              rule_entry{"reinterpret", &elementwise},
                                              rule_entry{"rsqrt", &elementwise},
                                              rule_entry{"sigmoid", &elementwise},
                                              rule_entry{"sqrt", &elementwise},
                                              rule_entry{"tanh", &elementwise},
                                              rule_entry{"zeros_like", &elementwise}};

inline constexpr std::array broadcast_rules{
    rule_entry{"add", &broadcast},     rule_entry{"divide", &broadcast},        rule_entry{"equal", &broadcast},
    rule_entry{"greater", &broadcast}, rule_entry{"greater_equal", &broadcast}, rule_entry{"left_shift", &broadcast},
    rule_entry{"less", &broadcast},    rule_entry{"less_equal", &broadcast},    rule_entry{"maximum", &broadcast},
    rule_entry{"minimum", &broadcast}, rule_entry{"multiply", &broadcast},      rule_entry{"not_equal", &broadcast},
    rule_entry{"qnn.add", &broadcast}, rule_entry{"qnn.mul", &broadcast},       rule_entry{"subtract", &broadcast}};

inline constexpr std::array shape_rules{rule_entry{"argmax", &place_reduction},
                                        rule_entry{"argmin", &place_reduction},
                                        rule_entry{"concatenate", &concatenate},
                                        rule_entry{"max", &reduction},
                                        rule_entry{"mean", &reduction},
                                        rule_entry{"min", &reduction},
                                        rule_entry{"nn.batch_norm", &batch_norm},
                                        rule_entry{"nn.instance_norm", &instance_norm},
                                        rule_entry{"nn.l2_normalize", &normalization},
                                        rule_entry{"nn.pad", &pad},
                                        rule_entry{"qnn.concatenate", &qnn_concatenate},
                                        rule_entry{"slice_like", &slice_like},
                                        rule_entry{"split", &split},
                                        rule_entry{"squeeze", &squeeze},
                                        rule_entry{"strided_slice", &strided_slice},
                                        rule_entry{"sum", &reduction},
                                        rule_entry{"topk", &topk},
                                        rule_entry{"transpose", &transpose},
                                        rule_entry{"variance", &reduction}};

inline constexpr std::array nn_rules{rule_entry{"image.resize2d", &resize},
                                     rule_entry{"nn.avg_pool1d", &pooling},
                                     rule_entry{"nn.avg_pool2d", &pooling},
                                     rule_entry{"nn.avg_pool3d", &pooling},
                                     rule_entry{"nn.contrib_conv2d_NCHWc", &convolution},
                                     rule_entry{"nn.contrib_depthwise_conv2d_NCHWc", &convolution},
                                     rule_entry{"nn.conv1d", &convolution},
                                     rule_entry{"nn.conv2d", &convolution},
                                     rule_entry{"nn.conv2d_transpose", &convolution},
                                     rule_entry{"nn.conv3d", &convolution},
                                     rule_entry{"nn.deformable_conv2d", &deformable_convolution},
                                     rule_entry{"nn.dense", &dense},
                                     rule_entry{"nn.global_avg_pool2d", &pooling},
                                     rule_entry{"nn.global_max_pool2d", &pooling},
                                     rule_entry{"nn.max_pool1d", &pooling},
                                     rule_entry{"nn.max_pool2d", &pooling},
                                     rule_entry{"nn.max_pool3d", &pooling},
                                     rule_entry{"nn.upsampling", &upsampling},
                                     rule_entry{"nn.upsampling3d", &upsampling},
                                     rule_entry{"qnn.conv2d", &convolution},
                                     rule_entry{"qnn.conv2d_transpose", &convolution},
                                     rule_entry{"qnn.requantize", &requantize}};

/// All of these.
inline constexpr op_table standard_table{elementwise_rules, broadcast_rules, shape_rules, nn_rules};

/// The rules of the built-in operators.
///
/// Source: what the reference does for each of them (its FInferCorrectLayout).
struct standard {
    static constexpr layout_rule find(const op_def& op) { return standard_table.find(op.name); }
};

} // namespace tutti::relay::layout_rules
