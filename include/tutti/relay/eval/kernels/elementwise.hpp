#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Applies `F` to the argument of an operator without attributes.
template <auto F>
constexpr bool run_unary(const invocation& c) {
    F(c.input(0), c.result());
    return true;
}

/// Computes an operator that returns its first argument.
constexpr bool run_identity(const invocation& c) {
    c.result().share(c.input(0), c.input(0).shape());
    return true;
}

template <class Op, auto F>
inline constexpr kernel_row unary{&definition<Op>, run_unary<F>, nullptr, result_memory::overwrites};

template <class Op>
inline constexpr kernel_row identity{&definition<Op>, run_identity, nullptr, result_memory::shares};

} // namespace detail

/// Unary elementwise operators. Those named `fast_…` compute the exact functions.
template <class = void>
inline constexpr std::array elementwise_kernels{
    detail::unary<op::abs, kernel::abs>,
    detail::unary<op::acos, kernel::acos>,
    detail::unary<op::acosh, kernel::acosh>,
    detail::unary<op::asin, kernel::asin>,
    detail::unary<op::asinh, kernel::asinh>,
    detail::unary<op::atan, kernel::atan>,
    detail::unary<op::atanh, kernel::atanh>,
    detail::unary<op::bitwise_not, kernel::bitwise_not>,
    detail::unary<op::ceil, kernel::ceil>,
    detail::identity<op::copy>,
    detail::unary<op::cos, kernel::cos>,
    detail::unary<op::cosh, kernel::cosh>,
    detail::unary<op::erf, kernel::erf>,
    detail::unary<op::exp, kernel::exp>,
    detail::unary<op::fast_erf, kernel::erf>,
    detail::unary<op::fast_exp, kernel::exp>,
    detail::unary<op::fast_tanh, kernel::tanh>,
    detail::unary<op::floor, kernel::floor>,
    detail::unary<op::isfinite, kernel::isfinite>,
    detail::unary<op::isinf, kernel::isinf>,
    detail::unary<op::isnan, kernel::isnan>,
    detail::unary<op::log, kernel::log>,
    detail::unary<op::log10, kernel::log10>,
    detail::unary<op::log2, kernel::log2>,
    detail::unary<op::logical_not, kernel::logical_not>,
    detail::unary<op::negative, kernel::negative>,
    detail::unary<op::round, kernel::round>,
    detail::unary<op::rsqrt, kernel::rsqrt>,
    detail::unary<op::sigmoid, kernel::sigmoid>,
    detail::unary<op::sign, kernel::sign>,
    detail::unary<op::sin, kernel::sin>,
    detail::unary<op::sinh, kernel::sinh>,
    detail::unary<op::sqrt, kernel::sqrt>,
    detail::unary<op::tan, kernel::tan>,
    detail::unary<op::tanh, kernel::tanh>,
    detail::unary<op::trunc, kernel::trunc>,
    detail::unary<op::nn::relu, kernel::relu>,
    kernel_for<op::clip>(
        [](const invocation& c, const clip_attributes& a) { kernel::clip(c.input(0), a.a_min, a.a_max, c.result()); },
        result_memory::overwrites),
    kernel_for<op::nn::leaky_relu>(
        [](const invocation& c, const leaky_relu_attributes& a) {
            kernel::leaky_relu(c.input(0), a.alpha, c.result());
        },
        result_memory::overwrites),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
