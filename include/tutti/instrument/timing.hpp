#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/profile.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::instrument {

/// The definition of a pass's time.
enum class accounting {
    exclude_instruments, ///< the pass alone: the clock stops during all hooks, in any order,
                         ///< at any depth
    as_reference,        ///< includes the begin hooks of later instruments and the end hooks of earlier
                         ///< instruments
};

/// Measures the duration of passes.
///
/// With the default accounting, the clock stops during all hooks, so the position of `timing` among the instruments
/// does not matter. The time of a pass that throws ends when the exception leaves the pass.
///
/// `Clock::now()` returns nanoseconds since an arbitrary epoch.
///
/// Cost:    two clock readings per pass, or four with other instruments; occasional allocations.
/// Example: examples/use_pass_instrument.cpp
template <class Clock>
class basic_timing {
    profile profile_;
    profile last_;
    std::vector<std::size_t> outer_; // for each entered context, the pass around it
    accounting accounting_ = accounting::exclude_instruments;
    bool entered_ = false;
    int stops_ = 0;
    std::int64_t stopped_at_ = 0; // the reading of `Clock` when it stopped
    std::int64_t left_out_ = 0;   // total time for which the clock was stopped
    bool is_part_ = false;        // true in a `fork()` for a part
    std::int64_t cpu_ = 0;        // processor time of the part's passes
    std::int64_t cpu_at_begin_ = 0;

    static std::int64_t cpu_now() {
        if constexpr (requires { Clock::cpu(); })
            return Clock::cpu();
        else
            return Clock::now();
    }

    void end(const pass_info& info) {
        profile_.end(info.name, now());
        if (is_part_ && !profile_.running()) cpu_ += cpu_now() - cpu_at_begin_;
    }
    std::int64_t now() const { return (stops_ > 0 ? stopped_at_ : Clock::now()) - left_out_; }

public:
    static constexpr std::string_view name = "timing";
    static constexpr bool pairs_begin_and_end = true;
    /// The warning of `render` if there is nothing to render.
    static constexpr const char* nothing_profiled = "no passes have been profiled, did you enable pass profiling?";

    explicit basic_timing(accounting how = accounting::exclude_instruments) : accounting_(how) {}

    /// Returns the profile of the entered context; see `profile::render` for its format. Empty if nothing was profiled.
    ///
    /// Throws: `tutti::error` while a pass is running.
    std::string render() const {
        return render([](const char*) {});
    }
    /// Like `render()`, but calls `warn` with a message if nothing was profiled.
    ///
    /// Example: `timing.render([](const char* text) { std::cerr << "Warning: " << text << '\n'; })`
    template <class Warn>
    std::string render(Warn&& warn) const {
        if (profile_.empty()) warn(nothing_profiled);
        return profile_.render();
    }

    /// The measurements since the context was entered.
    const profile& current() const { return profile_; }
    /// The measurements at the last exit from a context.
    const profile& last() const { return last_; }

    void enter_pass_ctx() {
        outer_.push_back(profile_.place());
        entered_ = true;
    }
    /// Moves the profile to `last()`, unless a pass around the context is running. A pass that is still
    /// running because it replaces the instruments of its context ends here.
    void exit_pass_ctx() {
        if (!outer_.empty()) {
            profile_.end_since(outer_.back(), now());
            outer_.pop_back();
        }
        if (profile_.running()) return;
        if (entered_ || !profile_.empty()) {
            std::swap(profile_, last_);
            profile_.clear();
        }
        entered_ = false;
    }
    void run_before_pass(const auto&, const pass_info& info) {
        if (is_part_ && !profile_.running()) cpu_at_begin_ = cpu_now();
        profile_.begin(info.name, [this] { return now(); });
    }
    void run_after_pass(const auto&, const pass_info& info) { end(info); }
    void pass_failed(const auto*, const pass_info& info, const std::exception_ptr&) { end(info); }

    /// Returns an instrument for a part transformed in parallel; see `tutti::forks`. The profile lists passes over
    /// parts as in serial execution; the pass around them also records the processor time of the threads.
    basic_timing fork() const {
        basic_timing part(accounting_);
        part.is_part_ = true;
        return part;
    }
    void join(basic_timing&& part) { profile_.append(part.profile_, part.cpu_); }

    void stop_clock() {
        if (accounting_ == accounting::as_reference) return;
        if (stops_++ == 0) stopped_at_ = Clock::now();
    }
    void start_clock() {
        if (accounting_ == accounting::as_reference) return;
        if (--stops_ == 0) left_out_ += Clock::now() - stopped_at_;
    }
};

/// `basic_timing` with the steady clock.
using timing = basic_timing<tutti::internal::steady_clock>;

} // namespace tutti::instrument
