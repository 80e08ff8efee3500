#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

// Converts attributes to the kernels' representation.

namespace detail {

/// Returns an attribute's numbers without an allocation.
///
/// Throws: tutti::error if there are more numbers than a kernel supports, or a number is unknown; `what` names the
///         attribute.
constexpr kernel::extents numbers(std::string_view what, const dims& given) {
    kernel::extents values;
    for (const dim d : given) {
        if (d.is_any() || values.size() == kernel::max_rank)
            throw error{std::string(what), d.is_any() ? "an unknown number" : "too many numbers", "at most 32 numbers"};
        values.push_back(d.value());
    }
    return values;
}

/// Returns the numbers of an attribute that may be None.
constexpr std::optional<kernel::extents> numbers(std::string_view what, const std::optional<dims>& given) {
    return given ? std::optional(numbers(what, *given)) : std::nullopt;
}

/// Returns an optional list as a span. Requires: the list outlives the result.
constexpr std::optional<std::span<const std::int64_t>> list(const std::optional<kernel::extents>& values) {
    return values ? std::optional<std::span<const std::int64_t>>(*values) : std::nullopt;
}

constexpr std::optional<std::int64_t> number(const std::optional<dim>& given) {
    return given ? std::optional(given->value()) : std::nullopt;
}

/// The first and the second elements of a list of pairs.
struct pairs {
    kernel::extents before;
    kernel::extents after;

    constexpr operator kernel::pad_width() const& { return {before, after}; } // implicit on purpose
};

/// Reads a list of pairs from the front of attributes, without the allocations of a vector of pairs.
///
/// Throws: tutti::error if there are more pairs than a kernel supports, or an element is not a pair of numbers;
///         `what` names the attribute.
constexpr pairs read_pairs(std::string_view what, relay::detail::attr_reader& reader) {
    pairs all;
    for (std::uint32_t left = reader.next().count; left != 0; --left) {
        bool good = all.before.size() < kernel::max_rank && reader.next().count == 2;
        if (good) {
            const dim before = reader.next().number();
            const dim after = reader.next().number();
            good = !before.is_any() && !after.is_any();
            all.before.push_back(before.value());
            all.after.push_back(after.value());
        }
        if (!good) throw error{std::string(what), "not a list of pairs", "two numbers for each of at most 32 axes"};
    }
    return all;
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM::kernels
