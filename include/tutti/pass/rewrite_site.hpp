#pragma once

#include <tutti/base/folder.hpp>

#include <string_view>

namespace tutti {

/// A rewrite that a pass is about to make; the second argument of the hook `should_apply`. All texts are valid during
/// the hook.
struct rewrite_site {
    std::string_view rule;   ///< name of the rule within its pass
    std::string_view where;  ///< a line, an expression
    std::string_view part{}; ///< the part of the unit, such as a function; empty if the pass does not say
};

} // namespace tutti
