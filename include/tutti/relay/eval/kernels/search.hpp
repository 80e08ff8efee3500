#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/search.hpp>
#include <tutti/kernel/unique.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/search.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that search for positions.
template <class = void>
inline constexpr std::array search_kernels{
    kernel_row{&definition<op::invert_permutation>,
               [](const invocation& c) {
                   kernel::invert_permutation(c.input(0), c.result());
                   return true;
               }},
    kernel_for<op::searchsorted>([](const invocation& c, const searchsorted_attributes& a) {
        kernel::searchsorted(c.input(0), c.input(1), a.right ? kernel::search_side::right : kernel::search_side::left,
                             a.dtype, c.result());
    }),
    kernel_for<op::unique>([](const invocation& c, const unique_attributes& a) {
        kernel::unique(
            c.input(0), a.sorted ? kernel::unique_order::ascending : kernel::unique_order::first_occurrence,
            {&c.result(0), &c.result(1), &c.result(2), &c.result(3), a.return_counts ? &c.result(4) : nullptr});
    }),
    kernel_row{&definition<op::unravel_index>,
               [](const invocation& c) {
                   kernel::unravel_index(c.input(0), c.input(1), c.result());
                   return true;
               }},
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
