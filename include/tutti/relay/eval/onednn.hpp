#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/norm.hpp>
#include <tutti/relay/eval/kernels/pool.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/eval/onednn_kernels/call.hpp>
#include <tutti/relay/eval/onednn_kernels/conv.hpp>
#include <tutti/relay/eval/onednn_kernels/lines.hpp>
#include <tutti/relay/eval/onednn_kernels/pool.hpp>
#include <tutti/relay/eval/onednn_kernels/product.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pool.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// A oneDNN kernel for `Op`. `Ready(call, invocation, attributes)` prepares a call. A constant second input is packed.
template <class Op, auto Ready, std::uint64_t LeastWork>
inline constexpr kernel_row onednn_product =
    kernel_for<Op>([](const invocation& c,
                      const auto& a) { return by_onednn<LeastWork>(c, [&](onednn_call& call) { Ready(call, c, a); }); },
                   [](const invocation& c, const auto& a) {
                       return packed_by_onednn<LeastWork>(c, [&](onednn_call& call) { Ready(call, c, a); });
                   });

/// A oneDNN kernel for `Op`. `Ready(call, invocation, attributes)` prepares a call. No input is packed.
template <class Op, auto Ready, std::uint64_t LeastWork>
inline constexpr kernel_row onednn_kernel = kernel_for<Op>([](const invocation& c, const auto& a) {
    return by_onednn<LeastWork>(c, [&](onednn_call& call) { Ready(call, c, a); });
});

inline constexpr auto conv_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    if (!knows_layouts(a)) return call.leave(c);
    ready_conv(call, c, conv_options(a, kernel::conv_options{}));
};
inline constexpr auto dense_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    ready_dense(call, c, a.out_dtype);
};
inline constexpr auto matrices_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    ready_matrices(call, c, a.transpose_a, a.transpose_b, a.out_dtype);
};
template <bool Maximum>
inline constexpr auto pool_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    if (!knows_data(a.layout) || !knows_data(a.out_layout)) return call.leave(c);
    constexpr bool whole = !requires { a.pool_size; };
    ready_pool(call, c, pool_options(a), Maximum, whole);
};
inline constexpr auto softmax_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    ready_softmax(call, c, a.axis);
};
inline constexpr auto layer_norm_ready = [](onednn_call& call, const invocation& c, const auto& a) {
    ready_layer_norm(call, c, norm_options(a));
};

/// The least work for which a primitive is created. Creating a primitive takes as long as about a million
/// multiplications, and running a primitive takes longer than a small call of a blocked kernel.
inline constexpr std::uint64_t onednn_least_work = 8192;

/// The operators that have oneDNN kernels.
template <std::uint64_t LeastWork>
inline constexpr kernel_table onednn_kernels{std::array{
    onednn_kernel<op::nn::avg_pool1d, pool_ready<false>, LeastWork>,
    onednn_kernel<op::nn::avg_pool2d, pool_ready<false>, LeastWork>,
    onednn_kernel<op::nn::avg_pool3d, pool_ready<false>, LeastWork>,
    onednn_kernel<op::nn::global_avg_pool2d, pool_ready<false>, LeastWork>,
    onednn_kernel<op::nn::global_max_pool2d, pool_ready<true>, LeastWork>,
    onednn_kernel<op::nn::layer_norm, layer_norm_ready, LeastWork>,
    onednn_kernel<op::nn::max_pool1d, pool_ready<true>, LeastWork>,
    onednn_kernel<op::nn::max_pool2d, pool_ready<true>, LeastWork>,
    onednn_kernel<op::nn::max_pool3d, pool_ready<true>, LeastWork>,
    onednn_kernel<op::nn::softmax, softmax_ready, LeastWork>,
    onednn_product<op::nn::batch_matmul, matrices_ready, LeastWork>,
    onednn_product<op::nn::contrib_conv2d_nchwc, conv_ready, LeastWork>,
    onednn_product<op::nn::contrib_depthwise_conv2d_nchwc, conv_ready, LeastWork>,
    onednn_product<op::nn::conv1d, conv_ready, LeastWork>,
    onednn_product<op::nn::conv2d, conv_ready, LeastWork>,
    onednn_product<op::nn::conv3d, conv_ready, LeastWork>,
    onednn_product<op::nn::dense, dense_ready, LeastWork>,
    onednn_product<op::nn::matmul, matrices_ready, LeastWork>,
}};

} // namespace detail

/// Returns oneDNN kernels for convolutions, products, pooling, softmax and layer_norm of float32. The blocked kernels
/// compute everything else.
///
/// oneDNN is used for layouts without blocks of channels, in an evaluator that keeps a call's state between runs.
/// Constant weights are converted to oneDNN's order when the evaluator is constructed, which doubles their memory.
/// Images with contiguous channels (NHWC) are used directly. Other images are converted before and after a call, so
/// ConvertLayout to NHWC pays off. Operators after a convolution or product, such as a bias, the addition of a tensor
/// or relu, become post-operations of the primitive if oneDNN supports them. oneDNN computes products of bytes if the
/// processor sums them in 32 bits (VNNI). oneDNN uses as many threads as OpenMP.
///
/// Results are NaN wherever the results of other sets are NaN, with two exceptions. The maximum of values that are all
/// minus infinity is the least finite number. A NaN or infinite weight that is multiplied only by padding is skipped,
/// where other sets return NaN.
///
/// Some oneDNN primitives drop NaN. Their results are used only if the processor's flags show that no thread met a NaN.
/// Otherwise, the blocked kernels compute the call. The flags require x86 and code compiled for OpenMP (`-fopenmp`).
/// Without the flags, the blocked kernels compute softmax, max_pool, and a relu after a convolution.
///
/// The blocked kernels also compute small calls, because creating a primitive takes milliseconds, and many primitives
/// of different shapes take much memory.
///
/// Finite results equal those of the reference kernels within rounding.
///
/// Throws: `tutti::error` with oneDNN's message if oneDNN fails.
///
/// `LeastWork` is the least number of multiplications for which a primitive is created. Tests lower it.
template <std::uint64_t LeastWork = detail::onednn_least_work>
const kernel_set& onednn() {
    // Calls run in sequence, because oneDNN itself uses all threads.
    static const kernel_set kernels = kernel_set(detail::onednn_kernels<LeastWork>, blocked()).at_run_time();
    return kernels;
}

/// Returns the image layout of oneDNN's convolutions on this processor: NHWC, NCHW8c or NCHW16c. Calls in this layout
/// need no conversion: `alter_op_layout_for(images_in{.layout = kernels::onednn_image_layout()})`.
inline std::string_view onednn_image_layout() { return detail::onednn_image_layout(); }

} // namespace tutti::relay::inline TUTTI_FORM::kernels
