#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/where.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Comparisons, and `where`.
template <class = void>
inline constexpr std::array compare_kernels{
    detail::binary<op::equal, kernel::equal>,
    detail::binary<op::greater, kernel::greater>,
    detail::binary<op::greater_equal, kernel::greater_equal>,
    detail::binary<op::less, kernel::less>,
    detail::binary<op::less_equal, kernel::less_equal>,
    detail::binary<op::not_equal, kernel::not_equal>,
    kernel_row{&definition<op::where>,
               [](const invocation& c) {
                   kernel::where(c.input(0), c.input(1), c.input(2), c.result());
                   return true;
               }},
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
