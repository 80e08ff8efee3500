#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/arange.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Fills the result with one value. The result has the type `type` and the shape in the attributes. False if the
/// attributes contain no shape.
constexpr bool full(const invocation& c, const create_attributes& a, const kernel::number& value, dtype type) {
    const auto shape = numbers("the attribute `shape`", a.shape.value);
    if (!shape) return false;
    kernel::full(value, type, *shape, c.result());
    return true;
}

/// Fills the result with one value. The result has the shape and type of the first argument.
constexpr bool filled_like(const invocation& c, const kernel::number& value) {
    kernel::full(value, c.input(0).type(), c.input(0).shape(), c.result());
    return true;
}

} // namespace detail

/// Operators that fill tensors.
template <class = void>
inline constexpr std::array create_kernels{
    kernel_for<op::arange>([](const invocation& c, const arange_attributes& a) {
        kernel::arange(c.input(0), c.input(1), c.input(2), a.dtype, c.result());
    }),
    kernel_for<op::full>([](const invocation& c, const create_attributes& a) {
        const tensor& value = c.input(0);
        return detail::full(c, a, kernel::scalar("full", "the value", value),
                            a.dtype == dtype::none ? value.type() : a.dtype);
    }),
    kernel_for<op::ones>(
        [](const invocation& c, const create_attributes& a) { return detail::full(c, a, std::int64_t{1}, a.dtype); }),
    kernel_for<op::zeros>(
        [](const invocation& c, const create_attributes& a) { return detail::full(c, a, std::int64_t{0}, a.dtype); }),
    kernel_row{&definition<op::full_like>,
               [](const invocation& c) {
                   return detail::filled_like(c, kernel::scalar("full_like", "the value", c.input(1)));
               }},
    kernel_row{&definition<op::ones_like>, [](const invocation& c) { return detail::filled_like(c, std::int64_t{1}); }},
    kernel_row{&definition<op::zeros_like>,
               [](const invocation& c) { return detail::filled_like(c, std::int64_t{0}); }},
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
