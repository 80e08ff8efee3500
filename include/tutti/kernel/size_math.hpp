#pragma once

#include <cstdint>

// Arithmetic on sizes, in which what is too large for one stays at the largest: no text and no attribute can make it overflow.
//
// The rules by which shapes follow from shapes (layout.hpp, shape_rules.hpp) are templates over what a size is: a number, or, in an
// IR, a type of its own that may also say that a size is not known, with these functions beside it.

namespace tutti::kernel {

/// The largest size that there is.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 60;

/// The size, or the largest one.
constexpr std::int64_t limited(std::int64_t n) {
    return n > largest_size ? largest_size : n < -largest_size ? -largest_size : n;
}

constexpr bool is_known(std::int64_t) { return true; }
/// The number. Requires: it is known.
constexpr std::int64_t value_of(std::int64_t n) { return n; }

/// Whether a size is known, and that number.
template <class N>
constexpr bool is_number(N n, std::int64_t number) {
    return is_known(n) && value_of(n) == number;
}
/// Whether a size is known, and below 0.
template <class N>
constexpr bool is_negative(N n) {
    return is_known(n) && value_of(n) < 0;
}

/// a + b, a - b and a · b. Requires: sums are of sizes up to the largest.
constexpr std::int64_t plus(std::int64_t a, std::int64_t b) { return limited(a + b); }
constexpr std::int64_t minus(std::int64_t a, std::int64_t b) { return limited(a - b); }
constexpr std::int64_t times(std::int64_t a, std::int64_t b) {
    const std::int64_t x = limited(a);
    const std::int64_t y = limited(b);
    const std::int64_t room = y == 0 ? largest_size : largest_size / (y < 0 ? -y : y);
    if (x > room || x < -room) return (x < 0) == (y < 0) ? largest_size : -largest_size;
    return x * y;
}

/// a / b rounded down. Requires: b is positive, a is not negative.
///
/// Cost: where both are below 2^32, that of a division of 32 bits, of which processors do several in the time of one of 64.
constexpr std::int64_t quotient(std::int64_t a, std::int64_t b) {
    return ((a | b) >> 32) == 0 ? std::int64_t{static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b)} : a / b;
}

/// Whether b, which is positive, divides a, as far as that is known.
constexpr bool may_divide(std::int64_t b, std::int64_t a) { return a % b == 0; }

/// Whether a and b are the same number, as far as that is known.
constexpr bool may_equal(std::int64_t a, std::int64_t b) { return a == b; }

/// A tensor has fewer elements than that.
inline constexpr std::int64_t too_many_elements = std::int64_t{1} << 48;

/// Counts the elements of a tensor, dimension by dimension. One without elements may have other dimensions of any size.
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

    /// The number of elements; -1 if a dimension is negative or above 2^60, or there would be too many.
    constexpr std::int64_t count() const {
        if (refused_) return -1;
        return none_ ? 0 : count_ < too_many_elements ? count_ : -1;
    }
};

} // namespace tutti::kernel
