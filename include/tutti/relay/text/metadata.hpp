#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/text/parse_options.hpp>
#include <tutti/relay/text/write_metadata.hpp> // so that one header both reads and writes

#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace text {

/// Largest number of JSON values in a section. Each takes 24 bytes, however short its text.
inline constexpr std::uint64_t most_metadata_values = std::uint64_t{1} << 22;

/// Limit on the number of members that lookups visit. It keeps the cost linear if nodes are referenced many times.
inline constexpr std::uint64_t most_metadata_lookups = std::uint64_t{1} << 26;

} // namespace text

/// Reads the constants and the attributes of calls in a metadata section, in the order of their numbers. Assign this
/// function to `parse_options::metadata`.
///
/// Throws:  `tutti::error` that describes the mistake in the section.
/// Example: `relay::parse(text, {.metadata = relay::read_metadata})`
TUTTI_INLINE metadata_content read_metadata(std::string_view section);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/metadata.ipp>
#endif
