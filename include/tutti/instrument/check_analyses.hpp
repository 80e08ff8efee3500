#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/pass_info.hpp>

#include <string>
#include <string_view>

namespace tutti::instrument {

/// Recomputes every kept analysis after each pass, and throws if the result differs. Also recomputes a kept analysis at
/// each request. This finds units that changed without notice: the pass changed the unit itself, a pass in a context
/// that keeps no analyses changed it, or another unit now has the same address. Skips results that cannot be compared.
///
/// Cost:    computes all kept analyses after every pass, and a kept analysis at each request.
/// Throws:  `tutti::error` from its hook: "after FuseOps: the analysis dominators is stale: …".
struct check_analyses {
    static constexpr std::string_view name = "check_analyses";
    static constexpr bool concurrent = true;
    static constexpr bool sees_reuse = true;

    // a template, so that tutti::kept_analysis need not be included here
    void analysis_kept(const pass_info& info, const auto& kept) {
        if (!kept.comparable() || kept.holds()) return;
        if (kept.asked_for)
            raise(error{
                "in " + std::string{info.name},
                (kept.name.empty() ? "a kept analysis" : "the kept analysis " + std::string{kept.name}) +
                    " is stale: computing it again gives another result",
                "a pass to call ctx.invalidate(unit) after it changes the unit itself or in another context, and not "
                "to request analyses of units that end before it does"});
        raise(error{
            "after " + std::string{info.name},
            (kept.name.empty() ? "an analysis" : "the analysis " + std::string{kept.name}) +
                " is stale: computing it again gives another result",
            "a pass to preserve what it claims to preserve, and to return tutti::changed if it changes the unit"});
    }
};

} // namespace tutti::instrument
