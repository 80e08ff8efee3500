#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/gather.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/gather.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that gather elements by indices.
template <class = void>
inline constexpr std::array gather_kernels{
    kernel_row{&definition<op::adv_index>,
               [](const invocation& c) {
                   kernel::adv_index(c.inputs, c.result());
                   return true;
               }},
    kernel_for<op::gather>([](const invocation& c, const gather_attributes& a) {
        kernel::gather(c.input(0), a.axis.value.value(), c.input(1), c.result());
    }),
    kernel_for<op::gather_nd>([](const invocation& c, const gather_nd_attributes& a) {
        kernel::gather_nd(c.input(0), c.input(1), a.batch_dims.value(), c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
