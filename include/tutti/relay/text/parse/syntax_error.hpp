#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <cstddef>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::text {

/// A position in a text, for diagnostics.
struct place {
    source_location where;
    std::size_t offset = 0;
};

/// Thrown where parsing cannot continue. The parser catches the error and resumes later in the text.
struct syntax_error {
    place at;
    std::string problem;
    std::string expected;
};

/// Thrown instead of `syntax_error` if the error has already been reported.
struct skipped {};

/// Thrown when the limit on errors is reached. Ends parsing.
struct too_much {};

} // namespace tutti::relay::inline TUTTI_FORM::text
