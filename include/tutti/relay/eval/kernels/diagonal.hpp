#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/diagonal.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/diagonal.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators on diagonals of matrices.
template <class = void>
inline constexpr std::array diagonal_kernels{
    kernel_for<op::matrix_set_diag>([](const invocation& c, const matrix_set_diag_attributes& a) {
        kernel::matrix_set_diag(c.input(0), c.input(1), {a.k1, a.k2, a.super_diag_right_align, a.sub_diag_right_align},
                                c.result());
    }),
    kernel_for<op::trilu>([](const invocation& c, const trilu_attributes& a) {
        kernel::trilu(c.input(0), kernel::integer("trilu", "k", c.input(1)),
                      a.upper ? kernel::triangle::upper : kernel::triangle::lower, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
