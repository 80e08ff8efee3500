#pragma once

#include <tutti/base/folder.hpp>

#include <cstdint>

// Saturating arithmetic on sizes. It does not overflow, whatever sizes a program contains.
//
// The rules that derive shapes from shapes (layout.hpp, shape_rules.hpp) are templates over the type of a size. This is
// std::int64_t, or an IR's own type that can also represent unknown sizes and overloads these functions.

namespace tutti::kernel {

/// The largest size.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 60;

/// Clamps a size to [-largest_size, largest_size].
constexpr std::int64_t limited(std::int64_t n) {
    return n > largest_size ? largest_size : n < -largest_size ? -largest_size : n;
}

constexpr bool is_known(std::int64_t) { return true; }
/// Returns a size as a number. Requires: the size is known.
constexpr std::int64_t value_of(std::int64_t n) { return n; }

/// True if a size is known and equals the number.
template <class N>
constexpr bool is_number(N n, std::int64_t number) {
    return is_known(n) && value_of(n) == number;
}
/// True if a size is known and negative.
template <class N>
constexpr bool is_negative(N n) {
    return is_known(n) && value_of(n) < 0;
}

/// Returns a + b, a - b or a · b, clamped. Requires: operands of `plus` and `minus` are in the range of `limited`.
constexpr std::int64_t plus(std::int64_t a, std::int64_t b) { return limited(a + b); }
constexpr std::int64_t minus(std::int64_t a, std::int64_t b) { return limited(a - b); }
constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
    const std::int64_t x = limited(a);
    const std::int64_t y = limited(b);
    const std::int64_t room = y == 0 ? largest_size : largest_size / (y < 0 ? -y : y);
    if (x > room || x < -room) return (x < 0) == (y < 0) ? largest_size : -largest_size;
    return x * y;
}

/// Returns a / b rounded down. Requires: b is positive, a is not negative.
///
/// Cost: one division. If a and b are below 2^32, a 32-bit division, which is several times as fast as a 64-bit one.
constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
    return ((a | b) >> 32) == 0 ? std::int64_t{static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b)} : a / b;
}

/// True unless b is known not to divide a. Requires: b is positive.
constexpr bool may_divide(std::int64_t b, std::int64_t a) { return a % b == 0; }

/// True unless a and b are known to differ.
constexpr bool may_equal(std::int64_t a, std::int64_t b) { return a == b; }

/// One more than the maximum number of elements of a tensor.
inline constexpr std::int64_t too_many_elements = std::int64_t{1} << 48;

/// Counts the elements of a tensor, dimension by dimension. If one dimension is 0, the product of the others may have
/// any size.
class element_counter {
    std::int64_t count_ = 1; // at most too_many_elements
    bool none_ = false, refused_ = false;

public:
    constexpr void add(std::int64_t dimension) {
        if (dimension < 0 || dimension > largest_size) refused_ = true;
        if (dimension == 0) none_ = true;
        if (dimension <= 0 || count_ == too_many_elements) return;
        count_ = count_ > (too_many_elements - 1) / dimension ? too_many_elements : count_ * dimension;
    }

    /// Returns the number of elements; -1 if a dimension is negative or above 2^60, or if there are too many elements.
    constexpr std::int64_t count() const {
        if (refused_) return -1;
        return none_ ? 0 : count_ < too_many_elements ? count_ : -1;
    }
};

} // namespace tutti::kernel
