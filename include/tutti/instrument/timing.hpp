#pragma once

#include <tutti/error.hpp>
#include <tutti/instrument/profile.hpp>
#include <tutti/pass/pass_info.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <utility>

namespace tutti::instrument {

/// What `timing` counts as a pass's time.
enum class accounting {
    exclude_instruments, ///< the pass alone: the clock stands still while hooks run, anyone's, in any order,
                         ///< at any depth
    as_reference,        ///< also the hooks of instruments that stand behind it before a pass, and before it after a
                         ///< pass
};

/// Measures how long each pass takes.
///
/// With the default accounting it keeps a clock of its own that stands still while any instrument is called,
/// so where it stands among the instruments does not matter. A pass that throws ends in the profile when it
/// throws.
///
/// Cost:    two readings of the clock a pass, or four if there are other instruments; an allocation now and
///          then.
/// Example: examples/use_pass_instrument.cpp
template <class Clock>
class basic_timing {
    profile profile_;
    profile last_;
    accounting accounting_ = accounting::exclude_instruments;
    bool entered_ = false;
    int stops_ = 0;
    std::chrono::nanoseconds stopped_at_{}; // the outer world's time
    std::chrono::nanoseconds left_out_{};   // how far our clock is behind the outer world's

    static std::chrono::nanoseconds outer_now() {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch());
    }
    std::chrono::nanoseconds now() const { return (stops_ > 0 ? stopped_at_ : outer_now()) - left_out_; }

public:
    /// What `render` warns of when there is nothing to render.
    static constexpr const char* nothing_profiled = "no passes have been profiled, did you enable pass profiling?";

    explicit basic_timing(accounting how = accounting::exclude_instruments) : accounting_(how) {}

    /// The profile of the context that is entered; `profile::render` tells its form. Empty if nothing was
    /// profiled.
    ///
    /// Throws: `tutti::error` while a pass is running.
    std::string render() const {
        return render([](const char*) {});
    }
    /// The same; where nothing was profiled `warn` is called with a text that says so.
    ///
    /// Example: `timing.render([](const char* text) { std::cerr << "Warning: " << text << '\n'; })`
    template <class Warn>
    std::string render(Warn&& warn) const {
        if (profile_.empty()) warn(nothing_profiled);
        return profile_.render();
    }

    /// What has been measured since the context was entered.
    const profile& current() const { return profile_; }
    /// What had been measured when a context was last left.
    const profile& last() const { return last_; }

    void enter_pass_ctx() { entered_ = true; }
    /// Clears the profile, which `last()` keeps. One that is left while a pass around it is running changes
    /// nothing.
    void exit_pass_ctx() {
        if (profile_.running()) return;
        if (entered_ || !profile_.empty()) {
            std::swap(profile_, last_);
            profile_.clear();
        }
        entered_ = false;
    }
    void run_before_pass(const auto&, const pass_info& info) {
        profile_.begin(info.name, [this] { return now(); });
    }
    void run_after_pass(const auto&, const pass_info&) { profile_.end(now()); }
    void pass_failed(const auto&, const pass_info&, const std::exception_ptr&) { profile_.end(now()); }

    void stop_clock() {
        if (accounting_ == accounting::as_reference) return;
        if (stops_++ == 0) stopped_at_ = outer_now();
    }
    void start_clock() {
        if (accounting_ == accounting::as_reference) return;
        if (--stops_ == 0) left_out_ += outer_now() - stopped_at_;
    }
};

/// `basic_timing` by the steady clock.
using timing = basic_timing<std::chrono::steady_clock>;

} // namespace tutti::instrument
