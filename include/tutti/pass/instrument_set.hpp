#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pass/analysis.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/instrument_check.hpp>
#include <tutti/pass/slots.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <type_traits>

namespace tutti {

namespace internal {

/// A list of instrument types.
template <class... I>
struct instrument_types {};

} // namespace internal

namespace detail {

template <class I, class Unit>
inline constexpr bool at_passes =
    internal::decides<I, Unit> || internal::sees_before<I, Unit> || internal::sees_after<I, Unit> ||
    internal::sees_failed<I, Unit> || internal::sees_skipped<I>;

// True if a hook accepts a `pass_run`, but not a `pass_info`.
template <class I, class Unit>
inline constexpr bool takes_run =
    (internal::decides<I, Unit> && !requires(I& i, const Unit& u, const pass_info& p) { i.should_run(u, p); }) ||
    (internal::sees_before<I, Unit> &&
     !requires(I& i, const Unit& u, const pass_info& p) { i.run_before_pass(u, p); }) ||
    (internal::sees_change<I, Unit> &&
     !requires(I& i, const Unit& u, const pass_info& p) { i.run_after_pass(u, p, changed); }) ||
    (!internal::sees_change<I, Unit> && internal::sees_after<I, Unit> &&
     !requires(I& i, const Unit& u, const pass_info& p) { i.run_after_pass(u, p); }) ||
    (internal::sees_failed<I, Unit> &&
     !requires(I& i, const Unit* u, const pass_info& p, const std::exception_ptr& e) { i.pass_failed(u, p, e); });

template <class I, class Levels>
inline constexpr bool takes_run_below = false;
template <class I, class... Unit>
inline constexpr bool takes_run_below<I, units<Unit...>> = (takes_run<I, Unit> || ...);

/// The properties of a list of instruments for passes over a `Unit`.
template <class Types, class Unit>
struct hooks_of;
template <class... I, class Unit>
struct hooks_of<internal::instrument_types<I...>, Unit> {
    static constexpr bool decide = (internal::decides<I, Unit> || ...);
    static constexpr bool see_change = (internal::sees_change<I, Unit> || ...);
    static constexpr bool see_failed = (internal::sees_failed<I, Unit> || ...);
    /// True if an instrument has hooks around passes.
    static constexpr bool at_passes = (detail::at_passes<I, Unit> || ...);
    /// True if an instrument needs the surrounding passes: its hooks take a `pass_run`, counts, remarks, rewrites
    /// or analyses.
    static constexpr bool track = (internal::sees_counts<I> || ...) || (internal::sees_remarks<I> || ...) ||
                                  (internal::decides_rewrites<I> || ...) || (internal::sees_analyses<I> || ...) ||
                                  (detail::takes_run_below<I, levels_of<Unit>> || ...);
    /// True if an instrument measures time, and must exclude the hooks of other instruments.
    static constexpr bool stop_clocks =
        (internal::stops_clock<I> || ...) && (std::size_t{detail::at_passes<I, Unit>} + ... + 0) > 1;
};

/// Base of storages whose instruments have known types, which show the hooks that exist. Only erased instruments are
/// checked at run time.
struct typed_storage {
    static constexpr bool any_decides() { return true; }
    static constexpr bool any_stops_clock() { return true; }
    static constexpr bool any_hears_analyses() { return true; }
    static constexpr bool any_hears_reuse() { return true; }
    static constexpr bool any_hears_counts() { return true; }
    static constexpr bool any_hears_remarks() { return true; }
    static constexpr bool any_hears_rewrites() { return true; }
    template <class Unit>
    static constexpr bool any_sees_change() {
        return true;
    }
};

/// The instruments of a static context: lvalues by reference, others by value.
template <class... I>
struct instrument_slots : typed_storage {
    using types = internal::instrument_types<std::remove_reference_t<I>...>;

    slots<I...> list;

    static constexpr std::size_t size() { return sizeof...(I); }
    constexpr void each(auto&& f) { list.each(f); }
    /// Does nothing: a static context keeps its instruments, and only marks them as unused.
    static constexpr void clear() {}
};

} // namespace detail

namespace internal {

/// The instruments of a context, in order. The `Storage` may be static or erased. Each hook is called in one loop over
/// the instruments.
template <class Storage>
class instrument_set {
    [[no_unique_address]] Storage storage_;
    const pass_run* current_ = nullptr;
    std::size_t runs_ = 0;
    const void* lost_ = nullptr;
    bool cleared_ = false;

    template <class Types>
    struct heard_by;
    template <class... I>
    struct heard_by<instrument_types<I...>> {
        static constexpr bool enter = (enters<I> || ...), exit = (exits<I> || ...), skipped = (sees_skipped<I> || ...),
                              counted = (sees_counts<I> || ...), remarked = (sees_remarks<I> || ...),
                              rewrites = (internal::decides_rewrites<I> || ...), analyses = (sees_analyses<I> || ...),
                              reuse = (sees_reuse<I> || ...),
                              failures = (hook::pass_failed::is_named<std::remove_cv_t<I>>() || ...);
    };
    using tell = heard_by<typename Storage::types>;

    // Calls a hook on each instrument that has it.
    template <class Hook>
    constexpr void call() {
        storage_.each([](auto& instrument) {
            if constexpr (requires { Hook::call(instrument); }) Hook::call(instrument);
        });
    }
    template <class Hook>
    constexpr void call_rarely() {
        if constexpr (is_erased)
            call_apart<Hook>();
        else
            call<Hook>();
    }
    // Not inlined, so that a caller that usually skips the call stays small.
    template <class Hook>
    [[gnu::noinline]] constexpr void call_apart() {
        call<Hook>();
    }
    template <class Hook>
    constexpr void call(const auto& info, const auto& what) {
        storage_.each([&](auto& instrument) {
            if constexpr (requires { Hook::call(instrument, info, what); })
                if (!Hook::is_empty(instrument)) Hook::call(instrument, info, what);
        });
    }

public:
    constexpr explicit instrument_set(Storage storage) : storage_(static_cast<Storage&&>(storage)) {}
    constexpr instrument_set() = default;

    /// True if an instrument has a hook for entering or leaving a context (`around_contexts`), or for leaving a context
    /// (`at_exit`).
    static constexpr bool around_contexts = tell::enter || tell::exit;
    static constexpr bool at_exit = tell::exit;
    /// True if the types of the instruments are known only at run time.
    static constexpr bool is_erased = !requires { Storage::size(); };
    static constexpr bool hears_counts = tell::counted;
    static constexpr bool hears_remarks = tell::remarked;
    static constexpr bool hears_rewrites = tell::rewrites;
    static constexpr bool hears_analyses = tell::analyses;
    static constexpr bool hears_reuse = tell::reuse;
    static constexpr bool hears_failures = tell::failures;
    /// True if the hooks fit passes over a `Unit` and its parts; otherwise a compile error.
    template <class Unit>
    static consteval bool check() {
        return []<class... I>(instrument_types<I...>) {
            return (check_instrument_of<I, Unit>() && ...);
        }(typename Storage::types{});
    }
    /// The properties of these instruments for passes over a `Unit`.
    template <class Unit>
    using hooks = detail::hooks_of<typename Storage::types, Unit>;

    constexpr std::size_t size() const { return storage_.size(); }
    /// True if the instruments are unused because one threw on entering or leaving the context.
    constexpr bool cleared() const { return cleared_; }
    /// False if no erased instrument takes the change that a pass makes to a `Unit`. Always true for static
    /// instruments.
    template <class Unit>
    constexpr bool asks_for_change() const {
        return storage_.template any_sees_change<Unit>();
    }
    constexpr bool asks_for_analyses() const { return storage_.any_hears_analyses() && emits(); }
    constexpr bool asks_for_reuse() const { return hears_reuse && storage_.any_hears_reuse() && emits(); }
    constexpr bool asks_for_counts() const { return hears_counts && storage_.any_hears_counts() && emits(); }
    constexpr bool asks_for_remarks() const { return hears_remarks && storage_.any_hears_remarks() && emits(); }
    constexpr bool asks_for_rewrites() const { return hears_rewrites && storage_.any_hears_rewrites() && emits(); }
    /// Calls `f(instrument)` for each instrument.
    constexpr void each(auto&& f) { storage_.each(f); }
    /// The innermost run of a pass, if an instrument needs it; otherwise null.
    constexpr const pass_run*& current() { return current_; }
    constexpr const pass_run* current() const { return current_; }
    /// The number of runs begun, if an instrument needs it; see `pass_run::number`.
    constexpr std::size_t& runs() { return runs_; }
    constexpr std::size_t runs() const { return runs_; }
    /// The unit that was lost because a by-value pass threw. It is null again when another pass begins.
    constexpr const void* lost() const { return lost_; }
    constexpr void lose(const void* unit) { lost_ = unit; }
    /// Replaces the instruments without calling hooks.
    constexpr void assign(Storage storage) {
        storage_ = static_cast<Storage&&>(storage);
        cleared_ = false;
    }
    constexpr const Storage& storage() const { return storage_; }
    constexpr Storage& storage() { return storage_; }

    /// Enters each instrument. If one throws, leaves those already entered, in the same order, marks all as unused, and
    /// rethrows.
    constexpr void enter() {
        std::size_t entered = 0;
        const auto enter_all = [&] {
            each_installed([&](auto& instrument) {
                if constexpr (enters<decltype(instrument)>)
                    if (!hook::enter_pass_ctx::is_empty(instrument)) instrument.enter_pass_ctx();
                ++entered;
            });
        };
        const auto leave_entered = [&](const auto&) {
            cleared_ = true;
            std::size_t i = 0;
            each_installed([&](auto& instrument) {
                if (i++ < entered) leave(instrument);
            });
        };
        on_unwind(
            [&] {
                if constexpr (tell::exit)
                    on_failure(enter_all, leave_entered);
                else
                    enter_all();
            },
            [&] { drop_all(); });
    }
    /// Leaves each instrument. If one throws, skips later ones, marks all as unused, and rethrows.
    constexpr void exit() {
        on_unwind([&] { each_installed([](auto& instrument) { leave(instrument); }); }, [&] { drop_all(); });
    }

    /// Calls every `should_run`. True if all returned true.
    template <class Unit>
    constexpr bool should_run(const Unit& unit, const auto& info) {
        bool all = true;
        if (storage_.any_decides())
            storage_.each([&](auto& instrument) {
                if constexpr (decides<decltype(instrument), Unit>)
                    if (!hook::should_run::is_empty(instrument)) all = instrument.should_run(unit, info) && all;
            });
        return all;
    }
    /// Calls every `run_before_pass`. `begun` counts the instruments whose call has returned.
    template <class Unit>
    constexpr void before(const Unit& unit, const auto& info, std::size_t& begun) {
        storage_.each([&](auto& instrument) {
            if constexpr (sees_before<decltype(instrument), Unit>)
                if (!hook::run_before_pass::is_empty(instrument)) instrument.run_before_pass(unit, info);
            ++begun;
        });
    }
    /// Calls every `run_after_pass`. `ended` counts the instruments called, including one that throws.
    template <class Unit>
    constexpr void after(const Unit& unit, const auto& info, change what, std::size_t& ended) {
        storage_.each([&](auto& instrument) {
            ++ended;
            if constexpr (sees_after<decltype(instrument), Unit>)
                if (!hook::run_after_pass::is_empty(instrument)) {
                    if constexpr (sees_change<decltype(instrument), Unit>)
                        instrument.run_after_pass(unit, info, what);
                    else
                        instrument.run_after_pass(unit, info);
                }
        });
    }
    /// Calls `pass_failed` of the instruments with indices from `first` up to but not including `last`. By default,
    /// `last` is the end.
    template <class Unit>
    constexpr void failed(const Unit* unit, const auto& info, const std::exception_ptr& reason, std::size_t first,
                          std::size_t last = static_cast<std::size_t>(-1)) {
        std::size_t i = 0;
        storage_.each([&](auto& instrument) {
            const std::size_t number = i++;
            if constexpr (sees_failed<decltype(instrument), Unit>)
                if (first <= number && number < last && !hook::pass_failed::is_empty(instrument))
                    instrument.pass_failed(unit, info, reason);
        });
    }
    /// Calls every `pass_skipped`.
    constexpr void skipped(const pass_info& info, skip_reason why) {
        if constexpr (tell::skipped) call<hook::pass_skipped>(info, why);
    }
    /// Calls every `pass_counted` for the running pass.
    constexpr void counted(std::string_view name, std::int64_t n) {
        if constexpr (tell::counted)
            if (current_ && emits())
                storage_.each([&](auto& instrument) {
                    if constexpr (sees_counts<decltype(instrument)>)
                        if (!hook::pass_counted::is_empty(instrument)) instrument.pass_counted(*current_, name, n);
                });
    }
    /// Calls every `pass_remarked` for the running pass.
    constexpr void remarked(const remark& said) {
        if constexpr (tell::remarked)
            if (current_ && emits()) call<hook::pass_remarked>(*current_, said);
    }
    /// True if an instrument may skip passes over these units, or refuse their rewrites.
    template <class... Unit>
    constexpr bool may_decide(units<Unit...>) const {
        bool any = false;
        if constexpr ((hooks<Unit>::decide || ...)) any = storage_.any_decides();
        if constexpr (tell::rewrites) any = any || storage_.any_hears_rewrites();
        return any && !cleared_;
    }
    /// Calls every `should_apply` for the running pass. True if all returned true.
    constexpr bool should_apply(const rewrite_site& site) {
        bool all = true;
        if constexpr (tell::rewrites)
            if (current_ && emits())
                storage_.each([&](auto& instrument) {
                    if constexpr (internal::decides_rewrites<decltype(instrument)>)
                        if (!hook::should_apply::is_empty(instrument))
                            all = instrument.should_apply(*current_, site) && all;
                });
        return all;
    }
    /// Calls every `analysis_kept` for an analysis kept after the running pass, or requested by it.
    constexpr void kept(const kept_analysis& analysis) {
        if constexpr (tell::analyses)
            if (current_ && emits())
                storage_.each([&](auto& instrument) {
                    if constexpr (sees_analyses<decltype(instrument)>)
                        if ((!analysis.asked_for || reads_reuse(instrument)) &&
                            !hook::analysis_kept::is_empty(instrument))
                            instrument.analysis_kept(*current_, analysis);
                });
    }
    constexpr void stop_clocks() {
        if (storage_.any_stops_clock()) call_rarely<hook::stop_clock>();
    }
    constexpr void start_clocks() {
        if (storage_.any_stops_clock()) call_rarely<hook::start_clock>();
    }

private:
    // False if the instruments were replaced or dropped since the running pass began. The pass then emits nothing more,
    // and only its end is reported to the removed instruments.
    constexpr bool emits() const {
        if constexpr (requires { storage_.list_is_unchanged(); })
            return !cleared_ && storage_.list_is_unchanged();
        else
            return !cleared_;
    }
    constexpr void each_installed(auto&& f) {
        if constexpr (requires { storage_.each_installed(f); })
            storage_.each_installed(f);
        else
            storage_.each(f);
    }
    constexpr void drop_all() {
        cleared_ = true;
        storage_.clear();
    }
    static constexpr bool reads_reuse([[maybe_unused]] auto& instrument) {
        if constexpr (requires { instrument.has_reuse(); })
            return instrument.has_reuse();
        else
            return sees_reuse<decltype(instrument)>;
    }
    static constexpr void leave(auto& instrument) {
        if constexpr (exits<decltype(instrument)>)
            if (!hook::exit_pass_ctx::is_empty(instrument)) instrument.exit_pass_ctx();
    }
};

} // namespace internal

/// Context option: the instruments of the context, in the order of their calls. The context refers to lvalues, and
/// stores temporaries by value.
///
/// Requires: each instrument has a hook, and its hooks have the signatures in `instrument_of`.
/// Example:  `tutti::pass_context ctx{tutti::instruments(differ, timing)};`
template <class... I>
constexpr auto instruments(I&&... instrument) {
    if constexpr ((check_instrument<std::remove_reference_t<I>>() && ...))
        return internal::instrument_set<detail::instrument_slots<I...>>{
            {{}, detail::slots<I...>{{static_cast<I&&>(instrument)}...}}};
    else
        return internal::instrument_set<detail::instrument_slots<>>{
            detail::instrument_slots<>{}}; // prevents further errors
}

} // namespace tutti
