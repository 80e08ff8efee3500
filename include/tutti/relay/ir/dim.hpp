#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/relay/ir/small_vector.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// A dimension of a shape, or an integer in a list attribute: a number, or `?` if unknown.
///
/// A number prints as an int32 literal, but as `5i64` if it was created by `wide`. 5 and `5i64` compare unequal because
/// they print differently. Compare `value()` if only the number counts.
class dim {
public:
    constexpr dim() = default;
    /// Requires: |value| < 2^61.
    constexpr dim(std::int64_t value) : bits_(value * 4) {}

    static constexpr dim any() { return of_bits(1); }
    static constexpr dim wide(std::int64_t value) { return of_bits(value * 4 + 2); }

    constexpr bool is_any() const { return (bits_ & 3) == 1; }
    constexpr bool is_wide() const { return (bits_ & 3) == 2; }
    /// Returns the number. Requires: it is not `?`.
    constexpr std::int64_t value() const { return bits_ >> 2; }

    /// True if both dimensions are known and are the same number, regardless of width.
    constexpr bool same_number(dim other) const { return !is_any() && !other.is_any() && value() == other.value(); }

    constexpr std::int64_t bits() const { return bits_; }
    static constexpr dim of_bits(std::int64_t bits) {
        dim d;
        d.bits_ = bits;
        return d;
    }

    friend constexpr bool operator==(dim, dim) = default;

private:
    std::int64_t bits_ = 0;
};

/// A shape, or the integers of a list attribute. Up to six elements need no allocation.
using dims = small_vector<dim, 6>;

/// True if every dimension is known.
constexpr bool is_static(std::span<const dim> shape) {
    for (const dim d : shape)
        if (d.is_any()) return false;
    return true;
}

/// Returns the number of elements of a tensor of this shape; nothing if a dimension is unknown or the number is at
/// least 2^48, the limit for tensors. If one dimension is 0, the others may have any size.
constexpr std::optional<std::int64_t> element_count(std::span<const dim> shape) {
    kernel::element_counter elements;
    for (const dim d : shape) {
        if (d.is_any()) return std::nullopt;
        elements.add(d.value());
    }
    const std::int64_t count = elements.count();
    return count < 0 ? std::nullopt : std::optional(count);
}

} // namespace tutti::relay::inline TUTTI_FORM
