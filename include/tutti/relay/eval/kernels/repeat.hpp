#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/repeat.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/repeat.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators that repeat elements or whole tensors.
template <class = void>
inline constexpr std::array repeat_kernels{
    kernel_for<op::repeat>([](const invocation& c, const repeat_attributes& a) {
        kernel::repeat(c.input(0), a.repeats.value.value(), detail::number(a.axis), c.result());
    }),
    kernel_for<op::tile>([](const invocation& c, const tile_attributes& a) {
        kernel::tile(c.input(0), detail::numbers("the attribute `reps`", a.reps.value), c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
