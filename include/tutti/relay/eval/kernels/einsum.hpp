#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/einsum.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/einsum.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that are defined by an equation.
template <class = void>
inline constexpr std::array einsum_kernels{
    kernel_for<op::einsum>([](const invocation& c, const einsum_attributes& a) {
        kernel::einsum(c.inputs, a.equation.value, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
