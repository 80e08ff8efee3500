#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that change the element type.
template <class = void>
inline constexpr std::array cast_kernels{
    kernel_for<op::cast>(
        [](const invocation& c, const cast_attributes& a) { kernel::cast(c.input(0), a.dtype, c.result()); },
        result_memory::shares),
    kernel_row{&definition<op::cast_like>,
               [](const invocation& c) {
                   kernel::cast(c.input(0), c.input(1).type(), c.result());
                   return true;
               },
               nullptr, result_memory::shares},
    kernel_for<op::reinterpret>(
        [](const invocation& c, const cast_attributes& a) { kernel::reinterpret(c.input(0), a.dtype, c.result()); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
