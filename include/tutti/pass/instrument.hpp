#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pass/rewrite_site.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

namespace tutti {

class kept_analysis;

namespace internal {

/// Clause: `I` has a hook for entering a context.
template <class I>
concept enters = requires(I& i) { i.enter_pass_ctx(); };
/// Clause: `I` has a hook for leaving a context.
template <class I>
concept exits = requires(I& i) { i.exit_pass_ctx(); };
/// Clause: `I` decides whether a pass runs.
template <class I, class Unit>
concept decides = requires(I& i, const Unit& unit, const pass_run& run) {
    { i.should_run(unit, run) } -> std::same_as<bool>;
};
/// Clause: `I` has a hook before a pass.
template <class I, class Unit>
concept sees_before = requires(I& i, const Unit& unit, const pass_run& run) { i.run_before_pass(unit, run); };
/// Clause: `I` has an after-pass hook, and this hook takes the pass's change.
template <class I, class Unit>
concept sees_change =
    requires(I& i, const Unit& unit, const pass_run& run, change what) { i.run_after_pass(unit, run, what); };
/// Clause: `I` has a hook after a pass.
template <class I, class Unit>
concept sees_after =
    sees_change<I, Unit> || requires(I& i, const Unit& unit, const pass_run& run) { i.run_after_pass(unit, run); };
/// Clause: `I` has a hook for skipped passes.
template <class I>
concept sees_skipped = requires(I& i, const pass_info& info, skip_reason why) { i.pass_skipped(info, why); };
/// Clause: `I` has a hook for passes that fail.
template <class I, class Unit>
concept sees_failed = requires(I& i, const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
    i.pass_failed(unit, run, reason);
};
/// Clause: `I` has a hook for counts reported by passes.
template <class I>
concept sees_counts =
    requires(I& i, const pass_run& run, std::string_view name, std::int64_t n) { i.pass_counted(run, name, n); };
/// Clause: `I` has a hook for remarks made by passes.
template <class I>
concept sees_remarks = requires(I& i, const pass_run& run, const remark& said) { i.pass_remarked(run, said); };
/// Clause: `I` decides whether a pass makes a rewrite.
template <class I>
concept decides_rewrites = requires(I& i, const pass_run& run, const rewrite_site& site) {
    { i.should_apply(run, site) } -> std::same_as<bool>;
};
/// Clause: `I` has a hook for analyses kept after a pass.
template <class I>
concept sees_analyses = requires(I& i, const pass_run& run, const kept_analysis& kept) { i.analysis_kept(run, kept); };

/// Clause: `I` also receives each kept analysis that a pass requests. It declares
/// `static constexpr bool sees_reuse = true`.
template <class I>
concept sees_reuse = sees_analyses<I> && requires { requires std::remove_cvref_t<I>::sees_reuse; };

/// Clause: `I` ignores the end of a pass if it has not seen the beginning. It declares
/// `static constexpr bool pairs_begin_and_end = true`.
template <class I>
concept pairs_begin_and_end = requires { requires std::remove_cvref_t<I>::pairs_begin_and_end; };

/// Clause: `I` measures time. Its clock is stopped while the hooks of all instruments run before and after a pass.
///
/// Only hooks and structure checks run between `stop_clock()` and `start_clock()`. The calls are paired, even if a hook
/// throws. They are omitted if no other instrument has hooks around passes. Neither call may throw.
template <class I>
concept stops_clock = requires(I& i) {
    i.stop_clock();
    i.start_clock();
};

/// Clause: several threads may call `I` at once. It declares `static constexpr bool concurrent = true`.
template <class I>
concept concurrent_instrument = requires { requires std::remove_cvref_t<I>::concurrent; };

} // namespace internal

/// Clause: `I` creates a child for each part of a unit whose parts are transformed in parallel.
///
/// `fork()` returns the child, and `join(child)` merges it into `I`. Children are merged in the order of the parts,
/// after all parts are done.
template <class I>
concept forks = requires(I& i) { i.join(i.fork()); };

namespace internal {

/// Clause: contexts with an `I` transform parts in sequence. It declares `static constexpr bool in_order = true`.
template <class I>
concept wants_order = requires { requires std::remove_cvref_t<I>::in_order; };

} // namespace internal

/// An instrument: any type with at least one of the hooks below. Absent hooks generate no code.
///
/// | hook | when |
/// |---|---|
/// | `enter_pass_ctx()`, `exit_pass_ctx()` | a context is entered or left |
/// | `bool should_run(unit, info)` | a pass is about to run; false skips it |
/// | `run_before_pass(unit, info)` | a pass runs next |
/// | `run_after_pass(unit, info)` or `(unit, info, change)` | a pass has run |
/// | `pass_skipped(info, why)` | a pass does not run |
/// | `pass_failed(unit, info, exception)` | a pass that has begun fails; `unit` is a pointer (see below) |
/// | `pass_counted(info, name, n)` | a pass calls `ctx.count(name, n)` |
/// | `pass_remarked(info, remark)` | a pass calls `ctx.remark(kind, where, text)` |
/// | `bool should_apply(info, site)` | a pass calls `ctx.may_apply(rule, where)` before a rewrite; false refuses it |
/// | `analysis_kept(info, kept)` | an analysis is kept after a pass; with `sees_reuse`, also when a pass requests it |
///
/// `unit` is a `const Unit&`. A hook that accepts only one type of unit is called for that type only. This must be the
/// unit type of the passes, or the type of one of its parts. A generic hook is called for all units. `info` is a
/// `const tutti::pass_info&`, or a `const tutti::pass_run&`, which refers to the surrounding passes. The pointer passed
/// to `pass_failed` is null if a by-value pass has lost the unit, or if `check_structure` rejects the unit.
///
/// Before each pass, every instrument's `should_run` is called, unless the context requires the pass. If all return
/// true, every `run_before_pass`, the pass, and every `run_after_pass` are called. Otherwise, every `pass_skipped` is
/// called. Instruments are called in order. After each `run_before_pass` that returned, the instrument receives exactly
/// one of `run_after_pass` and `pass_failed`, the latter if anything threw before, or the pass returned an
/// error. An exception from `pass_failed` replaces the original one, and later instruments are not called.
///
/// Every `should_apply` is called for each rewrite, even after one returned false; a rewrite is made if all return true.
///
/// Hooks are member functions, member templates, or data members that hold callables. An empty callable, such as an
/// empty std::function, is skipped. An instrument may have a member `name`.
///
/// In a context that transforms parts in parallel (`tutti::on`), several threads call the hooks around passes over
/// parts, one thread at a time. The members `fork`, `concurrent` and `in_order` change this.
///
/// Laws:    an instrument with empty hooks affects neither the result nor other instruments.
/// Example: test/archetypes/instrument.hpp
template <class I, class Unit>
concept instrument_of = internal::enters<I> || internal::exits<I> || internal::decides<I, Unit> ||
                        internal::sees_before<I, Unit> || internal::sees_after<I, Unit> || internal::sees_skipped<I> ||
                        internal::sees_failed<I, Unit> || internal::sees_counts<I> || internal::sees_remarks<I> ||
                        internal::decides_rewrites<I> || internal::sees_analyses<I>;

namespace internal {

/// Returns the `name` of an instrument, or "".
template <class I>
constexpr std::string_view instrument_name([[maybe_unused]] const I& instrument) {
    if constexpr (requires {
                      { instrument.name() } -> std::convertible_to<std::string_view>;
                  })
        return instrument.name();
    else if constexpr (requires {
                           { instrument.name } -> std::convertible_to<std::string_view>;
                       })
        return instrument.name;
    else
        return {};
}

} // namespace internal

} // namespace tutti
