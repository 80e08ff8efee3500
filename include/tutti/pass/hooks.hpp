#pragma once

#include <tutti/base/folder.hpp>

#include <concepts>
#include <type_traits>

namespace tutti {

/// Stands for an absent callable. A data member of this type does not count as a hook.
struct none {};

namespace detail {

// Detects members by name, callable or not. In a class that is derived from `T` and `hook_names`, a name that `T` also
// declares is ambiguous. The first declaration lists the hooks. The other declarations list common misspellings.
struct hook_names {
    int enter_pass_ctx, exit_pass_ctx, should_run, run_before_pass, run_after_pass, pass_skipped, pass_failed,
        pass_counted, pass_remarked, should_apply, analysis_kept, stop_clock, start_clock;
    int enter_pass_context, enter_pass_ctxt, enter_pass, enterPassCtx;
    int exit_pass_context, exit_pass_ctxt, exit_pass, exitPassCtx;
    int should_run_pass, should_runs, shoud_run, shouldRun;
    int run_before, before_pass, before_run, run_befor_pass, run_before_passes, run_before_pas, run_beforepass,
        run_pass_before, on_before_pass, runBeforePass;
    int run_after, after_pass, after_run, run_aftr_pass, run_after_passes, run_after_pas, run_afterpass, run_pass_after,
        on_after_pass, runAfterPass;
    int pass_skip, pass_skiped, skip_pass, passSkipped;
    int pass_fail, pass_failure, fail_pass, passFailed;
    int may_apply, should_aply, shouldApply;
    int pass_count, pass_counts, pass_remark, pass_remarks, analyses_kept, analysis_keep;
};
template <class T>
struct with_hook_names : T, hook_names {};

} // namespace detail

/// The hooks of instruments by name.
///
/// Each hook is a type with three functions: `call(instrument, arguments...)`, which exists if the hook can be called
/// with the arguments; `is_named<T>()`, true if a `T` has a member with that name; and `is_empty(instrument)`, true if
/// the hook is a data member that holds nothing, such as an empty std::function.
namespace hook {

// In final classes, `is_named` finds only members that are neither templates nor overloaded.
#define TUTTI_HOOK(Name)                                                                                               \
    struct Name {                                                                                                      \
        template <class I, class... A>                                                                                 \
            requires requires(I& i, A&&... a) { i.Name(static_cast<A&&>(a)...); }                                      \
        static constexpr decltype(auto) call(I& i, A&&... a) {                                                         \
            return i.Name(static_cast<A&&>(a)...);                                                                     \
        }                                                                                                              \
        template <class I>                                                                                             \
        static constexpr bool is_empty([[maybe_unused]] I& i) {                                                        \
            if constexpr (requires {                                                                                   \
                              { i.Name == nullptr } -> std::convertible_to<bool>;                                      \
                          })                                                                                           \
                return i.Name == nullptr;                                                                              \
            else                                                                                                       \
                return false;                                                                                          \
        }                                                                                                              \
        template <class T>                                                                                             \
        static consteval bool is_named() {                                                                             \
            if constexpr (requires(T& i) { requires std::same_as<std::remove_cvref_t<decltype((i.Name))>, none>; })    \
                return false;                                                                                          \
            else if constexpr (!std::is_class_v<T>)                                                                    \
                return false;                                                                                          \
            else if constexpr (std::is_final_v<T>)                                                                     \
                return requires { &T::Name; };                                                                         \
            else                                                                                                       \
                return !requires { &detail::with_hook_names<T>::Name; };                                               \
        }                                                                                                              \
    };
TUTTI_HOOK(enter_pass_ctx)
TUTTI_HOOK(exit_pass_ctx)
TUTTI_HOOK(should_run)
TUTTI_HOOK(run_before_pass)
TUTTI_HOOK(run_after_pass)
TUTTI_HOOK(pass_skipped)
TUTTI_HOOK(pass_failed)
TUTTI_HOOK(pass_counted)
TUTTI_HOOK(pass_remarked)
TUTTI_HOOK(should_apply)
TUTTI_HOOK(analysis_kept)
TUTTI_HOOK(stop_clock)
TUTTI_HOOK(start_clock)
#undef TUTTI_HOOK

} // namespace hook

} // namespace tutti
