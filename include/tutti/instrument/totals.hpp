#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/profile_formats.hpp>
#include <tutti/instrument/run_totals.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/instrument/timing.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>

#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::instrument {

/// Totals that several threads add to, each with an instrument `totals` of its own.
class shared_totals {
    mutable std::mutex guard_;
    run_totals all_;

public:
    void merge(const run_totals& other) {
        const std::lock_guard lock{guard_};
        all_.merge(other);
    }
    /// Returns a copy of the totals so far.
    run_totals all() const {
        const std::lock_guard lock{guard_};
        return all_;
    }
};

/// Adds up times, counts and remarks of passes over runs: each run is added when its context is left. Times are as in
/// `timing`. A run that ends with an exception counts, too.
///
/// Cost:    the cost of `timing` and `statistics`; passes compose their remarks.
/// Example:
/// ```
/// shared_totals all;
/// // in each thread
/// totals mine{all};
/// tutti::pass_context ctx{tutti::instruments(mine)};
/// // at the end
/// write_file("profile.json", to_json(all.all()));
/// ```
template <class Clock>
class basic_totals {
    basic_timing<Clock> timing_;
    statistics counted_;
    run_totals said_; // the remarks of this run
    run_totals own_;
    shared_totals* shared_ = nullptr;
    int entered_ = 0;

    void add_run() {
        run_totals run = std::move(said_);
        said_ = {};
        run.add_runs(1);
        for (const pass_total& each : totals_of(timing_.last())) {
            run_totals::pass_entry made{.pass = each.name, .calls = each.calls, .inclusive = each.inclusive};
            made.self.add(each.self);
            run.add(made);
        }
        for (const statistics::entry& each : counted_.counts())
            run.add(run_totals::count_entry{each.pass, each.name, each.count});
        counted_.clear();
        if (shared_ != nullptr)
            shared_->merge(run);
        else
            own_.merge(run);
    }

public:
    static constexpr std::string_view name = "totals";
    static constexpr bool pairs_begin_and_end = true;

    basic_totals() = default;
    /// Adds to `to`, which must outlive the instrument. `all()` is then empty.
    explicit basic_totals(shared_totals& to) : shared_(&to) {}

    /// The totals of the runs so far.
    const run_totals& all() const { return own_; }

    basic_totals fork() const {
        basic_totals part;
        part.timing_ = timing_.fork();
        return part;
    }
    void join(basic_totals&& part) {
        timing_.join(std::move(part.timing_));
        counted_.join(std::move(part.counted_));
        said_.merge(part.said_);
    }

    void enter_pass_ctx() {
        ++entered_;
        timing_.enter_pass_ctx();
    }
    void exit_pass_ctx() {
        timing_.exit_pass_ctx();
        if (--entered_ == 0) add_run();
    }
    void run_before_pass(const auto& unit, const pass_info& info) { timing_.run_before_pass(unit, info); }
    void run_after_pass(const auto& unit, const pass_info& info) { timing_.run_after_pass(unit, info); }
    void pass_failed(const auto* unit, const pass_info& info, const std::exception_ptr& reason) {
        timing_.pass_failed(unit, info, reason);
    }
    void pass_counted(const pass_info& info, std::string_view what, std::int64_t n) {
        counted_.pass_counted(info, what, n);
    }
    void pass_remarked(const pass_info& info, const remark& said) {
        said_.add(run_totals::remark_entry{std::string{info.name}, said.kind, std::string{said.text}, 1});
    }
    void stop_clock() { timing_.stop_clock(); }
    void start_clock() { timing_.start_clock(); }
};

/// `basic_totals` with the steady clock.
using totals = basic_totals<tutti::internal::steady_clock>;

} // namespace tutti::instrument
