#pragma once

#include <tutti/pass/instrument_check.hpp>
#include <tutti/pass/instrument_set.hpp>
#include <tutti/runtime/fwd.hpp>
#include <tutti/runtime/shared.hpp>

#include <concepts>
#include <exception>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::runtime {

namespace detail {

// Hooks that do not depend on the unit, as functions that take an erased instrument. Absent hooks are null.
struct common_hooks {
    void (*enter)(void*) = nullptr;
    void (*exit)(void*) = nullptr;
    void (*skipped)(void*, const pass_info&, skip_reason) = nullptr;
    void (*counted)(void*, const pass_run&, std::string_view, std::int64_t) = nullptr;
    void (*remarked)(void*, const pass_run&, const remark&) = nullptr;
    bool (*should_apply)(void*, const pass_run&, const rewrite_site&) = nullptr;
    void (*kept)(void*, const pass_run&, const tutti::kept_analysis&) = nullptr;
    void (*stop)(void*) = nullptr;
    void (*start)(void*) = nullptr;
    std::string_view (*name)(const void*) = nullptr;
};

template <class Unit>
struct unit_hooks {
    bool (*should_run)(void*, const Unit&, const pass_run&) = nullptr;
    void (*before)(void*, const Unit&, const pass_run&) = nullptr;
    void (*after)(void*, const Unit&, const pass_run&, change) = nullptr;
    void (*failed)(void*, const Unit*, const pass_run&, const std::exception_ptr&) = nullptr;
    bool sees_change = false;
};

template <class I, class Unit>
consteval unit_hooks<Unit> unit_hooks_of() {
    unit_hooks<Unit> h;
    if constexpr (tutti::internal::decides<I, Unit>)
        h.should_run = [](void* erased, const Unit& unit, const pass_run& run) -> bool {
            I& i = *static_cast<I*>(erased);
            return hook::should_run::is_empty(i) || i.should_run(unit, run);
        };
    if constexpr (tutti::internal::sees_before<I, Unit>)
        h.before = [](void* erased, const Unit& unit, const pass_run& run) {
            I& i = *static_cast<I*>(erased);
            if (!hook::run_before_pass::is_empty(i)) static_cast<void>(i.run_before_pass(unit, run));
        };
    h.sees_change = tutti::internal::sees_change<I, Unit>;
    if constexpr (tutti::internal::sees_after<I, Unit>)
        h.after = [](void* erased, const Unit& unit, const pass_run& run, [[maybe_unused]] change what) {
            I& i = *static_cast<I*>(erased);
            if (hook::run_after_pass::is_empty(i)) return;
            if constexpr (tutti::internal::sees_change<I, Unit>)
                static_cast<void>(i.run_after_pass(unit, run, what));
            else
                static_cast<void>(i.run_after_pass(unit, run));
        };
    if constexpr (tutti::internal::sees_failed<I, Unit>)
        h.failed = [](void* erased, const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
            I& i = *static_cast<I*>(erased);
            if (!hook::pass_failed::is_empty(i)) static_cast<void>(i.pass_failed(unit, run, reason));
        };
    return h;
}

template <class I>
consteval common_hooks common_hooks_of() {
    common_hooks h;
    if constexpr (tutti::internal::enters<I>)
        h.enter = [](void* erased) {
            I& i = *static_cast<I*>(erased);
            if (!hook::enter_pass_ctx::is_empty(i)) static_cast<void>(i.enter_pass_ctx());
        };
    if constexpr (tutti::internal::exits<I>)
        h.exit = [](void* erased) {
            I& i = *static_cast<I*>(erased);
            if (!hook::exit_pass_ctx::is_empty(i)) static_cast<void>(i.exit_pass_ctx());
        };
    if constexpr (tutti::internal::sees_skipped<I>)
        h.skipped = [](void* erased, const pass_info& info, skip_reason why) {
            I& i = *static_cast<I*>(erased);
            if (!hook::pass_skipped::is_empty(i)) static_cast<void>(i.pass_skipped(info, why));
        };
    if constexpr (tutti::internal::sees_counts<I>)
        h.counted = [](void* erased, const pass_run& run, std::string_view name, std::int64_t n) {
            I& i = *static_cast<I*>(erased);
            if (!hook::pass_counted::is_empty(i)) static_cast<void>(i.pass_counted(run, name, n));
        };
    if constexpr (tutti::internal::sees_remarks<I>)
        h.remarked = [](void* erased, const pass_run& run, const remark& said) {
            I& i = *static_cast<I*>(erased);
            if (!hook::pass_remarked::is_empty(i)) static_cast<void>(i.pass_remarked(run, said));
        };
    if constexpr (tutti::internal::decides_rewrites<I>)
        h.should_apply = [](void* erased, const pass_run& run, const rewrite_site& site) -> bool {
            I& i = *static_cast<I*>(erased);
            return hook::should_apply::is_empty(i) || i.should_apply(run, site);
        };
    if constexpr (tutti::internal::sees_analyses<I>)
        h.kept = [](void* erased, const pass_run& run, const tutti::kept_analysis& analysis) {
            I& i = *static_cast<I*>(erased);
            if (!hook::analysis_kept::is_empty(i)) static_cast<void>(i.analysis_kept(run, analysis));
        };
    if constexpr (tutti::internal::stops_clock<I>) {
        h.stop = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->stop_clock()); };
        h.start = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->start_clock()); };
    }
    h.name = [](const void* erased) { return tutti::internal::instrument_name(*static_cast<const I*>(erased)); };
    return h;
}

template <class Levels>
struct hook_table;
template <class... Unit>
struct hook_table<units<Unit...>> : common_hooks, unit_hooks<Unit>... {
    template <class I>
    static consteval hook_table of() {
        return {common_hooks_of<I>(), unit_hooks_of<I, Unit>()...};
    }
};

} // namespace detail

/// A type-erased instrument for passes over a `Unit` and its parts. An lvalue is held by reference. A temporary is
/// stored, and copies of the `any_instrument` share it.
///
/// An absent hook costs a null check instead of a call.
///
/// Requires: the instrument has a hook, and its hooks fit `Unit` or its parts. The conversion is not constrained; it
///           reports mistakes by `static_assert`.
/// Example:  `std::vector<any_instrument<int>> list{timing, op_diff{}};`
template <class Unit>
class any_instrument {
    using levels = levels_of<Unit>;
    struct hooks : detail::hook_table<levels> {
        any_instrument (*fork)(void*) = nullptr;
        void (*join)(void*, void*) = nullptr;
        bool concurrent = false, in_order = false, reuse = false;
        bool (*needs_begin)(const void*) = nullptr;
    };

    template <class I>
    static consteval hooks hooks_of() {
        hooks h{detail::hook_table<levels>::template of<I>()};
        h.concurrent = tutti::internal::concurrent_instrument<I>;
        h.in_order = tutti::internal::wants_order<I>;
        h.reuse = tutti::internal::sees_reuse<I>;
        if constexpr (requires(const I& i) { i.needs_begin(); })
            h.needs_begin = [](const void* erased) -> bool { return static_cast<const I*>(erased)->needs_begin(); };
        else if constexpr (tutti::internal::pairs_begin_and_end<I>)
            h.needs_begin = [](const void*) { return true; };
        if constexpr (tutti::forks<I> && !tutti::internal::concurrent_instrument<I>) {
            using child = decltype(std::declval<I&>().fork());
            h.fork = [](void* erased) { return any_instrument(static_cast<I*>(erased)->fork()); };
            h.join = [](void* erased, void* forked) {
                static_cast<I*>(erased)->join(static_cast<child&&>(*static_cast<child*>(forked)));
            };
        }
        return h;
    }
    template <class I>
    static constexpr hooks table = hooks_of<I>();

    detail::shared instrument_;
    const hooks* hooks_ = nullptr;

    template <class I>
    static consteval bool fits() {
        if constexpr (!check_instrument<I>())
            return false;
        else
            return tutti::internal::check_instrument_of<I, Unit>();
    }
    template <class U>
    static constexpr bool is_level = levels::template contains<U>;
    template <class U>
    const detail::unit_hooks<U>& at() const {
        return *hooks_;
    }

public:
    /// Refers to an instrument, which must outlive this object.
    template <class I>
        requires(!std::same_as<std::remove_const_t<I>, any_instrument> && !std::is_const_v<I>)
    any_instrument(I& instrument) {
        if constexpr (fits<I>()) {
            instrument_ = detail::shared::reference(instrument);
            hooks_ = &table<I>;
        }
    }
    /// Stores an instrument.
    template <class I>
        requires(!std::is_reference_v<I> && !std::is_const_v<I> && !std::same_as<I, any_instrument>)
    any_instrument(I&& instrument) {
        if constexpr (fits<I>()) {
            instrument_ = detail::shared::make(static_cast<I&&>(instrument));
            hooks_ = &table<I>;
        }
    }
    /// Reports that an instrument must not be const.
    template <class I>
        requires(!std::same_as<I, any_instrument>)
    any_instrument(const I&) {
        static_assert(std::is_void_v<I>,
                      "tutti::runtime::any_instrument(instrument): an instrument must not be const, since its hooks "
                      "may change it; declare it without const, or give a copy of it");
    }

    bool has_should_run() const {
        return []<class... U>(const hooks& h, units<U...>) {
            return (static_cast<const detail::unit_hooks<U>&>(h).should_run || ...);
        }(*hooks_, levels{});
    }
    /// True if the instrument has a clock, which must stop while hooks run.
    bool has_clock() const { return hooks_->stop != nullptr; }
    /// True if the instrument needs to know whether passes over a `U` changed the unit.
    template <class U>
    bool has_change() const {
        return at<U>().sees_change;
    }
    /// True if the instrument has a hook that is called before, after or instead of a pass.
    bool around_passes() const {
        return hooks_->skipped || []<class... U>(const hooks& h, units<U...>) {
            const auto any = [](const auto& own) { return own.should_run || own.before || own.after || own.failed; };
            return (any(static_cast<const detail::unit_hooks<U>&>(h)) || ...);
        }(*hooks_, levels{});
    }
    /// True if several threads may call the hooks at once. `is_in_order()` is true if the instrument requires that
    /// parts are transformed in sequence.
    bool is_concurrent() const { return hooks_->concurrent; }
    bool is_in_order() const { return hooks_->in_order; }
    /// True if the instrument uses a child for each part. `fork` creates the child, and `join` merges it back.
    bool has_fork() const { return hooks_->fork != nullptr; }
    any_instrument fork() const { return hooks_->fork(instrument_.get()); }
    void join(any_instrument& child) const { hooks_->join(instrument_.get(), child.instrument_.get()); }
    /// Returns the instrument's name, or "" if it has none.
    std::string_view name() const { return hooks_->name(instrument_.get()); }

    // The hooks. Calls to absent hooks do nothing.
    void enter_pass_ctx() const {
        if (hooks_->enter) hooks_->enter(instrument_.get());
    }
    void exit_pass_ctx() const {
        if (hooks_->exit) hooks_->exit(instrument_.get());
    }
    template <class U>
        requires is_level<U>
    bool should_run(const U& unit, const pass_run& run) const {
        return !at<U>().should_run || at<U>().should_run(instrument_.get(), unit, run);
    }
    template <class U>
        requires is_level<U>
    void run_before_pass(const U& unit, const pass_run& run) const {
        if (at<U>().before) at<U>().before(instrument_.get(), unit, run);
    }
    template <class U>
        requires is_level<U>
    void run_after_pass(const U& unit, const pass_run& run, change what) const {
        if (at<U>().after) at<U>().after(instrument_.get(), unit, run, what);
    }
    template <class U>
        requires is_level<U>
    void pass_failed(const U* unit, const pass_run& run, const std::exception_ptr& reason) const {
        if (at<U>().failed) at<U>().failed(instrument_.get(), unit, run, reason);
    }
    void pass_skipped(const pass_info& info, skip_reason why) const {
        if (hooks_->skipped) hooks_->skipped(instrument_.get(), info, why);
    }
    void pass_counted(const pass_run& run, std::string_view counter, std::int64_t n) const {
        if (hooks_->counted) hooks_->counted(instrument_.get(), run, counter, n);
    }
    void pass_remarked(const pass_run& run, const remark& said) const {
        if (hooks_->remarked) hooks_->remarked(instrument_.get(), run, said);
    }
    bool should_apply(const pass_run& run, const rewrite_site& site) const {
        return !hooks_->should_apply || hooks_->should_apply(instrument_.get(), run, site);
    }
    void analysis_kept(const pass_run& run, const tutti::kept_analysis& analysis) const {
        if (hooks_->kept) hooks_->kept(instrument_.get(), run, analysis);
    }
    bool has_analysis_kept() const { return hooks_->kept != nullptr; }
    static constexpr bool sees_reuse = true; // `has_reuse` decides for each instrument
    bool has_reuse() const { return hooks_->reuse; }
    /// True if the instrument ignores the end of passes whose beginning it has not seen.
    bool needs_begin() const { return hooks_->needs_begin && hooks_->needs_begin(instrument_.get()); }
    bool has_pass_counted() const { return hooks_->counted != nullptr; }
    bool has_should_apply() const { return hooks_->should_apply != nullptr; }
    bool has_pass_remarked() const { return hooks_->remarked != nullptr; }
    void stop_clock() const {
        if (hooks_->stop) hooks_->stop(instrument_.get());
    }
    void start_clock() const {
        if (hooks_->start) hooks_->start(instrument_.get());
    }
};

} // namespace tutti::runtime
