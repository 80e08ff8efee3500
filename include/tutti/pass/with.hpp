#pragma once

#include <tutti/pass/scope.hpp>

#include <type_traits>
#include <utility>

namespace tutti {

namespace detail {

template <class T>
inline constexpr bool is_pass_context = false;
template <class... Options>
inline constexpr bool is_pass_context<pass_context<Options...>> = true;

// Of the arguments of `with`; false after an error has been given.
template <class C, class Body>
consteval bool check_with() {
    constexpr bool is_context = is_pass_context<std::remove_const_t<C>>;
    static_assert(is_context, "tutti::with(context, body): a context must be a tutti::pass_context; make one "
                              "of its options, or call tutti::runtime::with if it is a run-time context");
    if constexpr (is_context) {
        using Set = std::remove_cvref_t<decltype(std::declval<C&>().instruments())>;
        constexpr bool changeable = !std::is_const_v<C> || Set::size() == 0;
        static_assert(changeable, "tutti::with(context, body): a context with instruments must not be const; "
                                  "declare it without const or constexpr");
        if constexpr (changeable) {
            constexpr bool callable = requires(Body&& body, scope<C, false>& inside) { body(inside); };
            static_assert(callable, "tutti::with(context, body): a body must be callable with a scope; write "
                                    "[&](auto& scope) { scope.run(pass, unit); }");
            return callable;
        } else {
            return false;
        }
    } else {
        return false;
    }
}

} // namespace detail

/// Enters a context, calls `body(scope)`, leaves the context however the body ends; returns what the body
/// returns.
///
/// Instruments are entered in their order and left in the same order. If one throws on entering, those
/// entered before it are left, the body is not called, and the context is without instruments from then on.
/// If one throws on leaving, those behind it are not left, the context is without instruments from then on,
/// and what it threw goes on even if the body threw too. Contexts do not chain: inside a `with` in a body
/// only the inner context's instruments are called.
///
/// Requires: `body` is callable with `auto& scope`; a context with instruments is not const.
/// Cost:     that of `body`, if no instrument has `enter_pass_ctx` or `exit_pass_ctx`.
/// Example:  `unit out = tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, std::move(in)); });`
template <class Context, class Body>
constexpr decltype(auto) with(Context&& context, Body&& body) {
    using C = std::remove_reference_t<Context>;
    if constexpr (detail::check_with<C, Body>()) {
        scope<C, false> inside{context};
        using Result = decltype(body(inside));
        auto& set = context.instruments();
        using Set = std::remove_reference_t<decltype(set)>;
        if constexpr (!Set::around_contexts) {
            return static_cast<Result>(body(inside));
        } else {
            const bool observed = !set.cleared();
            if (observed) set.enter();
            if constexpr (!Set::exited) {
                return static_cast<Result>(body(inside));
            } else {
                const auto call = [&]() -> Result {
                    try {
                        return body(inside);
                    } catch (...) {
                        if (observed) set.exit();
                        throw;
                    }
                };
                if constexpr (std::is_void_v<Result>) {
                    call();
                    if (observed) set.exit();
                } else {
                    Result result = call();
                    if (observed) set.exit();
                    return static_cast<Result>(static_cast<Result&&>(result));
                }
            }
        }
    }
}

} // namespace tutti
