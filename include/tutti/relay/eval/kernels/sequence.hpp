#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/join.hpp>
#include <tutti/kernel/sequence.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/sequence.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators along a time axis.
template <class = void>
inline constexpr std::array sequence_kernels{
    kernel_for<op::nn::fifo_buffer>([](const invocation& c, const fifo_buffer_attributes& a) {
        kernel::fifo_buffer(c.input(0), c.input(1), a.axis, c.result());
    }),
    kernel_for<op::reverse>([](const invocation& c, const reverse_attributes& a) {
        kernel::reverse(c.input(0), a.axis.value.value(), c.result());
    }),
    kernel_for<op::reverse_sequence>([](const invocation& c, const reverse_sequence_attributes& a) {
        kernel::reverse_sequence(c.input(0), c.input(1), a.seq_axis, a.batch_axis, c.result());
    }),
    kernel_for<op::sequence_mask>([](const invocation& c, const sequence_mask_attributes& a) {
        kernel::sequence_mask(c.input(0), c.input(1), a.mask_value, a.axis, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
