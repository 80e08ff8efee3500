#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// Verifies units after each pass. Also verifies a unit that may have changed since the last check: before an outermost
/// pass of a context and, in a sequential or an adaptor, before a pass that follows one that `verify` does not see. The
/// error therefore names the pass that broke the unit.
///
/// Requires: units can be verified (`unit_traits<Unit>::verify`); passes over parts that cannot be verified are
///           skipped.
/// Throws:   `tutti::error` from its hooks: "after FoldConstant: …".
class verify {
    struct running_pass {
        seen_run seen;
        pass_kind kind;
    };

    pass_frames<running_pass> frames_;

    // True if the unit need not be verified before the pass: it has been verified since it last changed, or the pass
    // around this one is a plain pass, which may run others over an incomplete result.
    bool knows(const pass_run& begins) {
        const running_pass* const outer = frames_.around();
        if (outer == nullptr) return false;
        return outer->kind == pass_kind::pass ? outer->seen.runs(begins) : outer->seen.is_next(begins);
    }

public:
    static constexpr std::string_view name = "verify";

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`.
    verify fork() const { return *this; }
    void join(verify&&) {}

    void enter_pass_ctx() { frames_.enter(); }
    void exit_pass_ctx() { frames_.exit(); }
    template <tutti::internal::is_verified Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        if (!knows(run)) tutti::checked_around("before", run.name, [&] { unit_traits<Unit>::verify(unit); });
        frames_.begin(run, {seen_run(run), run.kind});
    }
    template <tutti::internal::is_verified Unit>
    void run_after_pass(const Unit& unit, const pass_run& run) {
        frames_.end(run);
        tutti::checked_after(run.name, [&] { unit_traits<Unit>::verify(unit); });
        if (!frames_.empty() && frames_.back().seen.runs(run)) frames_.back().seen.see(run);
    }
    template <tutti::internal::is_verified Unit>
    void pass_failed(const Unit*, const pass_info& info, const std::exception_ptr&) {
        frames_.end(info);
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...>) {
        constexpr bool fits = (tutti::internal::is_verified<Unit> || ...);
        static_assert(
            fits,
            "tutti::instrument::verify: a unit must be verifiable; specialise tutti::unit_traits for it, before it is used, "
            "with static void verify(const Unit&)");
        return fits;
    }
};

} // namespace tutti::instrument
