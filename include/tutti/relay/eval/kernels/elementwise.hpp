#pragma once

#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include <array>

namespace tutti::relay::kernels {

namespace detail {

template <class Op, auto F>
constexpr kernel_entry unary = kernel_for<Op>([](const invocation& c, const auto&) { c.result() = F(c.input(0)); });

template <class Op, auto F>
constexpr kernel_entry binary = kernel_for<Op>([](const invocation& c, const auto&) { c.result() = F(c.input(0), c.input(1)); });

} // namespace detail

/// The operators that work element by element.
inline constexpr std::array elementwise_kernels{
    detail::unary<op::abs, kernel::abs>,
    detail::unary<op::exp, kernel::exp>,
    detail::unary<op::log, kernel::log>,
    detail::unary<op::negative, kernel::negative>,
    detail::unary<op::rsqrt, kernel::rsqrt>,
    detail::unary<op::sigmoid, kernel::sigmoid>,
    detail::unary<op::sqrt, kernel::sqrt>,
    detail::unary<op::tanh, kernel::tanh>,
    detail::unary<op::nn::relu, kernel::relu>,
    detail::binary<op::add, kernel::add>,
    detail::binary<op::divide, kernel::divide>,
    detail::binary<op::maximum, kernel::maximum>,
    detail::binary<op::minimum, kernel::minimum>,
    detail::binary<op::multiply, kernel::multiply>,
    detail::binary<op::subtract, kernel::subtract>,
};

} // namespace tutti::relay::kernels
