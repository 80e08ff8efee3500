#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/relay/ir/dim.hpp>

#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

// Arithmetic on dimensions; tutti/kernel/support/size_math.hpp does the same for numbers. An operation with `?` yields
// `?`.

/// The largest size of a dimension.
inline constexpr std::int64_t largest_dim = kernel::largest_size;

constexpr bool is_known(dim d) { return !d.is_any(); }
constexpr std::int64_t value_of(dim d) { return d.value(); }

/// a + b
constexpr dim plus(dim a, dim b) {
    return a.is_any() || b.is_any() ? dim::any() : dim(kernel::plus(a.value(), b.value()));
}
/// a - b
constexpr dim minus(dim a, dim b) {
    return a.is_any() || b.is_any() ? dim::any() : dim(kernel::minus(a.value(), b.value()));
}
/// a · b
constexpr dim times(dim a, dim b) {
    return a.is_any() || b.is_any() ? dim::any() : dim(kernel::times(a.value(), b.value()));
}
/// a / b rounded down. Requires: b > 0 and a >= 0 if they are known.
constexpr dim quotient(dim a, dim b) {
    return a.is_any() || b.is_any() ? dim::any() : dim(kernel::quotient(a.value(), b.value()));
}

/// Returns the product of the sizes: 1 if there are none, `?` if a size is unknown.
constexpr dim product(std::span<const dim> sizes) {
    dim n = 1;
    for (const dim d : sizes) n = times(n, d);
    return n;
}

/// True if a and b could be equal.
constexpr bool may_equal(dim a, dim b) { return a.is_any() || b.is_any() || a.value() == b.value(); }

/// True if b could divide a. Requires: b > 0 if it is known.
constexpr bool may_divide(dim b, dim a) { return a.is_any() || b.is_any() || a.value() % b.value() == 0; }

} // namespace tutti::relay::inline TUTTI_FORM
