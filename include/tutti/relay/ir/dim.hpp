#pragma once

#include <tutti/kernel/size_math.hpp>
#include <tutti/relay/ir/small_vector.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace tutti::relay {

/// One dimension of a shape, or one element of a list of integers in an attribute: a number, or `?`, which is not known.
///
/// A number is an int32 in the text unless it was made by `wide`, which prints as `5i64`. The two are different values (they
/// print differently) but stand for the same number: compare `value()` where only the number counts.
class dim {
public:
    constexpr dim() = default;
    /// Requires: |value| < 2^61.
    constexpr dim(std::int64_t value) : bits_(value * 4) {}

    static constexpr dim any() { return of_bits(1); }
    static constexpr dim wide(std::int64_t value) { return of_bits(value * 4 + 2); }

    constexpr bool is_any() const { return (bits_ & 3) == 1; }
    constexpr bool is_wide() const { return (bits_ & 3) == 2; }
    /// The number. Requires: it is not `?`.
    constexpr std::int64_t value() const { return bits_ >> 2; }

    /// Whether both are known and the same number, whatever their width.
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

/// A shape, or a list of integers in an attribute. Rank up to six needs no allocation.
using dims = small_vector<dim, 6>;

/// Whether every dimension is known.
constexpr bool is_static(std::span<const dim> shape) {
    for (const dim d : shape)
        if (d.is_any()) return false;
    return true;
}

/// The number of elements of a tensor of that shape; nothing if a dimension is unknown, or if there are 2^48 or
/// more, which no tensor has. One without elements may have other dimensions of any size.
constexpr std::optional<std::int64_t> element_count(std::span<const dim> shape) {
    kernel::element_counter elements;
    for (const dim d : shape) {
        if (d.is_any()) return std::nullopt;
        elements.add(d.value());
    }
    const std::int64_t count = elements.count();
    return count < 0 ? std::nullopt : std::optional(count);
}

} // namespace tutti::relay
