#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/bias_add.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/prelu.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/dense.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Matrix products computed by the convolver `By`.
template <kernel::convolver By = kernel::convolve_in_loops, class = void>
inline constexpr std::array product_kernels{
    kernel_for<op::nn::batch_matmul>([](const invocation& c, const batch_matmul_attributes& a) {
        kernel::workspace own;
        kernel::batch_matmul(c.input(0), c.input(1),
                             {.transpose_a = a.transpose_a, .transpose_b = a.transpose_b, .out = a.out_dtype},
                             c.result(), detail::kept_or(c, own), By);
    }),
    kernel_for<op::nn::dense>([](const invocation& c, const dense_attributes& a) {
        kernel::workspace own;
        kernel::dense(c.input(0), c.input(1), a.out_dtype, c.result(), detail::kept_or(c, own), By);
    }),
    kernel_for<op::nn::matmul>([](const invocation& c, const matmul_attributes& a) {
        kernel::workspace own;
        kernel::matmul(c.input(0), c.input(1),
                       {.transpose_a = a.transpose_a, .transpose_b = a.transpose_b, .out = a.out_dtype}, c.result(),
                       detail::kept_or(c, own), By);
    }),
};

/// Operators that apply a vector along one axis.
template <class = void>
inline constexpr std::array dense_kernels{
    kernel_for<op::nn::bias_add>(
        [](const invocation& c, const bias_add_attributes& a) {
            kernel::bias_add(c.input(0), c.input(1), a.axis, c.result());
        },
        result_memory::overwrites),
    kernel_for<op::nn::prelu>([](const invocation& c, const prelu_attributes& a) {
        kernel::prelu(c.input(0), c.input(1), a.axis, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
