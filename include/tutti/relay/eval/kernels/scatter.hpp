#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/scatter.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/scatter.hpp>

#include <array>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that scatter elements by indices.
template <class = void>
inline constexpr std::array scatter_kernels{
    kernel_for<op::scatter>([](const invocation& c, const scatter_attributes& a) {
        kernel::scatter(c.input(0), c.input(1), c.input(2), a.axis.value(), kernel::scatter_mode::update, c.result());
    }),
    kernel_for<op::scatter_add>([](const invocation& c, const scatter_attributes& a) {
        kernel::scatter(c.input(0), c.input(1), c.input(2), a.axis.value(), kernel::scatter_mode::add, c.result());
    }),
    kernel_for<op::scatter_nd>([](const invocation& c, const scatter_nd_attributes& a) {
        const std::string_view mode = a.mode.value.value_or("");
        const auto chosen = mode == "add"   ? kernel::scatter_mode::add
                            : mode == "mul" ? kernel::scatter_mode::multiply
                            : mode == "min" ? kernel::scatter_mode::least
                            : mode == "max" ? kernel::scatter_mode::greatest
                                            : kernel::scatter_mode::update;
        kernel::scatter_nd(c.input(0), c.input(1), c.input(2), chosen, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
