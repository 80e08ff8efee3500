#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/new_shape.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/reshape.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Returns a new shape in the kernel's encoding. `?` becomes -1, which means that the kernel derives the size from the
/// number of elements.
constexpr kernel::extents shape_code(const reshape_attributes& a) {
    dims code = a.newshape;
    for (dim& d : code)
        if (d.is_any()) d = -1;
    return numbers("the attribute `newshape`", code);
}

constexpr void reshape(const invocation& c, const reshape_attributes& a, kernel::shape_code direction) {
    kernel::reshape_by_code(c.input(0), shape_code(a), direction,
                            a.allowzero ? kernel::zero_code::size : kernel::zero_code::keeps, c.result());
}

} // namespace detail

/// Operators that change the shape and keep the elements.
template <class = void>
inline constexpr std::array reshape_kernels{
    kernel_for<op::reshape>(
        [](const invocation& c, const reshape_attributes& a) { detail::reshape(c, a, kernel::shape_code::from_left); },
        result_memory::shares),
    kernel_for<op::contrib_reverse_reshape>(
        [](const invocation& c, const reshape_attributes& a) { detail::reshape(c, a, kernel::shape_code::from_right); },
        result_memory::shares),
    kernel_for<op::reshape_like>(
        [](const invocation& c, const reshape_like_attributes& a) {
            kernel::reshape_like(c.input(0), {a.lhs_begin, detail::number(a.lhs_end)}, c.input(1),
                                 {a.rhs_begin, detail::number(a.rhs_end)}, c.result());
        },
        result_memory::shares),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
