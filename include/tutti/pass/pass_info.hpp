#pragma once

#include <cstddef>
#include <string_view>

namespace tutti {

/// What a pass is made of.
enum class pass_kind {
    pass,       ///< it transforms units itself
    sequential, ///< it runs other passes one after another
    adaptor,    ///< it runs other passes in a way of its own: over parts, several times, on a condition
};

/// What a pass says of itself: its name and the level from which a sequential runs it.
///
/// Example: `static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};`
struct pass_info {
    std::string_view name; ///< a view to a literal, or to text that lives as long as the pass
    int opt_level = 0;     ///< a sequential runs the pass if the context's level is at least this
    pass_kind kind = pass_kind::pass;

    friend constexpr bool operator==(const pass_info&, const pass_info&) = default;
};

/// One run of a pass, with the run around it: what a hook gets that takes this instead of a `pass_info`.
struct pass_run : pass_info {
    const pass_run* outer = nullptr; ///< the run of the pass that ran this one; null for the outermost
    int depth = 0;                   ///< how many are around it
    /// How many runs have begun in the context: where this one begins, with it; where it ends, with those inside of it; 0 until it is
    /// decided that it runs. Each of several parts at the same time goes on from the number of the whole.
    std::size_t number = 0;
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
