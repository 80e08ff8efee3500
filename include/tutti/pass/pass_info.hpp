#pragma once

#include <string_view>

namespace tutti {

/// What a pass says of itself: its name and the level from which a sequential runs it.
///
/// Example: `static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};`
struct pass_info {
    std::string_view name; ///< a view to a literal, or to text that lives as long as the pass
    int opt_level = 0;     ///< a sequential runs the pass if the context's level is at least this

    friend constexpr bool operator==(const pass_info&, const pass_info&) = default;
};

/// Why a pass was not run; the second argument of the hook `pass_skipped`.
enum class skip_reason {
    disabled,   ///< the context disables it
    opt_level,  ///< the context's level is below the pass's
    instrument, ///< some instrument's `should_run` said no
};

/// `why` as a word: "disabled", "opt_level", "instrument".
constexpr std::string_view to_string(skip_reason why) {
    switch (why) {
    case skip_reason::disabled:
        return "disabled";
    case skip_reason::opt_level:
        return "opt_level";
    case skip_reason::instrument:
        break;
    }
    return "instrument";
}

} // namespace tutti
