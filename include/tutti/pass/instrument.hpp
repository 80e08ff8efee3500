#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>

#include <concepts>
#include <exception>
#include <type_traits>

namespace tutti {

/// The callable that is not there: a hook that is a data member of this type counts as absent.
struct none {};

/// Clause: an `I` has a hook for entering a context.
template <class I>
concept enters = requires(I& i) { i.enter_pass_ctx(); };
/// Clause: an `I` has a hook for leaving a context.
template <class I>
concept exits = requires(I& i) { i.exit_pass_ctx(); };
/// Clause: an `I` is asked whether a pass should run.
template <class I, class Unit>
concept decides = requires(I& i, const Unit& unit, const pass_info& info) {
    { i.should_run(unit, info) } -> std::same_as<bool>;
};
/// Clause: an `I` is told before a pass.
template <class I, class Unit>
concept sees_before = requires(I& i, const Unit& unit, const pass_info& info) { i.run_before_pass(unit, info); };
/// Clause: an `I` is told after a pass.
template <class I, class Unit>
concept sees_after = requires(I& i, const Unit& unit, const pass_info& info) { i.run_after_pass(unit, info); };
/// Clause: an `I` is told of a pass that is not run.
template <class I>
concept sees_skipped = requires(I& i, const pass_info& info, skip_reason why) { i.pass_skipped(info, why); };
/// Clause: an `I` is told of a pass that began and did not end well.
template <class I, class Unit>
concept sees_failed = requires(I& i, const Unit& unit, const pass_info& info, std::exception_ptr reason) {
    i.pass_failed(unit, info, reason);
};

/// An instrument: any type with one or more of the seven hooks; what is absent emits no code.
///
/// Around each pass: every instrument's `should_run` (all are asked); if all said yes every
/// `run_before_pass`, the pass, every `run_after_pass`, each in the order of the instruments; else every
/// `pass_skipped`. Each `run_before_pass` that returned has exactly one end: `run_after_pass`, or
/// `pass_failed` if anything threw before that was called. What `pass_failed` throws goes on in place of what
/// it was told, and instruments behind it are not told.
///
/// Hooks are member functions, member templates, or data members that hold callables.
///
/// Laws:    an instrument whose hooks do nothing changes neither the result nor what other instruments see.
/// Example: test/archetypes/instrument.hpp
template <class I, class Unit>
concept instrument_of = enters<I> || exits<I> || decides<I, Unit> || sees_before<I, Unit> || sees_after<I, Unit> ||
                        sees_skipped<I> || sees_failed<I, Unit>;

/// An instrument that measures: it is told when hooks, anyone's, are about to be called at the border of a
/// pass, and when that is over.
///
/// Between `stop_clock()` and `start_clock()` only hooks run; they come in pairs, also when a hook throws,
/// and are left out where the set has no other instrument whose time could be counted. Neither may throw.
template <class I>
concept accounts = requires(I& i) {
    i.stop_clock();
    i.start_clock();
};

namespace detail {

// Whether T has a member of some name at all, callable or not: a base with the same name makes the name
// ambiguous.
struct hook_names {
    int enter_pass_ctx, exit_pass_ctx, should_run, run_before_pass, run_after_pass, pass_skipped, pass_failed;
};
template <class T>
struct with_hook_names : T, hook_names {};

template <class T>
concept inspectable = std::is_class_v<T> && !std::is_final_v<T>;

// clang-format off
template <class I, class T = std::remove_cv_t<I>>
concept names_enter =
    inspectable<T> && !requires { &with_hook_names<T>::enter_pass_ctx; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.enter_pass_ctx))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_exit =
    inspectable<T> && !requires { &with_hook_names<T>::exit_pass_ctx; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.exit_pass_ctx))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_decide =
    inspectable<T> && !requires { &with_hook_names<T>::should_run; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.should_run))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_before =
    inspectable<T> && !requires { &with_hook_names<T>::run_before_pass; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.run_before_pass))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_after =
    inspectable<T> && !requires { &with_hook_names<T>::run_after_pass; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.run_after_pass))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_skipped =
    inspectable<T> && !requires { &with_hook_names<T>::pass_skipped; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.pass_skipped))>, none>; };
template <class I, class T = std::remove_cv_t<I>>
concept names_failed =
    inspectable<T> && !requires { &with_hook_names<T>::pass_failed; } &&
    !requires(I& i) { requires std::same_as<std::remove_cvref_t<decltype((i.pass_failed))>, none>; };
// clang-format on

template <class I>
concept names_a_hook = names_enter<I> || names_exit<I> || names_decide<I> || names_before<I> || names_after<I> ||
                       names_skipped<I> || names_failed<I>;

// What can be said of an instrument before the unit is known; false after an error has been given.
template <class I>
consteval bool check_instrument() {
    constexpr bool has_hook = names_a_hook<I> || std::is_final_v<I>;
    static_assert(has_hook,
                  "tutti::instruments(instrument...): an instrument must have a hook; give it one or more of "
                  "enter_pass_ctx(), "
                  "exit_pass_ctx(), should_run(unit, info), run_before_pass(unit, info), run_after_pass(unit, info), "
                  "pass_skipped(info, why), pass_failed(unit, info, exception)");
    constexpr bool enter_fits = !names_enter<I> || enters<I>;
    static_assert(enter_fits,
                  "tutti::instruments(instrument...): an enter_pass_ctx must be callable without arguments; "
                  "declare it void enter_pass_ctx(), public");
    constexpr bool exit_fits = !names_exit<I> || exits<I>;
    static_assert(exit_fits, "tutti::instruments(instrument...): an exit_pass_ctx must be callable without arguments; "
                             "declare it void exit_pass_ctx(), public");
    constexpr bool skipped_fits = !names_skipped<I> || sees_skipped<I>;
    static_assert(skipped_fits, "tutti::instruments(instrument...): a pass_skipped must be callable with (info, why); "
                                "declare it void pass_skipped(const tutti::pass_info&, tutti::skip_reason), public");
    return has_hook && enter_fits && exit_fits && skipped_fits;
}

// What can be said once the unit is known.
template <class I, class Unit>
consteval bool check_instrument_of() {
    constexpr bool decide_fits = !names_decide<I> || decides<I, Unit>;
    static_assert(decide_fits, "tutti::scope::run(pass, unit): an instrument's should_run must be callable "
                               "with (unit, info) and return bool; "
                               "declare it bool should_run(const Unit&, const tutti::pass_info&), public");
    constexpr bool before_fits = !names_before<I> || sees_before<I, Unit>;
    static_assert(before_fits,
                  "tutti::scope::run(pass, unit): an instrument's run_before_pass must be callable with (unit, info); "
                  "declare it void run_before_pass(const Unit&, const tutti::pass_info&), public");
    constexpr bool after_fits = !names_after<I> || sees_after<I, Unit>;
    static_assert(after_fits,
                  "tutti::scope::run(pass, unit): an instrument's run_after_pass must be callable with (unit, info); "
                  "declare it void run_after_pass(const Unit&, const tutti::pass_info&), public");
    constexpr bool failed_fits = !names_failed<I> || sees_failed<I, Unit>;
    static_assert(failed_fits,
                  "tutti::scope::run(pass, unit): an instrument's pass_failed must be callable with (unit, info, "
                  "exception); "
                  "declare it void pass_failed(const Unit&, const tutti::pass_info&, std::exception_ptr), public");
    return decide_fits && before_fits && after_fits && failed_fits;
}

} // namespace detail

} // namespace tutti
