#pragma once

#include <tutti/base/folder.hpp>

namespace tutti {

/// The version of these headers. A test compares it with meson.build.
inline constexpr struct version_numbers {
    int major_number = 0;
    int minor_number = 1;
    int patch_number = 0;
} version{};

} // namespace tutti
