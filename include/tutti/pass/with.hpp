#pragma once

#include <tutti/pass/scope.hpp>

namespace tutti {

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

} // namespace tutti
