#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/fixed_point.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/fixed_point.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Fixed-point arithmetic.
template <class = void>
inline constexpr std::array fixed_point_kernels{
    kernel_for<op::fixed_point_multiply>([](const invocation& c, const fixed_point_multiply_attributes& a) {
        kernel::fixed_point_multiply(c.input(0), {a.multiplier, a.shift}, c.result());
    }),
    kernel_for<op::fixed_point_multiply_per_axis>(
        [](const invocation& c, const fixed_point_multiply_per_axis_attributes& a) {
            const kernel::fixed_point_factors factors{.multiplier = c.input(1),
                                                      .left = a.is_lshift_required ? &c.input(2) : nullptr,
                                                      .right = a.is_rshift_required ? &c.input(3) : nullptr};
            kernel::fixed_point_multiply_per_axis(c.input(0), factors, detail::numbers("the attribute `axes`", a.axes),
                                                  c.result());
        }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
