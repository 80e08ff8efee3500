#pragma once

#include <string>
#include <string_view>

namespace program {

/// Returns the documentation of a pass or an operator of the library: the doc comment of its struct. Returns "" if
/// there is none, or if the build had no Python to extract it.
std::string about_pass(std::string_view name);
std::string about_op(std::string_view name);

} // namespace program
