#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/hooks.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>

#include <concepts>
#include <cstdint>
#include <exception>
#include <string_view>
#include <type_traits>

namespace tutti {

class kept_analysis;

/// Clause: an `I` has a hook for entering a context.
template <class I>
concept enters = requires(I& i) { i.enter_pass_ctx(); };
/// Clause: an `I` has a hook for leaving a context.
template <class I>
concept exits = requires(I& i) { i.exit_pass_ctx(); };
/// Clause: an `I` is asked whether a pass should run.
template <class I, class Unit>
concept decides = requires(I& i, const Unit& unit, const pass_run& run) {
    { i.should_run(unit, run) } -> std::same_as<bool>;
};
/// Clause: an `I` is told before a pass.
template <class I, class Unit>
concept sees_before = requires(I& i, const Unit& unit, const pass_run& run) { i.run_before_pass(unit, run); };
/// Clause: an `I` is told after a pass whether that changed the unit.
template <class I, class Unit>
concept sees_change =
    requires(I& i, const Unit& unit, const pass_run& run, change what) { i.run_after_pass(unit, run, what); };
/// Clause: an `I` is told after a pass.
template <class I, class Unit>
concept sees_after =
    sees_change<I, Unit> || requires(I& i, const Unit& unit, const pass_run& run) { i.run_after_pass(unit, run); };
/// Clause: an `I` is told of a pass that is not run.
template <class I>
concept sees_skipped = requires(I& i, const pass_info& info, skip_reason why) { i.pass_skipped(info, why); };
/// Clause: an `I` is told of a pass that began and did not end well.
template <class I, class Unit>
concept sees_failed = requires(I& i, const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
    i.pass_failed(unit, run, reason);
};
/// Clause: an `I` is told what passes count.
template <class I>
concept sees_counts =
    requires(I& i, const pass_run& run, std::string_view name, std::int64_t n) { i.pass_counted(run, name, n); };
/// Clause: an `I` is told what passes remark.
template <class I>
concept sees_remarks = requires(I& i, const pass_run& run, const remark& said) { i.pass_remarked(run, said); };
/// Clause: an `I` is told of each analysis that is kept after a pass.
template <class I>
concept sees_analyses = requires(I& i, const pass_run& run, const kept_analysis& kept) { i.analysis_kept(run, kept); };

/// Clause: an `I` is also told of a kept analysis each time a pass asks for it and gets what was kept; it says so by `static constexpr
/// bool sees_reuse = true`.
template <class I>
concept sees_reuse = sees_analyses<I> && requires { requires std::remove_cvref_t<I>::sees_reuse; };

/// Clause: an `I` has nothing to say of a pass whose begin it has not seen; it says so by `static constexpr bool pairs_begin_and_end =
/// true`.
template <class I>
concept pairs_begin_and_end = requires { requires std::remove_cvref_t<I>::pairs_begin_and_end; };

/// Clause: an `I` measures: it is told when hooks, anyone's, are about to be called at the border of a pass, and when that is
/// over.
///
/// Between `stop_clock()` and `start_clock()` only hooks run; they come in pairs, also when a hook throws, and are left out
/// where the set has no other instrument whose time could be counted. Neither may throw.
template <class I>
concept stops_clock = requires(I& i) {
    i.stop_clock();
    i.start_clock();
};

/// Clause: an `I` may be told by several threads at once; it says so by `static constexpr bool concurrent = true`.
template <class I>
concept concurrent_instrument = requires { requires std::remove_cvref_t<I>::concurrent; };

/// Clause: an `I` has an instrument of its own for each part of a unit that is transformed at the same time as others: `fork()`
/// makes it, `join(it)` takes what it has noted, in the order of the parts, when all are done.
template <class I>
concept forks = requires(I& i) { i.join(i.fork()); };

/// Clause: an `I` makes sense only of parts one after another; it says so by `static constexpr bool in_order = true`, and where it
/// is among the instruments parts are transformed like that.
template <class I>
concept wants_order = requires { requires std::remove_cvref_t<I>::in_order; };

/// An instrument: any type with one or more of the hooks; what is absent emits no code.
///
/// | hook | when |
/// |---|---|
/// | `enter_pass_ctx()`, `exit_pass_ctx()` | a context is entered, left |
/// | `bool should_run(unit, info)` | a pass is about to run: whether it should |
/// | `run_before_pass(unit, info)` | it runs |
/// | `run_after_pass(unit, info)` or `(unit, info, change)` | it has run |
/// | `pass_skipped(info, why)` | it does not run |
/// | `pass_failed(unit, info, exception)` | it has begun and not ended; `unit` is a pointer, null where a pass by value has lost it, or `check_structure` refuses it |
/// | `pass_counted(info, name, n)` | a pass says `ctx.count(name, n)` |
/// | `pass_remarked(info, remark)` | a pass says `ctx.remark(kind, where, text)` |
/// | `analysis_kept(info, kept)` | an analysis is kept after a pass, by what that says of itself; with `sees_reuse`, also one that a pass gets |
///
/// `unit` is a `const Unit&`: a hook that takes one type of units is called for these, and absent for others; a generic one
/// gets all. `info` is a `const tutti::pass_info&`, or a `const tutti::pass_run&`, which knows what is around the pass.
///
/// Around each pass: every instrument's `should_run` (all are asked); if all said yes every `run_before_pass`, the pass, every
/// `run_after_pass`, each in the order of the instruments; else every `pass_skipped`. Each `run_before_pass` that returned has
/// exactly one end: `run_after_pass`, or `pass_failed` if anything threw before that was called. What `pass_failed` throws goes
/// on in place of what it was told, and instruments behind it are not told.
///
/// Hooks are member functions, member templates, or data members that hold callables; one that holds none when it is due (an
/// empty std::function) is left out. An instrument may have a member `name`.
///
/// In a context that transforms parts at the same time (`tutti::on`), hooks around passes over parts are called by several threads,
/// one at a time; `fork`, `concurrent` and `in_order` are for those that want it otherwise.
///
/// Laws:    an instrument whose hooks do nothing changes neither the result nor what other instruments see.
/// Example: test/archetypes/instrument.hpp
template <class I, class Unit>
concept instrument_of =
    enters<I> || exits<I> || decides<I, Unit> || sees_before<I, Unit> || sees_after<I, Unit> || sees_skipped<I> ||
    sees_failed<I, Unit> || sees_counts<I> || sees_remarks<I> || sees_analyses<I>;

/// What an instrument is called: its member `name`, or nothing.
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

} // namespace tutti
