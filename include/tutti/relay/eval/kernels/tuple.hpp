#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/join.hpp>
#include <tutti/kernel/slice.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Copies each slice of a split to its result.
constexpr void split(const invocation& c, const split_attributes& a) {
    const one_or_more& where = a.indices_or_sections;
    const auto parts = static_cast<std::int64_t>(c.results.size());
    const tensor& data = c.input(0);
    const std::int64_t size = data.shape()[kernel::detail::checked_axis("split", a.axis, data.rank())];
    if (where.is_list ? where.numbers.size() + 1 != c.results.size() : parts == 0 || size % parts != 0)
        kernel::detail::fail("split", {parts, " parts of data ", data}, "as many as the attribute says");
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < c.results.size(); ++i) {
        const std::int64_t end = !where.is_list             ? begin + size / parts
                                 : i < where.numbers.size() ? where.numbers[i].value()
                                                            : size;
        kernel::slice_axis(data, a.axis, begin, end, c.result(i));
        begin = end;
    }
}

} // namespace detail

/// Operators that join the tensors of a tuple, or split a tensor into a tuple.
template <class = void>
inline constexpr std::array tuple_kernels{
    kernel_for<op::concatenate>([](const invocation& c, const concatenate_attributes& a) {
        kernel::concatenate(c.inputs, a.axis, c.result(), c.on);
    }),
    kernel_for<op::meshgrid>([](const invocation& c, const meshgrid_attributes& a) {
        kernel::meshgrid(c.inputs, a.indexing == "xy" ? kernel::grid_order::xy : kernel::grid_order::ij, c.results);
    }),
    kernel_for<op::stack>(
        [](const invocation& c, const stack_attributes& a) { kernel::stack(c.inputs, a.axis.value(), c.result()); }),
    kernel_for<op::split>([](const invocation& c, const split_attributes& a) { detail::split(c, a); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
