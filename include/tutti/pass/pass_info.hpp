#pragma once

#include <tutti/pass/fwd.hpp>

#include <cstddef>
#include <string_view>

namespace tutti {

/// The kind of a pass.
enum class pass_kind {
    pass,       ///< transforms units itself
    sequential, ///< runs other passes in sequence
    adaptor,    ///< runs other passes over parts, repeatedly or conditionally
};

/// How a pass with members runs them, in its member `runs_members`; for the check of properties. Adaptors without this
/// member may run theirs.
enum class members_run { once, repeatedly, perhaps };

/// The description of a pass: its name, and the level from which a sequential runs it.
///
/// Example: `static constexpr tutti::pass_info info{.name = "FoldConstant", .opt_level = 2};`
struct pass_info {
    std::string_view name; ///< a literal, or text that outlives the pass
    int opt_level = 0;     ///< a sequential runs the pass if the context's level is at least this
    pass_kind kind = pass_kind::pass;

    friend constexpr bool operator==(const pass_info&, const pass_info&) = default;
};

/// One run of a pass, for hooks that take this instead of a `pass_info`. It refers to the surrounding run.
struct pass_run : pass_info {
    const pass_run* outer = nullptr; ///< the run of the pass that runs this one; null for the outermost
    int depth = 0;                   ///< number of surrounding runs
    /// Number of runs begun in the context. At the beginning of this run, the number includes this run. At the end, it
    /// also includes the runs inside this run. It is 0 in `should_run`. In each parallel part, the count continues from
    /// the number of the whole.
    std::size_t number = 0;
};

/// The reason why a pass was skipped; the second argument of the hook `pass_skipped`.
enum class skip_reason {
    disabled,   ///< disabled by the context
    opt_level,  ///< the context's level is below the level of the pass
    instrument, ///< rejected by an instrument's `should_run`
    stopped,    ///< the context's `stop_token` was requested, or a pass failed in a `try_run`
};

/// Returns `why` as a word: "disabled", "opt_level", "instrument", "stopped".
constexpr std::string_view to_string(skip_reason why) {
    switch (why) {
    case skip_reason::disabled:
        return "disabled";
    case skip_reason::opt_level:
        return "opt_level";
    case skip_reason::stopped:
        return "stopped";
    case skip_reason::instrument:
        break;
    }
    return "instrument";
}

} // namespace tutti
