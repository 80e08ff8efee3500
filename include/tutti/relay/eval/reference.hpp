#pragma once

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/anchor.hpp>
#include <tutti/relay/eval/kernels/annotation.hpp>
#include <tutti/relay/eval/kernels/broadcast.hpp>
#include <tutti/relay/eval/kernels/cast.hpp>
#include <tutti/relay/eval/kernels/compare.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/conv_transpose.hpp>
#include <tutti/relay/eval/kernels/correlation.hpp>
#include <tutti/relay/eval/kernels/create.hpp>
#include <tutti/relay/eval/kernels/dense.hpp>
#include <tutti/relay/eval/kernels/depth_to_space.hpp>
#include <tutti/relay/eval/kernels/detection.hpp>
#include <tutti/relay/eval/kernels/diagonal.hpp>
#include <tutti/relay/eval/kernels/dyn.hpp>
#include <tutti/relay/eval/kernels/einsum.hpp>
#include <tutti/relay/eval/kernels/elementwise.hpp>
#include <tutti/relay/eval/kernels/fixed_point.hpp>
#include <tutti/relay/eval/kernels/gather.hpp>
#include <tutti/relay/eval/kernels/image.hpp>
#include <tutti/relay/eval/kernels/image_sampling.hpp>
#include <tutti/relay/eval/kernels/index.hpp>
#include <tutti/relay/eval/kernels/loss.hpp>
#include <tutti/relay/eval/kernels/norm.hpp>
#include <tutti/relay/eval/kernels/pad.hpp>
#include <tutti/relay/eval/kernels/pool.hpp>
#include <tutti/relay/eval/kernels/qnn.hpp>
#include <tutti/relay/eval/kernels/qnn_function.hpp>
#include <tutti/relay/eval/kernels/reduce.hpp>
#include <tutti/relay/eval/kernels/region.hpp>
#include <tutti/relay/eval/kernels/repeat.hpp>
#include <tutti/relay/eval/kernels/reshape.hpp>
#include <tutti/relay/eval/kernels/scan.hpp>
#include <tutti/relay/eval/kernels/scatter.hpp>
#include <tutti/relay/eval/kernels/search.hpp>
#include <tutti/relay/eval/kernels/sequence.hpp>
#include <tutti/relay/eval/kernels/shape.hpp>
#include <tutti/relay/eval/kernels/signal.hpp>
#include <tutti/relay/eval/kernels/slice.hpp>
#include <tutti/relay/eval/kernels/sparse.hpp>
#include <tutti/relay/eval/kernels/transpose.hpp>
#include <tutti/relay/eval/kernels/tuple.hpp>

#include <string_view>

namespace tutti::relay::kernels {

/// The reference kernels of the built-in operators, and of any other operator the one that it brings itself.
struct reference {
    static constexpr kernel_table all{
        anchor_kernels,
        annotation_kernels,
        broadcast_kernels,
        cast_kernels,
        compare_kernels,
        conv_kernels,
        conv_transpose_kernels,
        correlation_kernels,
        create_kernels,
        dense_kernels,
        depth_to_space_kernels,
        detection_kernels,
        diagonal_kernels,
        dyn_kernels,
        einsum_kernels,
        elementwise_kernels,
        fixed_point_kernels,
        gather_kernels,
        image_kernels,
        image_sampling_kernels,
        index_kernels,
        loss_kernels,
        norm_kernels,
        pad_kernels,
        pool_kernels,
        qnn_function_kernels,
        qnn_kernels,
        reduce_kernels,
        region_kernels,
        repeat_kernels,
        reshape_kernels,
        scan_kernels,
        scatter_kernels,
        search_kernels,
        sequence_kernels,
        shape_kernels,
        signal_kernels,
        slice_kernels,
        sparse_kernels,
        transpose_kernels,
        tuple_kernels,
    };

    /// The kernel of the built-in operator of that name, or null.
    static constexpr kernel_function named(std::string_view op) { return all.find(op); }
    static constexpr kernel_function find(const op_def& op) {
        return op.evaluate != nullptr ? op.evaluate : all.find(op.name);
    }
    /// What memory the result of the operator takes.
    static constexpr result_memory find_result_memory(const op_def& op) {
        return op.evaluate != nullptr ? result_memory::own : all.find_memory(op.name);
    }
};

} // namespace tutti::relay::kernels
