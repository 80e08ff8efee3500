#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Applies `F` to the two arguments of an operator without attributes.
template <auto F>
constexpr bool run_binary(const invocation& c) {
    F(c.input(0), c.input(1), c.result());
    return true;
}

template <class Op, auto F>
inline constexpr kernel_row binary{&definition<Op>, run_binary<F>, nullptr, result_memory::overwrites};

} // namespace detail

/// Broadcasting arithmetic.
template <class = void>
inline constexpr std::array broadcast_kernels{
    detail::binary<op::add, kernel::add>,
    detail::binary<op::bitwise_and, kernel::bitwise_and>,
    detail::binary<op::bitwise_or, kernel::bitwise_or>,
    detail::binary<op::bitwise_xor, kernel::bitwise_xor>,
    detail::binary<op::divide, kernel::divide>,
    detail::binary<op::floor_divide, kernel::floor_divide>,
    detail::binary<op::floor_mod, kernel::floor_mod>,
    detail::binary<op::left_shift, kernel::left_shift>,
    detail::binary<op::logical_and, kernel::logical_and>,
    detail::binary<op::logical_or, kernel::logical_or>,
    detail::binary<op::logical_xor, kernel::logical_xor>,
    detail::binary<op::maximum, kernel::maximum>,
    detail::binary<op::minimum, kernel::minimum>,
    detail::binary<op::mod, kernel::mod>,
    detail::binary<op::multiply, kernel::multiply>,
    detail::binary<op::power, kernel::power>,
    detail::binary<op::right_shift, kernel::right_shift>,
    detail::binary<op::subtract, kernel::subtract>,
    detail::binary<op::trunc_divide, kernel::trunc_divide>,
    detail::binary<op::trunc_mod, kernel::trunc_mod>,
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
