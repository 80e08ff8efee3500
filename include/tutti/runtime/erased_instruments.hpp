#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>
#include <tutti/pass/hook_lock.hpp>
#include <tutti/runtime/any_instrument.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// The instruments of a run-time context: what `tutti::instrument_set` keeps them in there.
template <class Unit>
class erased_instruments {
    std::vector<any_instrument<Unit>> list_;
    bool decides_ = false;                // some instrument has should_run
    bool stops_clock_ = false;            // some instrument measures, and others are called around passes
    bool hears_analyses_ = false;         // some instrument has analysis_kept
    bool hears_reuse_ = false;            // for analyses that passes get, too
    bool hears_counts_ = false;           // some instrument has pass_counted
    bool hears_remarks_ = false;          // some instrument has pass_remarked
    bool wants_order_ = false;            // some instrument wants parts one after another
    erased_instruments* whole_ = nullptr; // if these are for the passes over one part: those of the whole
    const hook_lock* lock_ = nullptr;
    int busy_ = 0; // hooks that are being called: the list must not change then

    struct calling {
        int& busy;
        explicit calling(int& count) : busy(++count) {}
        ~calling() { --busy; }
    };

public:
    /// Twice, since there may be several.
    using types = instrument_types<const any_instrument<Unit>, const any_instrument<Unit>>;

    erased_instruments() = default;
    explicit erased_instruments(std::vector<any_instrument<Unit>> list) : list_(std::move(list)) {
        bool measures = false;
        std::size_t around = 0;
        for (const auto& each : list_) {
            decides_ = decides_ || each.has_should_run();
            hears_analyses_ = hears_analyses_ || each.has_analysis_kept();
            hears_reuse_ = hears_reuse_ || each.has_reuse();
            hears_counts_ = hears_counts_ || each.has_pass_counted();
            hears_remarks_ = hears_remarks_ || each.has_pass_remarked();
            measures = measures || each.has_clock();
            wants_order_ = wants_order_ || each.is_in_order();
            around += each.around_passes() ? 1 : 0;
        }
        stops_clock_ = measures && around > 1;
    }
    /// Those for the passes over one part, while those over others run at the same time: forks of the ones that fork.
    erased_instruments(erased_instruments& whole, const hook_lock& lock) : erased_instruments(whole) {
        whole_ = &whole;
        lock_ = &lock;
        busy_ = 0;
        for (auto& each : list_)
            if (each.has_fork()) each = each.fork();
    }
    /// Hands what the forks have noted to those that they are forks of.
    void join() {
        for (std::size_t i = 0; i < list_.size(); ++i)
            if (whole_->list_[i].has_fork()) whole_->list_[i].join(list_[i]);
    }
    /// Whether some instrument wants parts one after another.
    bool wants_order() const { return wants_order_; }

    std::size_t size() const { return list_.size(); }
    const std::vector<any_instrument<Unit>>& list() const { return list_; }
    void each(auto&& f) {
        const calling now{busy_};
        if (lock_ == nullptr) {
            for (const auto& instrument : list_) f(instrument);
            return;
        }
        for (std::size_t i = 0; i < list_.size(); ++i)
            if (list_[i].is_concurrent() || whole_->list_[i].has_fork()) {
                f(list_[i]);
            } else {
                const hook_lock::holder held(*lock_);
                f(list_[i]);
            }
    }
    bool any_decides() const { return decides_; }
    bool any_stops_clock() const { return stops_clock_; }
    bool any_hears_analyses() const { return hears_analyses_; }
    bool any_hears_reuse() const { return hears_reuse_; }
    bool any_hears_counts() const { return hears_counts_; }
    bool any_hears_remarks() const { return hears_remarks_; }
    template <class U>
    bool any_sees_change() const {
        for (const auto& each : list_)
            if (each.template has_change<U>()) return true;
        return false;
    }
    void clear() { *this = {}; }

    /// Throws: `tutti::error` from within a hook of these instruments, when they must not change.
    void check_idle() const {
        if (busy_ > 0)
            raise(error{"tutti::runtime::pass_context::override_instruments", "an instrument's hook is being called",
                        "to be called outside of hooks"});
    }
};

} // namespace tutti::runtime
