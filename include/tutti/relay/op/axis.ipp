#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR std::size_t checked_axis(const relation& r, std::string_view attribute, std::int64_t axis,
                                         std::size_t rank) {
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

} // namespace tutti::relay::inline TUTTI_FORM
