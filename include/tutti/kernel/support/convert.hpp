#pragma once

#include <tutti/kernel/bfloat16.hpp>
#include <tutti/kernel/support/element.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// Returns a float that rounds to the same float16 and bfloat16 as x. Rounds to odd if the result is inexact.
/// Source: Boldo and Melquiond, "When double rounding is odd", 2004.
constexpr float round_to_odd(double x) {
    using limits = std::numeric_limits<float>;
    if (x > static_cast<double>(limits::max())) return limits::infinity(); // overflows in float16 and bfloat16, too
    if (x < static_cast<double>(limits::lowest())) return -limits::infinity();
    const auto f = static_cast<float>(x);
    const auto back = static_cast<double>(f);
    if (back == x || x != x) return f;
    auto bits = std::bit_cast<std::uint32_t>(f);
    if (element::abs{}(back) > element::abs{}(x)) --bits;
    return std::bit_cast<float>(bits | 1U);
}

template <std::integral To, std::floating_point From>
constexpr To saturate(From x) {
    using limits = std::numeric_limits<To>;
    // The least value, and the greatest value plus one, are powers of two or zero, thus exact in float and double.
    constexpr From end = static_cast<From>(limits::max() / 2 + 1) * 2;
    if (x != x) return To{0};
    if (x >= end) return limits::max();
    if (x <= static_cast<From>(limits::min())) return limits::min();
    return static_cast<To>(x);
}

} // namespace detail

/// Converts one element to another element type.
///
/// To bool: true if not zero (also for NaN). Integer to integer: wraps. To floating point: the nearest value, ties to
/// even; overflow yields an infinity; integers are converted to bfloat16 by way of float. Floating point to integer:
/// truncates and saturates; NaN yields 0.
template <class To, class From>
constexpr To convert(From x) {
    if constexpr (std::is_same_v<To, From>)
        return x;
    else if constexpr (is_half<From>)
        return convert<To>(static_cast<float>(x));
    else if constexpr (std::is_same_v<To, bool>)
        return x != From{0};
    else if constexpr (is_half<To> && std::is_same_v<From, double>)
        return To(detail::round_to_odd(x));
    else if constexpr (is_half<To>)
        return To(convert<float>(x));
    else if constexpr (std::integral<To> && std::floating_point<From>)
        return detail::saturate<To>(x);
    else
        return static_cast<To>(x);
}

} // namespace tutti::kernel
