#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/sparse.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/sparse.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators on sparse tensors.
template <class = void>
inline constexpr std::array sparse_kernels{
    kernel_row{&definition<op::sparse_fill_empty_rows>,
               [](const invocation& c) {
                   kernel::sparse_fill_empty_rows(c.input(0), c.input(1), c.input(2),
                                                  kernel::scalar("sparse_fill_empty_rows", "default_value", c.input(3)),
                                                  {&c.result(0), &c.result(1), &c.result(2)});
                   return true;
               }},
    kernel_row{&definition<op::sparse_reshape>,
               [](const invocation& c) {
                   kernel::sparse_reshape(c.input(0), c.input(1), c.input(2), c.result(0), c.result(1));
                   return true;
               }},
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
