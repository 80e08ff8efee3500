#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tutti {

/// How often a unit uses each of its operators.
using operator_counts = std::map<std::string, std::int64_t, std::less<>>;

} // namespace tutti
