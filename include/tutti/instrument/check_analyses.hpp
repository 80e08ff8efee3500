#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/pass/pass_info.hpp>

#include <string>
#include <string_view>

namespace tutti::instrument {

/// Computes every analysis that a pass leaves kept once more after it, so that a pass that says it preserves what it does not is
/// the one that is blamed. Results that cannot be compared are passed over.
///
/// Cost:    that of all analyses that are kept, after every pass.
/// Throws:  `tutti::error` from its hook: "after FuseOps: the analysis dominators is not what …".
struct check_analyses {
    static constexpr std::string_view name = "check_analyses";
    static constexpr bool concurrent = true;

    // a template, since who keeps analyses has included what a tutti::kept_analysis is, and others should not have to
    void analysis_kept(const pass_info& info, const auto& kept) {
        if (!kept.comparable() || kept.holds()) return;
        raise(
            error{"after " + std::string{info.name},
                  (kept.name.empty() ? "an analysis" : "the analysis " + std::string{kept.name}) +
                      " is not what it would be if it was computed now",
                  "a pass to preserve what it says it preserves, and to return tutti::changed if it changed the unit"});
    }
};

} // namespace tutti::instrument
