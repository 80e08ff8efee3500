#pragma once

#include <tutti/pass/instrument.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <type_traits>

namespace tutti {

namespace detail {

template <class T>
concept inspectable = std::is_class_v<T> && !std::is_final_v<T>;

template <class T>
concept names_a_hook =
    hook::enter_pass_ctx::is_named<T>() || hook::exit_pass_ctx::is_named<T>() || hook::should_run::is_named<T>() ||
    hook::run_before_pass::is_named<T>() || hook::run_after_pass::is_named<T>() || hook::pass_skipped::is_named<T>() ||
    hook::pass_failed::is_named<T>() || hook::pass_counted::is_named<T>() || hook::pass_remarked::is_named<T>() ||
    hook::should_apply::is_named<T>() || hook::analysis_kept::is_named<T>();

// True if no member of a class is a common misspelling of a hook.
template <class T, class N = with_hook_names<T>>
concept spells_contexts = requires {
    &N::enter_pass_context, &N::enter_pass_ctxt, &N::enter_pass, &N::enterPassCtx;
    &N::exit_pass_context, &N::exit_pass_ctxt, &N::exit_pass, &N::exitPassCtx;
};
template <class T, class N = with_hook_names<T>>
concept spells_should_run = requires { &N::should_run_pass, &N::should_runs, &N::shoud_run, &N::shouldRun; };
template <class T, class N = with_hook_names<T>>
concept spells_before = requires {
    &N::run_before, &N::before_pass, &N::before_run, &N::run_befor_pass, &N::run_before_passes, &N::run_before_pas;
    &N::run_beforepass, &N::run_pass_before, &N::on_before_pass, &N::runBeforePass;
};
template <class T, class N = with_hook_names<T>>
concept spells_after = requires {
    &N::run_after, &N::after_pass, &N::after_run, &N::run_aftr_pass, &N::run_after_passes, &N::run_after_pas;
    &N::run_afterpass, &N::run_pass_after, &N::on_after_pass, &N::runAfterPass;
};
template <class T, class N = with_hook_names<T>>
concept spells_others = requires {
    &N::pass_skip, &N::pass_skiped, &N::skip_pass, &N::passSkipped, &N::pass_fail, &N::pass_failure;
    &N::fail_pass, &N::passFailed, &N::pass_count, &N::pass_counts, &N::pass_remark, &N::pass_remarks;
    &N::analyses_kept, &N::analysis_keep, &N::may_apply, &N::should_aply, &N::shouldApply;
};

} // namespace detail

/// Checks an instrument before the type of unit is known. If a check fails, the compiler reports an error that names
/// the remedy, and the result is false.
template <class I>
consteval bool check_instrument() {
    using T = std::remove_cv_t<I>;
    constexpr bool has_hook = std::is_final_v<T> || detail::names_a_hook<T>;
    constexpr bool inspected = detail::inspectable<T>;
    if constexpr (!has_hook || inspected) {
        constexpr bool before_spelt = !inspected || detail::spells_before<T>;
        constexpr bool after_spelt = !inspected || detail::spells_after<T>;
        constexpr bool should_run_spelt = !inspected || detail::spells_should_run<T>;
        constexpr bool contexts_spelt = !inspected || detail::spells_contexts<T>;
        constexpr bool others_spelt = !inspected || detail::spells_others<T>;
        static_assert(before_spelt,
                      "tutti::instruments(instrument...): an instrument has a member that is spelt almost "
                      "like a hook; write run_before_pass(unit, info), or give it another name");
        static_assert(after_spelt, "tutti::instruments(instrument...): an instrument has a member that is spelt almost "
                                   "like a hook; write run_after_pass(unit, info), or give it another name");
        static_assert(should_run_spelt, "tutti::instruments(instrument...): an instrument has a member that is spelt "
                                        "almost like a hook; write should_run(unit, info), or give it another name");
        static_assert(contexts_spelt,
                      "tutti::instruments(instrument...): an instrument has a member that is spelt almost like a hook; "
                      "write enter_pass_ctx() or exit_pass_ctx(), or give it another name");
        static_assert(
            others_spelt,
            "tutti::instruments(instrument...): an instrument has a member that is spelt almost like a hook; "
            "write pass_skipped, pass_failed, pass_counted, pass_remarked, should_apply or analysis_kept, or give it "
            "another name");
        constexpr bool spelt = before_spelt && after_spelt && should_run_spelt && contexts_spelt && others_spelt;
        static_assert(has_hook || !spelt,
                      "tutti::instruments(instrument...): an instrument must have a hook; give it one or more of "
                      "enter_pass_ctx(), exit_pass_ctx(), should_run(unit, info), run_before_pass(unit, info), "
                      "run_after_pass(unit, info), pass_skipped(info, why), pass_failed(unit, info, exception)");
        if constexpr (!has_hook || !spelt) return false;
    }
    constexpr bool enter_fits = !hook::enter_pass_ctx::is_named<T>() || internal::enters<I>;
    static_assert(enter_fits,
                  "tutti::instruments(instrument...): an enter_pass_ctx must be callable without arguments; "
                  "declare it void enter_pass_ctx(), public");
    constexpr bool exit_fits = !hook::exit_pass_ctx::is_named<T>() || internal::exits<I>;
    static_assert(exit_fits, "tutti::instruments(instrument...): an exit_pass_ctx must be callable without arguments; "
                             "declare it void exit_pass_ctx(), public");
    constexpr bool skipped_fits = !hook::pass_skipped::is_named<T>() || internal::sees_skipped<I>;
    static_assert(skipped_fits, "tutti::instruments(instrument...): a pass_skipped must be callable with (info, why); "
                                "declare it void pass_skipped(const tutti::pass_info&, tutti::skip_reason), public");
    constexpr bool counted_fits = !hook::pass_counted::is_named<T>() || internal::sees_counts<I>;
    static_assert(counted_fits,
                  "tutti::instruments(instrument...): a pass_counted must be callable with (info, name, n); declare it "
                  "void pass_counted(const tutti::pass_info&, std::string_view, std::int64_t), public");
    constexpr bool remarked_fits = !hook::pass_remarked::is_named<T>() || internal::sees_remarks<I>;
    static_assert(remarked_fits,
                  "tutti::instruments(instrument...): a pass_remarked must be callable with (info, remark); declare it "
                  "void pass_remarked(const tutti::pass_info&, const tutti::remark&), public");
    constexpr bool apply_fits = !hook::should_apply::is_named<T>() || internal::decides_rewrites<I>;
    static_assert(
        apply_fits,
        "tutti::instruments(instrument...): a should_apply must be callable with (info, site) and return bool; "
        "declare it bool should_apply(const tutti::pass_info&, const tutti::rewrite_site&), public");
    constexpr bool kept_fits = !hook::analysis_kept::is_named<T>() || internal::sees_analyses<I>;
    static_assert(kept_fits,
                  "tutti::instruments(instrument...): an analysis_kept must be callable with (info, kept); declare it "
                  "void analysis_kept(const tutti::pass_info&, const tutti::kept_analysis&), public");
    return enter_fits && exit_fits && skipped_fits && counted_fits && remarked_fits && apply_fits && kept_fits;
}

namespace detail {

// True if run_before_pass returns bool, as should_run does.
template <class I, class Unit>
concept answers_before = requires(I& i, const Unit& unit, const pass_run& run) {
    { i.run_before_pass(unit, run) } -> std::same_as<bool>;
};

template <class I, class... Unit>
consteval bool check_hooks(units<Unit...>) {
    using T = std::remove_cv_t<I>;
    constexpr bool decide_fits = !hook::should_run::is_named<T>() || (internal::decides<I, Unit> || ...);
    static_assert(decide_fits, "tutti::scope::run(pass, unit): an instrument's should_run must be callable with (unit, "
                               "info) and return bool; "
                               "declare it bool should_run(const Unit&, const tutti::pass_info&), public");
    constexpr bool before_fits = !hook::run_before_pass::is_named<T>() || (internal::sees_before<I, Unit> || ...);
    static_assert(before_fits,
                  "tutti::scope::run(pass, unit): an instrument's run_before_pass must be callable with (unit, info); "
                  "declare it void run_before_pass(const Unit&, const tutti::pass_info&), public");
    constexpr bool after_fits = !hook::run_after_pass::is_named<T>() || (internal::sees_after<I, Unit> || ...);
    static_assert(after_fits,
                  "tutti::scope::run(pass, unit): an instrument's run_after_pass must be callable with (unit, info); "
                  "declare it void run_after_pass(const Unit&, const tutti::pass_info&), public");
    constexpr bool failed_fits = !hook::pass_failed::is_named<T>() || (internal::sees_failed<I, Unit> || ...);
    static_assert(failed_fits,
                  "tutti::scope::run(pass, unit): an instrument's pass_failed must be callable with (unit, info, "
                  "exception), unit a pointer, since a pass by value has lost it; declare it "
                  "void pass_failed(const Unit*, const tutti::pass_info&, std::exception_ptr), public");
    if constexpr (decide_fits && before_fits && after_fits && failed_fits) {
        constexpr bool is_asked = !(answers_before<I, Unit> || ...);
        static_assert(
            is_asked,
            "tutti::scope::run(pass, unit): an instrument's run_before_pass must return nothing, since it cannot "
            "keep a "
            "pass from running; call it should_run, whose result decides that");
        constexpr bool has_hook = (instrument_of<I, Unit> || ...);
        static_assert(
            has_hook || !is_asked,
            "tutti::scope::run(pass, unit): an instrument must have a hook for units of this type; give it one or more "
            "of should_run(unit, info), run_before_pass(unit, info), run_after_pass(unit, info), "
            "pass_failed(unit, info, exception)");
        return is_asked && has_hook;
    } else {
        return false;
    }
}

template <class I, class Levels>
consteval bool check_units() {
    if constexpr (requires { I::check_units(Levels{}); })
        return I::check_units(Levels{});
    else
        return true;
}

} // namespace detail

namespace internal {

/// Checks that each hook of an instrument accepts a `Unit`, or one of its parts at any depth.
///
/// An instrument with further requirements on units may check them in a member `template <class... Unit> static
/// consteval bool check_units(tutti::units<Unit...>)`. The argument lists the types of the unit and of its parts. If a
/// check fails, the member must cause a compile error that names the remedy, and return false.
template <class I, class Unit>
consteval bool check_instrument_of() {
    using levels = levels_of<Unit>;
    if constexpr (!detail::check_units<I, levels>())
        return false;
    else
        return detail::check_hooks<I>(levels{});
}

} // namespace internal

} // namespace tutti
