#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string>

namespace tutti::instrument {

/// How often a check failed for the same passes and rewrites.
struct failure_rate {
    std::size_t failed = 0, runs = 0;

    /// True if the check sometimes fails and sometimes does not.
    bool contradicts_itself() const { return failed != 0 && failed != runs; }
};

/// Returns a rate as text: `3 of 10 runs fail (30 %)`.
inline std::string to_text(const failure_rate& r) {
    std::string text = std::to_string(r.failed);
    text.append(" of ").append(std::to_string(r.runs)).append(r.failed == 1 ? " runs fails (" : " runs fail (");
    return text.append(std::to_string(r.runs == 0 ? 0 : (100 * r.failed + r.runs / 2) / r.runs)).append(" %)");
}

/// Repeats a check whose answers may vary, for a search such as `bisect`. A result counts as wrong if any of the runs
/// fails.
///
/// Example: `repeated_check ten{10}; bisect([&](bisect_limit<>& l) { return ten([&] { return try_with(l); }).failed == 0; });`
class repeated_check {
    std::size_t times_;
    failure_rate worst_; // the rate closest to one half

public:
    explicit repeated_check(std::size_t times) : times_(times == 0 ? 1 : times) {}

    /// Calls `is_right()` repeatedly, and returns how often it returned false.
    template <class IsRight>
    failure_rate operator()(IsRight&& is_right) {
        failure_rate rate;
        for (; rate.runs < times_; ++rate.runs) rate.failed += is_right() ? 0 : 1;
        const auto far = [](const failure_rate& r) { // from one half
            const std::size_t twice = 2 * r.failed;
            return twice > r.runs ? twice - r.runs : r.runs - twice;
        };
        if (rate.contradicts_itself() && (worst_.runs == 0 || far(rate) < far(worst_))) worst_ = rate;
        return rate;
    }

    /// Returns the rate closest to one half of all checks that contradicted themselves. Its `runs` are 0 if none did.
    const failure_rate& contradiction() const { return worst_; }
};

} // namespace tutti::instrument
