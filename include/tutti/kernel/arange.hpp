#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Returns the number of elements from `start` up or down to `stop` (exclusive), `step` apart; 0 if the step leads away
/// from `stop`.
///
/// Throws: tutti::error if an operand is not a single number, if types differ, if the step is 0, or if there are 2^48
///         or more elements.
constexpr std::int64_t arange_length(const tensor& start, const tensor& stop, const tensor& step) {
    constexpr std::string_view kernel = "arange";
    if (start.type() != stop.type() || start.type() != step.type() || start.type() == dtype::boolean)
        detail::fail(kernel, {start, " to ", stop, ", ", step, " apart"}, "numbers of one type");
    constexpr auto limit = std::int64_t{1} << 48;
    const auto refuse = [&] {
        detail::fail(kernel,
                     {scalar(kernel, "start", start).real(), " to ", scalar(kernel, "stop", stop).real(), ", ",
                      scalar(kernel, "step", step).real(), " apart"},
                     "a step that is not 0, and fewer than 2^48 numbers");
    };
    if (is_floating(start.type())) {
        const double count = (scalar(kernel, "stop", stop).real() - scalar(kernel, "start", start).real()) /
                             scalar(kernel, "step", step).real();
        if (!(count < static_cast<double>(limit)) || count * 0 != 0) refuse();
        const auto whole = count > 0 ? static_cast<std::int64_t>(count) : 0;
        return static_cast<double>(whole) < count ? whole + 1 : whole;
    }
    const std::int64_t first = integer(kernel, "start", start);
    const std::int64_t end = integer(kernel, "stop", stop);
    const std::int64_t by = integer(kernel, "step", step);
    if (by == 0) refuse();
    if (by > 0 ? end <= first : end >= first) return 0;
    const auto a = static_cast<std::uint64_t>(by > 0 ? first : end);
    const auto b = static_cast<std::uint64_t>(by > 0 ? end : first);
    const auto distance = by > 0 ? static_cast<std::uint64_t>(by) : 0 - static_cast<std::uint64_t>(by);
    const std::uint64_t count = (b - a - 1) / distance + 1;
    if (count >= static_cast<std::uint64_t>(limit)) refuse();
    return static_cast<std::int64_t>(count);
}

/// Fills `out` with a vector of the numbers from `start` up or down to `stop` (exclusive), `step` apart, of element
/// type `type`.
///
/// Throws: tutti::error if the type is `none`, and when `arange_length` does.
constexpr void arange(const tensor& start, const tensor& stop, const tensor& step, dtype type, tensor& out) {
    if (type == dtype::none) detail::fail("arange", "elements of type void", "an element type");
    const std::int64_t shape[]{arange_length(start, stop, step)};
    detail::make_result("arange", type, shape, out);
    detail::with_arithmetic(start.type(), [&]<class C>(std::type_identity<C>) {
        C rooms[2];
        const C first = *detail::read_block(start, 0, 1, &rooms[0]);
        const C by = *detail::read_block(step, 0, 1, &rooms[1]);
        C numbers[detail::block_length];
        for (std::int64_t at = 0; at < shape[0]; at += detail::block_length) {
            const std::int64_t n = std::min(detail::block_length, shape[0] - at);
            for (std::int64_t i = 0; i < n; ++i) {
                if constexpr (std::integral<C>) // no element overflows, but the product may
                    numbers[i] = static_cast<C>(static_cast<std::uint64_t>(first) +
                                                static_cast<std::uint64_t>(by) * static_cast<std::uint64_t>(at + i));
                else
                    numbers[i] = first + by * static_cast<C>(at + i);
            }
            detail::convert_block(&numbers[0], n, out, at);
        }
    });
}

} // namespace tutti::kernel
