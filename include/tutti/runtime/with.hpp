#pragma once

#include <tutti/runtime/scope.hpp>

#include <type_traits>

namespace tutti::runtime {

/// Enters a context, makes it the current one, calls `body(scope)` or `body()`, leaves it however the body
/// ends; returns what the body returns.
///
/// Enter hooks run before the context becomes current, exit hooks when it is so no longer. If one throws on
/// entering, those entered before it are left, all are removed, and the body is not called. If one throws on
/// leaving, those behind it are not left, all are removed, and what it threw goes on even if the body threw
/// too.
///
/// Example: `runtime::with(ctx, [&](auto& scope) { scope.run(infer_type{}, module); });`
template <class Unit, class Body>
decltype(auto) with(pass_context<Unit>& context, Body&& body) {
    constexpr bool takes_scope = requires(Body&& b, scope<Unit>& inside) { b(inside); };
    constexpr bool takes_nothing = requires(Body&& b) { b(); };
    constexpr bool callable = takes_scope || takes_nothing;
    static_assert(callable, "tutti::runtime::with(context, body): a body must be callable with a scope or with "
                            "nothing; write [&](auto& scope) { scope.run(pass, unit); }");
    const auto call_body = [&]() -> decltype(auto) {
        const typename pass_context<Unit>::made_current current{context};
        if constexpr (takes_scope) {
            scope<Unit> inside{context};
            return body(inside);
        } else if constexpr (takes_nothing) {
            return body();
        }
    };
    using Result = decltype(call_body());
    context.instruments().enter();
    const auto call = [&]() -> Result {
        try {
            return call_body();
        } catch (...) {
            context.instruments().exit();
            throw;
        }
    };
    if constexpr (std::is_void_v<Result>) {
        call();
        context.instruments().exit();
    } else {
        Result result = call();
        context.instruments().exit();
        return static_cast<Result>(static_cast<Result&&>(result));
    }
}
template <class Unit, class Body>
decltype(auto) with(pass_context<Unit>&& context, Body&& body) {
    return runtime::with(context, static_cast<Body&&>(body));
}

} // namespace tutti::runtime
