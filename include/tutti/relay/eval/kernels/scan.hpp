#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/scan.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/scan.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

constexpr void scan(const invocation& c, const scan_attributes& a, kernel::scan_operation operation) {
    kernel::scan(c.input(0), number(a.axis), operation,
                 a.exclusive.value_or(false) ? kernel::scan_bounds::exclusive : kernel::scan_bounds::inclusive,
                 a.dtype == dtype::none ? c.input(0).type() : a.dtype, c.result());
}

} // namespace detail

/// Prefix scans.
template <class = void>
inline constexpr std::array scan_kernels{
    kernel_for<op::cumprod>(
        [](const invocation& c, const scan_attributes& a) { detail::scan(c, a, kernel::scan_operation::product); }),
    kernel_for<op::cumsum>(
        [](const invocation& c, const scan_attributes& a) { detail::scan(c, a, kernel::scan_operation::sum); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
