#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string_view>

namespace tutti {

/// A string literal as a template argument: `make_pass<"FoldConstant">(f)`, `disable<"FuseOps">`.
///
/// Example: `template <fixed_string Name> struct named { static constexpr auto name = Name.view(); };`
template <std::size_t N>
struct fixed_string {
    char text[N]{};

    constexpr fixed_string(const char (&from)[N]) {
        for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
    }

    /// The text without the terminating zero; valid as long as this object exists.
    constexpr std::string_view view() const { return {text, N - 1}; }

    friend constexpr bool operator==(const fixed_string&, const fixed_string&) = default;
};

} // namespace tutti
