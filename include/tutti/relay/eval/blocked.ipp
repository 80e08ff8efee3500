#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/common/any_conv.hpp>
#include <tutti/kernel/blocked/common/conv.hpp>
#include <tutti/kernel/blocked/common/pool.hpp>
#include <tutti/kernel/blocked/common/product.hpp>
#include <tutti/kernel/blocked/float/elementwise.hpp>
#include <tutti/kernel/blocked/float/lines.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/blocked_kernels/integer_elementwise.hpp>
#include <tutti/relay/eval/blocked_kernels/integer_product.hpp>
#include <tutti/relay/eval/blocked_kernels/qnn.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/block_steps.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/conv_transpose.hpp>
#include <tutti/relay/eval/kernels/dense.hpp>
#include <tutti/relay/eval/kernels/norm.hpp>
#include <tutti/relay/eval/kernels/pool.hpp>
#include <tutti/relay/eval/kernels/qnn.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pool.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Returns the packed weights prepared for a call, or null.
inline const tensor* prepared_weights(const invocation& c) { return static_cast<const tensor*>(c.prepared); }

/// Returns packed weights as prepared data of a call, or null if `packed` is empty.
inline std::shared_ptr<void> kept_packed(tensor packed) {
    if (packed.empty()) return nullptr;
    return std::make_shared<tensor>(std::move(packed));
}

template <class Op>
inline constexpr kernel_row blocked_conv = kernel_for<Op>(
    [](const invocation& c, const auto& a) {
        if (is_of_integers(c)) return conv_of_integers(c, a, {});
        if (!knows_layouts(a)) return false;
        conv_state own;
        return kernel::blocked::conv(c.input(0), c.input(1), conv_options(a, kernel::conv_options{}), c.result(),
                                     kept_or(c, own).floats, {{c.after, c.on}, prepared_weights(c)});
    },
    [](const invocation& c, const auto& a) {
        if (is_of_integers(c)) return c.is_constant(1) ? packed_conv_of_integers(c, a, {}) : nullptr;
        const bool constant = c.is_constant(1) && knows_layouts(a);
        return kept_packed(
            constant ? kernel::blocked::packed_conv(c.input(0), c.input(1), conv_options(a, kernel::conv_options{}))
                     : tensor{});
    });

/// A product of two batches of matrices. The kernel `Multiply` computes it for floating-point elements.
template <class Op, auto Multiply>
inline constexpr kernel_row blocked_product = kernel_for<Op>(
    [](const invocation& c, const auto& a) {
        if (is_of_integers(c)) return multiply_integers(c, a, {});
        matrix_state own;
        return Multiply(c.input(0), c.input(1), product_options(a), c.result(), kept_or(c, own).floats,
                        {{c.after, c.on}, prepared_weights(c)});
    },
    [](const invocation& c, const auto& a) {
        if (is_of_integers(c)) return c.is_constant(1) ? packed_factor_of_integers(c, a, {}) : nullptr;
        return kept_packed(c.is_constant(1) ? kernel::blocked::packed_factor(c.input(0), c.input(1), product_options(a))
                                            : tensor{});
    });

/// Pooling over one or two axes, computed by the kernel `Pool`.
template <class Op, auto Pool>
inline constexpr kernel_row blocked_pool = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (!knows_data(a.layout) || !knows_data(a.out_layout)) return false;
    tensor own;
    return Pool(c.input(0), pool_options(a), c.result(), kept_or(c, own), c.on);
});

/// A unary elementwise function.
template <class Op, kernel::detail::unary_loop<float> Loop>
inline constexpr kernel_row blocked_unary = kernel_for<Op>(
    [](const invocation& c, const auto&) { return kernel::blocked::map(Op::name, Loop, c.input(0), c.result()); },
    result_memory::overwrites);

/// A binary elementwise function of two tensors of the same shape, or of a tensor and a scalar.
template <class Op, const kernel::block_operation& F>
inline constexpr kernel_row blocked_binary =
    kernel_for<Op>([](const invocation& c,
                      const auto&) { return kernel::blocked::map(Op::name, F, c.input(0), c.input(1), c.result()); },
                   result_memory::overwrites);

template <class Op, bool Logarithm>
inline constexpr kernel_row blocked_softmax = kernel_for<Op>([](const invocation& c, const softmax_attributes& a) {
    return kernel::blocked::softmax(c.input(0), a.axis, Logarithm, c.result(), c.on);
});

/// The kernels defined in this file. Further kernels are in `blocked_kernels/`.
template <class = void>
inline constexpr std::array other_blocked_kernels{
    blocked_unary<op::erf, kernel::blocked::erf_loop>,
    blocked_unary<op::exp, kernel::blocked::exp_loop>,
    blocked_unary<op::fast_erf, kernel::blocked::erf_loop>,
    blocked_unary<op::fast_exp, kernel::blocked::exp_loop>,
    blocked_unary<op::fast_tanh, kernel::blocked::tanh_loop>,
    blocked_unary<op::log, kernel::blocked::log_loop>,
    blocked_unary<op::nn::relu, kernel::blocked::relu_loop>,
    blocked_unary<op::sigmoid, kernel::blocked::sigmoid_loop>,
    blocked_unary<op::tanh, kernel::blocked::tanh_loop>,
    blocked_binary<op::maximum, kernel::blocked::maximum_block>,
    blocked_binary<op::minimum, kernel::blocked::minimum_block>,
    kernel_for<op::clip>(
        [](const invocation& c, const clip_attributes& a) {
            const float bounds[]{static_cast<float>(a.a_min), static_cast<float>(a.a_max)};
            if (std::isnan(bounds[0]) || std::isnan(bounds[1])) return false;
            return kernel::blocked::map("clip", kernel::blocked::clip_loop, c.input(0), c.result(), +bounds);
        },
        result_memory::overwrites),
    blocked_softmax<op::nn::fast_softmax, false>,
    blocked_softmax<op::nn::log_softmax, true>,
    blocked_softmax<op::nn::softmax, false>,
    kernel_for<op::nn::layer_norm>([](const invocation& c, const layer_norm_attributes& a) {
        return kernel::blocked::layer_norm(c.input(0), c.input(1), c.input(2), norm_options(a), c.result(), c.on);
    }),
    blocked_conv<op::nn::conv1d>,
    blocked_conv<op::nn::conv2d>,
    blocked_conv<op::nn::conv3d>,
    blocked_conv<op::nn::contrib_conv2d_nchwc>,
    blocked_conv<op::nn::contrib_depthwise_conv2d_nchwc>,
    blocked_pool<op::nn::avg_pool1d, kernel::blocked::avg_pool>,
    blocked_pool<op::nn::avg_pool2d, kernel::blocked::avg_pool>,
    blocked_pool<op::nn::global_avg_pool2d, kernel::blocked::global_avg_pool>,
    blocked_pool<op::nn::global_max_pool2d, kernel::blocked::global_max_pool>,
    blocked_pool<op::nn::max_pool1d, kernel::blocked::max_pool>,
    blocked_pool<op::nn::max_pool2d, kernel::blocked::max_pool>,
    blocked_product<op::nn::batch_matmul, kernel::blocked::batch_matmul>,
    blocked_product<op::nn::matmul, kernel::blocked::matmul>,
    kernel_for<op::nn::dense>(
        [](const invocation& c, const dense_attributes& a) {
            if (is_of_integers(c)) return dense_of_integers(c, a, {});
            matrix_state own;
            return kernel::blocked::dense(c.input(0), c.input(1), a.out_dtype, c.result(), kept_or(c, own).floats,
                                          {{c.after, c.on}, prepared_weights(c)});
        },
        [](const invocation& c, const dense_attributes& a) {
            if (is_of_integers(c)) return c.is_constant(1) ? packed_dense_of_integers(c, a, {}) : nullptr;
            return kept_packed(c.is_constant(1) ? kernel::blocked::packed_dense(c.input(0), c.input(1), a.out_dtype)
                                                : tensor{});
        }),
};

template <class T>
inline constexpr auto blocked_kernels = kernel_table{block_step_rows,
                                                     blocked_integer_kernels<T>,
                                                     blocked_integer_product_kernels<T>,
                                                     blocked_qnn_kernels<T>,
                                                     conv_transpose_kernels<kernel::blocked::convolve_in_blocks<T>, T>,
                                                     other_blocked_kernels<T>,
                                                     qnn_transpose_kernels<kernel::blocked::convolve_in_blocks<T>, T>}
                                            .concurrent();

/// Blocked convolutions and products for the types that the kernels above do not support.
template <class T>
inline constexpr auto any_product_kernels = kernel_table{conv_kernels<kernel::blocked::convolve_in_blocks<T>, T>,
                                                         product_kernels<kernel::blocked::convolve_in_blocks<T>, T>,
                                                         qnn_product_kernels<kernel::blocked::convolve_in_blocks<T>, T>}
                                                .concurrent();

template <class T>
inline constexpr kernel_set any_product_set = kernel_set(any_product_kernels<T>, reference_set<T>::value).at_run_time();

template <class T>
constexpr kernel_set blocked_set<T>::value = kernel_set(blocked_kernels<T>, any_product_set<T>).at_run_time();

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM::kernels
