#pragma once

#include <tutti/relay/ir/graph.hpp>

#include <cstddef>
#include <string>

namespace tutti::relay::text {

/// A place in a text, as diagnostics need it.
struct place {
    source_location where;
    std::size_t offset = 0;
};

/// Thrown where the text cannot be gone on with; the parser takes it up again further on.
struct syntax_error {
    place at;
    std::string problem;
    std::string expected;
};

/// Thrown likewise, where what is wrong was noted already.
struct skipped {};

/// Thrown where a limit is met: nothing more is read.
struct too_much {};

} // namespace tutti::relay::text
