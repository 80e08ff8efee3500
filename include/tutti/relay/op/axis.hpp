#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/relation.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the index of an axis. A negative `axis` counts from the end.
///
/// Throws: `tutti::error` that names the attribute if the axis does not exist.
TUTTI_CONSTEXPR std::size_t checked_axis(const relation& r, std::string_view attribute, std::int64_t axis,
                                         std::size_t rank);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/axis.ipp>
#endif
