#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
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

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// The reference kernels of all operator families.
template <class T>
inline constexpr auto reference_kernels =
    kernel_table{
        anchor_kernels<T>,
        annotation_kernels<T>,
        broadcast_kernels<T>,
        cast_kernels<T>,
        compare_kernels<T>,
        conv_kernels<kernel::convolve_in_loops, T>,
        conv_transpose_kernels<kernel::convolve_in_loops, T>,
        correlation_kernels<T>,
        create_kernels<T>,
        dense_kernels<T>,
        depth_to_space_kernels<T>,
        detection_kernels<T>,
        diagonal_kernels<T>,
        dyn_kernels<T>,
        einsum_kernels<T>,
        elementwise_kernels<T>,
        fixed_point_kernels<T>,
        gather_kernels<T>,
        image_kernels<T>,
        image_sampling_kernels<T>,
        index_kernels<T>,
        loss_kernels<T>,
        norm_kernels<T>,
        pad_kernels<T>,
        pool_kernels<T>,
        product_kernels<kernel::convolve_in_loops, T>,
        qnn_function_kernels<T>,
        qnn_kernels<T>,
        qnn_product_kernels<kernel::convolve_in_loops, T>,
        qnn_transpose_kernels<kernel::convolve_in_loops, T>,
        reduce_kernels<T>,
        region_kernels<T>,
        repeat_kernels<T>,
        reshape_kernels<T>,
        scan_kernels<T>,
        scatter_kernels<T>,
        search_kernels<T>,
        sequence_kernels<T>,
        shape_kernels<T>,
        signal_kernels<T>,
        slice_kernels<T>,
        sparse_kernels<T>,
        transpose_kernels<T>,
        tuple_kernels<T>,
    }
        .concurrent();

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM::kernels
