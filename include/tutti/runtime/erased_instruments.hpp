#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/hook_lock.hpp>
#include <tutti/runtime/any_instrument.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace tutti::runtime {

namespace detail {

// A list of instruments and its properties.
template <class Unit>
struct instrument_list {
    std::vector<any_instrument<Unit>> all;
    instrument_list* next_retired = nullptr;
    bool decides = false;        // an instrument has should_run
    bool stops_clock = false;    // an instrument has a clock, and others have hooks around passes
    bool hears_analyses = false; // an instrument has analysis_kept
    bool hears_reuse = false;    // an instrument also hears when a pass requests a kept analysis
    bool hears_counts = false;   // an instrument has pass_counted
    bool hears_remarks = false;  // an instrument has pass_remarked
    bool hears_rewrites = false; // an instrument has should_apply
    bool wants_order = false;    // an instrument requires that parts are transformed in sequence

    explicit instrument_list(std::vector<any_instrument<Unit>> list) : all(std::move(list)) {
        bool measures = false;
        std::size_t around = 0;
        for (const auto& each : all) {
            decides = decides || each.has_should_run();
            hears_analyses = hears_analyses || each.has_analysis_kept();
            hears_reuse = hears_reuse || each.has_reuse();
            hears_counts = hears_counts || each.has_pass_counted();
            hears_remarks = hears_remarks || each.has_pass_remarked();
            hears_rewrites = hears_rewrites || each.has_should_apply();
            measures = measures || each.has_clock();
            wants_order = wants_order || each.is_in_order();
            around += each.around_passes() ? 1 : 0;
        }
        stops_clock = measures && around > 1;
    }
};

/// Stores the instruments of a run-time context.
///
/// The list may be replaced or cleared while passes run. A running pass uses the list that it began with.
template <class Unit>
class erased_instruments {
    using list_type = detail::instrument_list<Unit>;

    list_type* installed_ = nullptr;   // null: no instruments
    list_type* begun_with_ = nullptr;  // the list installed when the innermost pass began; null outside passes
    list_type* retired_ = nullptr;     // lists replaced while passes ran, not deleted yet
    list_type* forks_ = nullptr;       // in the context of one part: the part's own list
    const list_type* whole_ = nullptr; // in the context of one part: the list of the whole's context
    const tutti::internal::hook_lock* lock_ = nullptr;
    int busy_ = 0;  // number of running hooks; the list must not change while a hook runs
    int parts_ = 0; // number of running calls that transform parts in parallel

    struct counted {
        int& count;
        explicit counted(int& n) : count(++n) {}
        ~counted() { --count; }
        counted(const counted&) = delete;
    };

    const list_type* now() const { return begun_with_ ? begun_with_ : installed_; }
    void call(const list_type* list, auto&& f) {
        if (!list) return;
        const counted calling{busy_};
        if (lock_ != nullptr) [[unlikely]]
            return call_locked(*list, f);
        for (const auto& instrument : list->all) f(instrument);
    }
    [[gnu::noinline]] void call_locked(const list_type& list, auto& f) {
        for (std::size_t i = 0; i < list.all.size(); ++i)
            if (list.all[i].is_concurrent() || whole_->all[i].has_fork()) {
                f(list.all[i]);
            } else {
                const tutti::internal::hook_lock::holder held(*lock_);
                f(list.all[i]);
            }
    }
    void retire() {
        if (!installed_) return;
        installed_->next_retired = std::exchange(retired_, installed_);
        installed_ = nullptr;
        release_retired();
    }
    void release_retired() {
        if (begun_with_ || busy_ > 0 || lock_) return;
        while (list_type* const first = retired_) {
            retired_ = first->next_retired;
            delete first;
        }
    }

public:
    /// Two types instead of one, so that callers do not use the code for a single instrument.
    using types = tutti::internal::instrument_types<const any_instrument<Unit>, const any_instrument<Unit>>;

    erased_instruments() = default;
    explicit erased_instruments(std::vector<any_instrument<Unit>> list)
        : installed_(list.empty() ? nullptr : new list_type(std::move(list))) {}
    /// Creates the list for a part that is transformed in parallel with other parts. Instruments that fork are replaced
    /// by children.
    erased_instruments(erased_instruments& whole, const tutti::internal::hook_lock& lock)
        : whole_(whole.installed_), lock_(&lock) {
        if (!whole_) return;
        std::vector<any_instrument<Unit>> list = whole_->all;
        for (auto& each : list)
            if (each.has_fork()) each = each.fork();
        installed_ = forks_ = new list_type(std::move(list));
    }
    /// Takes over the list of `other`. Requires: no pass runs.
    erased_instruments(erased_instruments&& other) noexcept
        : installed_(std::exchange(other.installed_, nullptr))
        , forks_(std::exchange(other.forks_, nullptr))
        , whole_(other.whole_)
        , lock_(other.lock_) {}
    /// Replaces the list. The old list is kept until the passes that began with it have ended.
    erased_instruments& operator=(erased_instruments&& other) {
        retire();
        installed_ = std::exchange(other.installed_, nullptr);
        return *this;
    }
    ~erased_instruments() {
        retire();
        while (list_type* const first = retired_) {
            retired_ = first->next_retired;
            delete first;
        }
    }
    /// Merges the children into the instruments that they were forked from.
    void join() {
        if (!forks_) return;
        for (std::size_t i = 0; i < forks_->all.size(); ++i)
            if (whole_->all[i].has_fork()) whole_->all[i].join(forks_->all[i]);
    }
    /// True if an instrument requires that parts are transformed in sequence.
    bool wants_order() const { return installed_ && installed_->wants_order; }

    std::size_t size() const { return installed_ ? installed_->all.size() : 0; }
    std::vector<any_instrument<Unit>> list() const {
        return installed_ ? installed_->all : std::vector<any_instrument<Unit>>{};
    }
    /// Calls `f` with each instrument of the list that the innermost running pass began with. Outside passes, the
    /// installed list is used.
    void each(auto&& f) { call(now(), f); }
    /// Calls `f` with each installed instrument.
    void each_installed(auto&& f) { call(installed_, f); }

    /// Begins a pass with the installed list. Returns the list of the surrounding pass, for `end_run`.
    list_type* begin_run() { return std::exchange(begun_with_, installed_); }
    void end_run(list_type* around) {
        begun_with_ = around;
        if (retired_) release_retired();
    }
    /// True if the list has not been replaced since the innermost running pass began.
    bool list_is_unchanged() const { return !begun_with_ || begun_with_ == installed_; }

    bool any_decides() const { return now() && now()->decides; }
    bool any_stops_clock() const { return now() && now()->stops_clock; }
    bool any_hears_analyses() const { return now() && now()->hears_analyses; }
    bool any_hears_reuse() const { return now() && now()->hears_reuse; }
    bool any_hears_counts() const { return now() && now()->hears_counts; }
    bool any_hears_rewrites() const { return now() && now()->hears_rewrites; }
    bool any_hears_remarks() const { return now() && now()->hears_remarks; }
    template <class U>
    bool any_sees_change() const {
        if (now())
            for (const auto& each : now()->all)
                if (each.template has_change<U>()) return true;
        return false;
    }
    void clear() { retire(); }

    /// Calls `f`, which transforms parts in parallel.
    auto while_parts_run(auto&& f) {
        const counted parts{parts_};
        return f();
    }

    /// Checks that the instruments may change.
    ///
    /// Throws: `tutti::error` if a hook is running, or if parts are being transformed in parallel. The latter applies
    ///         to the contexts of the whole and of the parts.
    void check_idle() const {
        constexpr const char* where = "tutti::runtime::pass_context::override_instruments";
        if (busy_ > 0) raise(error{where, "an instrument's hook is being called", "a call outside of hooks"});
        if (lock_ || parts_ > 0)
            raise(error{where, "passes over parts are running at the same time",
                        "a call outside of them, or a context without an executor"});
    }
};

} // namespace detail

} // namespace tutti::runtime
