#pragma once

#include <tutti/relay/ir/dim.hpp>

#include <cstdint>
#include <span>

namespace tutti::relay {

// Arithmetic on dimensions: `?` with anything is `?`, and what is too large for a dimension stays at the
// largest, so that no text can make a type relation overflow.

/// The largest size that a dimension has here.
inline constexpr std::int64_t largest_dim = std::int64_t{1} << 60;

namespace detail {

constexpr std::int64_t limited(std::int64_t n) {
    return n > largest_dim ? largest_dim : n < -largest_dim ? -largest_dim : n;
}

} // namespace detail

/// a + b
constexpr dim plus(dim a, dim b) {
    if (a.is_any() || b.is_any()) return dim::any();
    return detail::limited(a.value() + b.value());
}

/// a - b
constexpr dim minus(dim a, dim b) {
    if (a.is_any() || b.is_any()) return dim::any();
    return detail::limited(a.value() - b.value());
}

/// a · b
constexpr dim times(dim a, dim b) {
    if (a.is_any() || b.is_any()) return dim::any();
    const std::int64_t x = detail::limited(a.value());
    const std::int64_t y = detail::limited(b.value());
    const std::int64_t room = y == 0 ? largest_dim : largest_dim / (y < 0 ? -y : y);
    if (x > room || x < -room) return (x < 0) == (y < 0) ? largest_dim : -largest_dim;
    return x * y;
}

/// a / b rounded down. Requires: b is positive, a is not negative, or one of them is `?`.
constexpr dim quotient(dim a, dim b) {
    if (a.is_any() || b.is_any()) return dim::any();
    return a.value() / b.value();
}

/// The product of the sizes, 1 without any, `?` if one is.
constexpr dim product(std::span<const dim> sizes) {
    dim n = 1;
    for (const dim d : sizes) n = times(n, d);
    return n;
}

/// Whether a and b could be the same number.
constexpr bool may_equal(dim a, dim b) { return a.is_any() || b.is_any() || a.value() == b.value(); }

} // namespace tutti::relay
