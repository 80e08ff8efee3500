#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <span>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the metadata section of a text with these constants and attributes, for `text_options::metadata`. The
/// reference can also read the section.
///
/// Example: `relay::to_text(m, {.metadata = relay::write_metadata})`
TUTTI_INLINE std::string write_metadata(std::span<const kernel::tensor> constants,
                                        std::span<const kept_attributes> attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/write_metadata.ipp>
#endif
