#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/slice.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/slice.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

constexpr std::optional<kernel::slice_end> slice_mode(std::string_view text) {
    if (text == "end") return kernel::slice_end::place;
    if (text == "size") return kernel::slice_end::size;
    return std::nullopt;
}

} // namespace detail

/// Operators that slice tensors.
template <class = void>
inline constexpr std::array slice_kernels{
    kernel_for<op::strided_slice>([](const invocation& c, const strided_slice_attributes& a) {
        const auto begin = detail::numbers("the attribute `begin`", a.begin.value);
        const auto end = detail::numbers("the attribute `end`", a.end.value);
        const auto strides = detail::numbers("the attribute `strides`", a.strides.value);
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        const auto mode = detail::slice_mode(a.slice_mode);
        if (!begin || !end || !strides || !mode) return false;
        kernel::strided_slice(c.input(0), {*begin, *end, *strides, detail::list(axes), *mode}, c.result());
        return true;
    }),
    kernel_for<op::strided_set>([](const invocation& c, const auto&) {
        const kernel::extents begin = kernel::integers("strided_set", "begin", c.input(2));
        const kernel::extents end = kernel::integers("strided_set", "end", c.input(3));
        const kernel::extents strides = kernel::integers("strided_set", "strides", c.input(4));
        kernel::strided_set(c.input(0), c.input(1), {.begin = begin, .end = end, .strides = strides, .axes = {}},
                            c.result());
    }),
    kernel_for<op::slice_like>([](const invocation& c, const slice_like_attributes& a) {
        const auto axes = detail::numbers("the attribute `axes`", a.axes.value);
        kernel::slice_like(c.input(0), c.input(1), detail::list(axes), c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
