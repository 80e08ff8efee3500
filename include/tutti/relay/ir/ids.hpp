#pragma once

#include <tutti/base/form.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// An expression of a graph: its index in the vector of nodes. Operands have smaller ids than their users.
enum class expr_id : std::uint32_t { none = 0xFFFFFFFFU };

/// A type of a graph's type table. Equal types have equal ids.
enum class type_id : std::uint32_t { none = 0xFFFFFFFFU };

/// A list of attribute values of a graph. Equal lists have equal ids.
enum class attrs_id : std::uint32_t { none = 0xFFFFFFFFU };

/// A string of a graph. Equal strings have equal ids.
enum class string_id : std::uint32_t { none = 0xFFFFFFFFU };

/// Converts an id to an index.
template <class Id>
constexpr std::uint32_t index(Id id) {
    return static_cast<std::uint32_t>(id);
}

} // namespace tutti::relay::inline TUTTI_FORM
