#pragma once

#include <array>
#include <string_view>

namespace program {

/// An operator of the reference that is missing here, and its group.
struct missing_op {
    std::string_view name;
    std::string_view group;
};

/// A group of missing operators, and the reason why they are missing.
struct missing_group {
    std::string_view name;
    std::string_view about;
};

inline constexpr std::array missing_groups{
    missing_group{"random", "random numbers: an evaluator would have to draw the same as the reference"},
    missing_group{"sparse", "tensors that store only some elements"},
    missing_group{"training", "gradients"},
    missing_group{"lowering", "operators that the reference's schedules make from others"},
    missing_group{"internal", "operators inserted by the reference's own passes, virtual machine and targets"},
};

/// All missing operators. A test checks that the list is complete and that none of these operators exists here.
inline constexpr std::array missing_ops{
    missing_op{"random.normal", "random"},
    missing_op{"random.uniform", "random"},
    missing_op{"random.multinomial", "random"},
    missing_op{"random.threefry_generate", "random"},
    missing_op{"random.threefry_split", "random"},
    missing_op{"nn.sparse_dense", "sparse"},
    missing_op{"nn.sparse_conv2d", "sparse"},
    missing_op{"nn.sparse_transpose", "sparse"},
    missing_op{"nn.sparse_add", "sparse"},
    missing_op{"nn.internal.sparse_dense_padded", "sparse"},
    missing_op{"nn.max_pool2d_grad", "training"},
    missing_op{"nn.avg_pool2d_grad", "training"},
    missing_op{"nn.conv2d_backward_weight", "training"},
    missing_op{"nn.contrib_conv2d_winograd_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv2d_winograd_without_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv2d_winograd_nnpack_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv2d_gemm_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv2d_gemm_without_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv3d_winograd_weight_transform", "lowering"},
    missing_op{"nn.contrib_conv3d_winograd_without_weight_transform", "lowering"},
    missing_op{"nn.contrib_dense_pack", "lowering"},
    missing_op{"nn.bitpack", "lowering"},
    missing_op{"nn.bitserial_conv2d", "lowering"},
    missing_op{"nn.bitserial_dense", "lowering"},
    missing_op{"auto_scheduler_layout_transform", "lowering"},
    missing_op{"meta_schedule_layout_transform", "lowering"},
    missing_op{"annotation.compiler_begin", "internal"},
    missing_op{"annotation.compiler_end", "internal"},
    missing_op{"annotation.with_funcid", "internal"},
    missing_op{"annotation.bitpack_start", "internal"},
    missing_op{"annotation.bitpack_end", "internal"},
    missing_op{"on_device", "internal"},
    missing_op{"device_copy", "internal"},
    missing_op{"call_lowered", "internal"},
    missing_op{"memory.alloc_storage", "internal"},
    missing_op{"memory.alloc_tensor", "internal"},
    missing_op{"memory.kill", "internal"},
    missing_op{"vm.shape_of", "internal"},
    missing_op{"vm.invoke_tvm_op", "internal"},
    missing_op{"vm.reshape_tensor", "internal"},
    missing_op{"debug", "internal"},
    missing_op{"torch_op", "internal"},
    missing_op{"contrib.ethosu.conv2d", "internal"},
    missing_op{"contrib.ethosu.depthwise_conv2d", "internal"},
    missing_op{"contrib.ethosu.pooling", "internal"},
    missing_op{"contrib.ethosu.binary_elementwise", "internal"},
    missing_op{"contrib.ethosu.unary_elementwise", "internal"},
    missing_op{"contrib.ethosu.identity", "internal"},
};

} // namespace program
