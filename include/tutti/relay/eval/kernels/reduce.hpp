#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/reduce.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/reduce.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class Attributes>
constexpr kernel::reduction reduction_of(const Attributes& a) {
    kernel::reduction r{.axes = std::nullopt, .keepdims = a.keepdims, .exclude = a.exclude};
    if (a.axis && !a.axis->empty()) {
        r.axes.emplace();
        for (const dim axis : *a.axis) r.axes->push_back(axis.value());
    }
    return r;
}

template <class Op, auto F>
inline constexpr kernel_row reduced =
    kernel_for<Op>([](const invocation& c, const reduce_attributes& a) { F(c.input(0), reduction_of(a), c.result()); });

} // namespace detail

/// Reductions.
template <class = void>
inline constexpr std::array reduce_kernels{
    detail::reduced<op::all, kernel::all>,
    detail::reduced<op::any, kernel::any>,
    detail::reduced<op::max, kernel::max>,
    detail::reduced<op::mean, kernel::mean>,
    detail::reduced<op::min, kernel::min>,
    detail::reduced<op::prod, kernel::prod>,
    detail::reduced<op::sum, kernel::sum>,
    kernel_for<op::argmax>([](const invocation& c, const arg_reduce_attributes& a) {
        kernel::argmax(c.input(0), detail::reduction_of(a), a.select_last_index, c.result());
    }),
    kernel_for<op::argmin>([](const invocation& c, const arg_reduce_attributes& a) {
        kernel::argmin(c.input(0), detail::reduction_of(a), a.select_last_index, c.result());
    }),
    kernel_for<op::collapse_sum_like>(
        [](const invocation& c, const auto&) { kernel::collapse_sum(c.input(0), c.input(1).shape(), c.result()); }),
    kernel_for<op::collapse_sum_to>([](const invocation& c, const broadcast_to_attributes& a) {
        kernel::collapse_sum(c.input(0), detail::numbers("the attribute `shape`", a.shape.value), c.result());
    }),
    kernel_for<op::variance>([](const invocation& c, const variance_attributes& a) {
        kernel::variance(c.input(0), c.input(1), detail::reduction_of(a), a.unbiased, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
