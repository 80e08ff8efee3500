#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/shape.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that add or remove axes, or broadcast.
template <class = void>
inline constexpr std::array shape_kernels{
    kernel_for<op::expand_dims>(
        [](const invocation& c, const expand_dims_attributes& a) {
            kernel::expand_dims(c.input(0), a.axis, a.num_newaxis, c.result());
        },
        result_memory::shares),
    kernel_for<op::squeeze>(
        [](const invocation& c, const squeeze_attributes& a) {
            const auto axes = detail::numbers("the attribute `axis`", a.axis);
            kernel::squeeze(c.input(0), detail::list(axes), c.result());
        },
        result_memory::shares),
    kernel_for<op::nn::batch_flatten>(
        [](const invocation& c, const auto&) { kernel::batch_flatten(c.input(0), c.result()); }, result_memory::shares),
    kernel_for<op::broadcast_to>([](const invocation& c, const broadcast_to_attributes& a) {
        kernel::broadcast_to(c.input(0), detail::numbers("the attribute `shape`", a.shape.value), c.result());
    }),
    kernel_for<op::broadcast_to_like>(
        [](const invocation& c, const auto&) { kernel::broadcast_to(c.input(0), c.input(1).shape(), c.result()); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
