#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/hooks.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

// Support for instruments that wrap another one and have exactly its hooks.

namespace tutti::instrument {

namespace detail {

// A base without a hook, in place of a hook that the inner instrument lacks. `N` makes it unique.
template <int>
struct no_hook {};
template <bool Has, class Hook, int N>
using hook_if = std::conditional_t<Has, Hook, no_hook<N>>;

template <class Self>
struct forwarded_enter {
    void enter_pass_ctx() { static_cast<Self*>(this)->template forward_context<tutti::hook::enter_pass_ctx>(); }
};
template <class Self>
struct forwarded_exit {
    void exit_pass_ctx() { static_cast<Self*>(this)->template forward_context<tutti::hook::exit_pass_ctx>(); }
};
template <class Self, class I>
struct forwarded_should_run {
    template <class Unit>
        requires tutti::internal::decides<I, Unit>
    bool should_run(const Unit& unit, const pass_run& run) {
        return static_cast<Self*>(this)->forward_should_run(unit, run);
    }
};
template <class Self, class I>
struct forwarded_before {
    template <class Unit>
        requires tutti::internal::sees_before<I, Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        static_cast<Self*>(this)->template forward<tutti::hook::run_before_pass>(run, unit, run);
    }
};
template <class Self, class I>
struct forwarded_after {
    template <class Unit>
        requires tutti::internal::sees_change<I, Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        static_cast<Self*>(this)->template forward<tutti::hook::run_after_pass>(run, unit, run, what);
    }
    template <class Unit>
        requires(tutti::internal::sees_after<I, Unit> && !tutti::internal::sees_change<I, Unit>)
    void run_after_pass(const Unit& unit, const pass_run& run) {
        static_cast<Self*>(this)->template forward<tutti::hook::run_after_pass>(run, unit, run);
    }
};
template <class Self, class I>
struct forwarded_failed {
    template <class Unit>
        requires tutti::internal::sees_failed<I, Unit>
    void pass_failed(const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
        static_cast<Self*>(this)->template forward<tutti::hook::pass_failed>(run, unit, run, reason);
    }
};
template <class Self>
struct forwarded_skipped {
    void pass_skipped(const pass_info& info, skip_reason why) {
        static_cast<Self*>(this)->template forward<tutti::hook::pass_skipped>(info, info, why);
    }
};
template <class Self>
struct forwarded_counted {
    void pass_counted(const pass_run& run, std::string_view what, std::int64_t n) {
        static_cast<Self*>(this)->template forward<tutti::hook::pass_counted>(run, run, what, n);
    }
};
template <class Self>
struct forwarded_remarked {
    void pass_remarked(const pass_run& run, const remark& said) {
        static_cast<Self*>(this)->template forward<tutti::hook::pass_remarked>(run, run, said);
    }
};
template <class Self>
struct forwarded_should_apply {
    bool should_apply(const pass_run& run, const rewrite_site& site) {
        return static_cast<Self*>(this)->forward_should_apply(run, site);
    }
};
template <class Self, class I>
struct forwarded_analyses {
    void analysis_kept(const pass_run& run, const auto& kept)
        requires requires(I& i) { i.analysis_kept(run, kept); }
    {
        static_cast<Self*>(this)->template forward<tutti::hook::analysis_kept>(run, run, kept);
    }
};
// Forwards calls that stop and start the clock of measuring instruments.
template <class Self>
struct forwarded_clock {
    void stop_clock() { static_cast<Self*>(this)->get().stop_clock(); }
    void start_clock() { static_cast<Self*>(this)->get().start_clock(); }
};

} // namespace detail

/// Base of a wrapper `Self` around an instrument `I`: all hooks of `I` except those of `forwarded_runs`.
///
/// Requires: `Self` has `get()`, which returns the instrument. It also has `forward_context<Hook>()`,
///           `forward<Hook>(info, arguments...)`, `forward_should_run(unit, run)` and `forward_should_apply(run, site)`,
///           which decide whether to call the hook of the instrument with `call_hook`, `ask_should_run` or
///           `ask_should_apply`.
template <class Self, class I>
struct forwarded_hooks
    : detail::hook_if<tutti::internal::enters<I>, detail::forwarded_enter<Self>, 0>,
      detail::hook_if<tutti::internal::exits<I>, detail::forwarded_exit<Self>, 1>,
      detail::hook_if<hook::should_run::is_named<I>(), detail::forwarded_should_run<Self, I>, 2>,
      detail::hook_if<tutti::internal::sees_skipped<I>, detail::forwarded_skipped<Self>, 3>,
      detail::hook_if<tutti::internal::sees_counts<I>, detail::forwarded_counted<Self>, 4>,
      detail::hook_if<tutti::internal::sees_remarks<I>, detail::forwarded_remarked<Self>, 5>,
      detail::hook_if<tutti::internal::stops_clock<I>, detail::forwarded_clock<Self>, 6>,
      detail::hook_if<tutti::internal::sees_analyses<I>, detail::forwarded_analyses<Self, I>, 7>,
      detail::hook_if<tutti::internal::decides_rewrites<I>, detail::forwarded_should_apply<Self>, 11> {};

/// Base of a wrapper, like `forwarded_hooks`: the hooks at the beginning and end of a pass.
template <class Self, class I>
struct forwarded_runs : detail::hook_if<hook::run_before_pass::is_named<I>(), detail::forwarded_before<Self, I>, 8>,
                        detail::hook_if<hook::run_after_pass::is_named<I>(), detail::forwarded_after<Self, I>, 9>,
                        detail::hook_if<hook::pass_failed::is_named<I>(), detail::forwarded_failed<Self, I>, 10> {};

/// Calls a hook, unless it is an empty data member.
template <class Hook, class I>
void call_hook(I& instrument, const auto&... arguments) {
    if (!Hook::is_empty(instrument)) static_cast<void>(Hook::call(instrument, arguments...));
}

/// Returns the result of `should_run`; true if it is empty.
template <class I>
bool ask_should_run(I& instrument, const auto& unit, const pass_run& run) {
    return hook::should_run::is_empty(instrument) || instrument.should_run(unit, run);
}

/// Returns the result of `should_apply`; true if it is empty.
template <class I>
bool ask_should_apply(I& instrument, const pass_run& run, const rewrite_site& site) {
    return hook::should_apply::is_empty(instrument) || instrument.should_apply(run, site);
}

/// Base of an instrument that wraps an `I`, with all members except hooks: the inner instrument, its name and its
/// requirements on units.
template <class I>
class around_instrument {
    I instrument_;

public:
    using inner = std::remove_reference_t<I>;

    /// Requires that parts are transformed in sequence; see `tutti::on`.
    static constexpr bool in_order = true;
    static constexpr bool sees_reuse = tutti::internal::sees_reuse<inner>;
    static constexpr bool pairs_begin_and_end = tutti::internal::pairs_begin_and_end<inner>;

    explicit around_instrument(I&& instrument) : instrument_(static_cast<I&&>(instrument)) {}

    /// The inner instrument.
    inner& get() { return instrument_; }
    const inner& get() const { return instrument_; }
    std::string_view name() const { return tutti::internal::instrument_name(get()); }
    /// True if the instrument ignores the end of passes whose beginning it has not seen.
    bool needs_begin() const {
        if constexpr (requires { get().needs_begin(); })
            return get().needs_begin();
        else
            return pairs_begin_and_end;
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...> levels) {
        if constexpr (requires { inner::check_units(levels); })
            return inner::check_units(levels);
        else
            return true;
    }
};

} // namespace tutti::instrument
