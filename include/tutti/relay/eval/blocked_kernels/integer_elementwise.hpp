#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/integer/cast.hpp>
#include <tutti/kernel/blocked/integer/elementwise.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class Op, class Combine>
inline constexpr kernel_row blocked_integer_pair = kernel_for<Op>(
    [](const invocation& c, const auto&) {
        return kernel::blocked::combine_integers<Combine>(Op::name, c.input(0), c.input(1), c.result(), c.on);
    },
    result_memory::overwrites);

/// Elementwise operators on integers.
template <class = void>
inline constexpr std::array blocked_integer_kernels{
    blocked_integer_pair<op::add, kernel::blocked::integer_sum>,
    blocked_integer_pair<op::maximum, kernel::blocked::greater_integer>,
    blocked_integer_pair<op::minimum, kernel::blocked::lesser_integer>,
    blocked_integer_pair<op::multiply, kernel::blocked::integer_product>,
    blocked_integer_pair<op::subtract, kernel::blocked::integer_difference>,
    kernel_for<op::cast>(
        [](const invocation& c, const cast_attributes& a) {
            return kernel::blocked::cast(c.input(0), a.dtype, c.result(), c.on);
        },
        result_memory::shares),
    kernel_for<op::clip>(
        [](const invocation& c, const clip_attributes& a) {
            return kernel::blocked::clip_integers(c.input(0), a.a_min, a.a_max, c.result(), c.on);
        },
        result_memory::overwrites),
    kernel_for<op::nn::bias_add>(
        [](const invocation& c, const bias_add_attributes& a) {
            return kernel::blocked::bias_add_integers(c.input(0), c.input(1), a.axis, c.result(), c.on);
        },
        result_memory::overwrites),
    kernel_for<op::nn::relu>(
        [](const invocation& c, const auto&) { return kernel::blocked::relu_integers(c.input(0), c.result(), c.on); },
        result_memory::overwrites),
};

} // namespace detail
} // namespace tutti::relay::inline TUTTI_FORM::kernels
