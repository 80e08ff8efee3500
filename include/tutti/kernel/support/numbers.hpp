#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// The value of one element of any type: an int64, a uint64 or a double.
class number {
public:
    constexpr number(std::int64_t value) : kind_(kind::integer), integer_(value) {} // NOLINT: implicit by intent
    constexpr number(std::uint64_t value) : kind_(kind::large), large_(value) {}    // NOLINT
    constexpr number(double value) : kind_(kind::floating), floating_(value) {}     // NOLINT

    /// Returns element `place` of the tensor, in row-major order. Requires: the element exists.
    static constexpr number at(const tensor& t, std::int64_t place) {
        return detail::with_arithmetic(t.type(), [&]<class C>(std::type_identity<C>) -> number {
            C room[1];
            return carrier<C>(*detail::read_block(t, place, 1, +room));
        });
    }

    /// Stores the number as element `place`, converted as `convert` does. Requires: the element exists; `t` is not
    /// shared.
    constexpr void put(tensor& t, std::int64_t place) const {
        switch (kind_) {
        case kind::integer:
            return detail::convert_block(&integer_, 1, t, place);
        case kind::large:
            return detail::convert_block(&large_, 1, t, place);
        case kind::floating:
            return detail::convert_block(&floating_, 1, t, place);
        }
    }

    /// Returns the nearest double.
    constexpr double real() const {
        return kind_ == kind::integer ? static_cast<double>(integer_)
               : kind_ == kind::large ? static_cast<double>(large_)
                                      : floating_;
    }

private:
    enum class kind : std::uint8_t { integer, large, floating };

    template <class C>
    using carrier = std::conditional_t<std::is_same_v<C, float>, double, C>;

    kind kind_;
    std::int64_t integer_ = 0;
    std::uint64_t large_ = 0;
    double floating_ = 0;
};

namespace detail {

/// Reads integers from element `first` on. Values above the range of std::int64_t become the maximum of std::int64_t.
///
/// Requires: the elements exist.
/// Throws:   tutti::error if the elements are of floating point. The message calls the tensor `what`.
constexpr void read_integers(std::string_view kernel, std::string_view what, const tensor& t, std::int64_t first,
                             std::span<std::int64_t> into) {
    if (t.empty() || is_floating(t.type())) fail(kernel, {what, " is ", t}, "integers");
    constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const auto n = static_cast<std::int64_t>(into.size());
    if (t.type() == dtype::uint64)
        for (std::int64_t i = 0; i < n; ++i)
            into[static_cast<std::size_t>(i)] =
                static_cast<std::int64_t>(std::min(t.data<std::uint64_t>()[first + i], greatest));
    else if (t.type() == dtype::int64)
        std::copy_n(t.data<std::int64_t>() + first, n, into.data());
    else
        read_block(t, first, n, into.data());
}

} // namespace detail

/// Returns the integers of a vector, such as a list of sizes.
///
/// Throws: tutti::error if the tensor is not a vector of at most `max_rank` integers. The message calls it `what`.
constexpr extents integers(std::string_view kernel, std::string_view what, const tensor& t) {
    if (t.rank() != 1 || t.shape()[0] > static_cast<std::int64_t>(max_rank))
        detail::fail(kernel, {what, " is ", t}, "a vector of at most 32 integers");
    extents values(static_cast<std::size_t>(t.size()), 0);
    detail::read_integers(kernel, what, t, 0, {&values[0], values.size()});
    return values;
}

/// Returns the integer of a tensor with one element.
///
/// Throws: tutti::error if the tensor does not contain exactly one integer. The message calls it `what`.
constexpr std::int64_t integer(std::string_view kernel, std::string_view what, const tensor& t) {
    if (t.size() != 1) detail::fail(kernel, {what, " is ", t}, "one integer");
    std::int64_t value = 0;
    detail::read_integers(kernel, what, t, 0, {&value, 1});
    return value;
}

/// Returns the number of a tensor with one element.
///
/// Throws: tutti::error if the tensor does not contain exactly one element. The message calls it `what`.
constexpr number scalar(std::string_view kernel, std::string_view what, const tensor& t) {
    if (t.size() != 1) detail::fail(kernel, {what, " is ", t}, "one element");
    return number::at(t, 0);
}

} // namespace tutti::kernel
