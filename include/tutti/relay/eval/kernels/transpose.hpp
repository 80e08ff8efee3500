#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/layout_transform.hpp>
#include <tutti/kernel/transpose.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that change the order of axes.
template <class = void>
inline constexpr std::array transpose_kernels{
    kernel_for<op::transpose>([](const invocation& c, const transpose_attributes& a) {
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        kernel::transpose(c.input(0), detail::list(axes), c.result(), c.on);
    }),
    kernel_for<op::layout_transform>([](const invocation& c, const layout_transform_attributes& a) {
        const auto from = layout::parse(a.src_layout);
        const auto to = layout::parse(a.dst_layout);
        if (!from || !to) return false;
        kernel::layout_transform(c.input(0), *from, *to, c.result(), c.on);
        return true;
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
