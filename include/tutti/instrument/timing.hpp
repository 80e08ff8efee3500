#pragma once

#include <tutti/instrument/profile.hpp>
#include <tutti/instrument/steady_clock.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
/// `Clock::now()` gives the nanoseconds since some moment.
///
/// Cost:    two readings of the clock a pass, or four if there are other instruments; an allocation now and
///          then.
/// Example: examples/use_pass_instrument.cpp
template <class Clock>
class basic_timing {
    profile profile_;
    profile last_;
    std::vector<std::size_t> outer_; // the pass around each context that is entered
    accounting accounting_ = accounting::exclude_instruments;
    bool entered_ = false;
    int stops_ = 0;
    std::int64_t stopped_at_ = 0; // the outer world's time
    std::int64_t left_out_ = 0;   // how far our clock is behind the outer world's
    bool is_part_ = false;        // one of a part of those that are transformed at the same time
    std::int64_t cpu_ = 0;        // what the part's passes have computed
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

    void enter_pass_ctx() {
        outer_.push_back(profile_.place());
        entered_ = true;
    }
    /// Clears the profile, which `last()` keeps; not if a pass around the context is running. A pass that runs in the context
    /// itself, and so replaces its instruments, ends here as far as it is known.
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

    /// For each part of those that are transformed at the same time; see `tutti::forks`. The passes over the parts stand in the
    /// profile as they do one after another; that around them says what its threads have computed, beside how long it took.
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

/// `basic_timing` by the steady clock.
using timing = basic_timing<steady_clock>;

} // namespace tutti::instrument
