#pragma once

#include <tutti/relay/op/relation.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Returns the index of an axis; negative numbers count from the end.
///
/// Throws: `tutti::error` that names the attribute if the axis does not exist.
constexpr std::size_t checked_axis(const relation& r, std::string_view attribute, std::int64_t axis, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    if (axis >= -n && axis < n) return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
    std::string given;
    append_number(given, axis);
    std::string expected;
    if (n == 0) {
        expected = "one dimension or more";
    } else {
        append_number(expected, -n);
        expected += " to ";
        append_number(expected, n - 1);
    }
    r.refuse_attribute(attribute, given + " is not an axis of " + to_text(r.types(), r.argument(0)),
                       std::move(expected));
}

} // namespace tutti::relay
