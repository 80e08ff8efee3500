#pragma once

#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/layout_transform.hpp>
#include <tutti/kernel/new_shape.hpp>
#include <tutti/kernel/repeat.hpp>
#include <tutti/kernel/shape.hpp>
#include <tutti/kernel/transpose.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <array>

namespace tutti::relay::kernels {

namespace detail {

/// The code of a new shape, where a size that is not known follows from the number of elements.
constexpr kernel::extents shape_code(const reshape_attributes& a) {
    dims code = a.newshape;
    for (dim& d : code)
        if (d.is_any()) d = -1;
    return numbers("the attribute `newshape`", code);
}

constexpr void reshape(const invocation& c, const reshape_attributes& a, kernel::shape_code direction) {
    kernel::reshape_by_code(c.input(0), shape_code(a), direction,
                            a.allowzero ? kernel::zero_code::size : kernel::zero_code::keeps, c.result());
}

} // namespace detail

/// The operators that change a tensor's shape, or the order of its axes.
inline constexpr std::array shape_kernels{
    kernel_for<op::reshape>(
        [](const invocation& c, const reshape_attributes& a) { detail::reshape(c, a, kernel::shape_code::from_left); }),
    kernel_for<op::contrib_reverse_reshape>([](const invocation& c, const reshape_attributes& a) {
        detail::reshape(c, a, kernel::shape_code::from_right);
    }),
    kernel_for<op::reshape_like>([](const invocation& c, const reshape_like_attributes& a) {
        kernel::reshape_like(c.input(0), {a.lhs_begin, detail::number(a.lhs_end)}, c.input(1),
                             {a.rhs_begin, detail::number(a.rhs_end)}, c.result());
    }),
    kernel_for<op::expand_dims>([](const invocation& c, const expand_dims_attributes& a) {
        kernel::expand_dims(c.input(0), a.axis, a.num_newaxis, c.result());
    }),
    kernel_for<op::squeeze>([](const invocation& c, const squeeze_attributes& a) {
        const auto axes = detail::numbers("the attribute `axis`", a.axis);
        kernel::squeeze(c.input(0), detail::list(axes), c.result());
    }),
    kernel_for<op::nn::batch_flatten>(
        [](const invocation& c, const auto&) { kernel::batch_flatten(c.input(0), c.result()); }),
    kernel_for<op::broadcast_to>([](const invocation& c, const broadcast_to_attributes& a) {
        kernel::broadcast_to(c.input(0), detail::numbers("the attribute `shape`", a.shape.value), c.result());
    }),
    kernel_for<op::broadcast_to_like>(
        [](const invocation& c, const auto&) { kernel::broadcast_to(c.input(0), c.input(1).shape(), c.result()); }),
    kernel_for<op::transpose>([](const invocation& c, const transpose_attributes& a) {
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        kernel::transpose(c.input(0), detail::list(axes), c.result());
    }),
    kernel_for<op::layout_transform>([](const invocation& c, const layout_transform_attributes& a) {
        const auto from = layout::parse(a.src_layout);
        const auto to = layout::parse(a.dst_layout);
        if (!from || !to) return false;
        kernel::layout_transform(c.input(0), *from, *to, c.result());
        return true;
    }),
    kernel_for<op::repeat>([](const invocation& c, const repeat_attributes& a) {
        kernel::repeat(c.input(0), a.repeats.value.value(), detail::number(a.axis), c.result());
    }),
    kernel_for<op::tile>([](const invocation& c, const tile_attributes& a) {
        kernel::tile(c.input(0), detail::numbers("the attribute `reps`", a.reps.value), c.result());
    }),
};

} // namespace tutti::relay::kernels
