#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/numbers.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/create.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::kernels {

namespace detail {

/// A tensor like the first argument, all of one value.
constexpr bool filled_like(const invocation& c, const kernel::number& value) {
    kernel::full(value, c.input(0).type(), c.input(0).shape(), c.result());
    return true;
}

} // namespace detail

/// The operators that make a tensor of the shape and type of another.
inline constexpr std::array create_like_kernels{
    kernel_entry{op::full_like::name,
                 [](const invocation& c) {
                     return detail::filled_like(c, kernel::scalar("full_like", "the value", c.input(1)));
                 }},
    kernel_entry{op::ones_like::name, [](const invocation& c) { return detail::filled_like(c, std::int64_t{1}); }},
    kernel_entry{op::zeros_like::name, [](const invocation& c) { return detail::filled_like(c, std::int64_t{0}); }},
};

} // namespace tutti::relay::kernels
