#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/current.hpp>
#include <tutti/pass/instrument_set.hpp>
#include <tutti/pass/scope.hpp>

#include <exception>
#include <type_traits>

namespace tutti {

namespace detail {

template <class C>
using instruments_in = std::remove_cvref_t<decltype(std::declval<C&>().instruments())>;
template <class C>
inline constexpr bool has_instruments =
    !std::is_same_v<instruments_in<C>, internal::instrument_set<instrument_slots<>>>;

// Checks the arguments of `with`. If a check fails, the compiler reports an error, and the result is false.
template <class C, class Body>
consteval bool check_with() {
    constexpr bool is_context = context<std::remove_const_t<C>>;
    static_assert(is_context, "tutti::with(context, body): a context must be a tutti::pass_context or a "
                              "tutti::runtime::pass_context; construct one from its options");
    if constexpr (is_context) {
        constexpr bool changeable = !std::is_const_v<C> || !has_instruments<C>;
        static_assert(changeable, "tutti::with(context, body): a context with instruments must not be const; "
                                  "declare it without const or constexpr");
        if constexpr (changeable) {
            constexpr bool callable =
                requires(Body&& body, scope<C, false>& inside) { body(inside); } || requires(Body&& body) { body(); };
            static_assert(callable,
                          "tutti::with(context, body): a body must be callable with a scope or with nothing; write "
                          "[&](auto& scope) { scope.run(pass, unit); }");
            return callable;
        } else {
            return false;
        }
    } else {
        return false;
    }
}

template <class C, class Body>
constexpr decltype(auto) call_body(C& context, Body& body) {
    const auto call = [&]() -> decltype(auto) {
        if constexpr (requires(scope<C, false>& inside) { body(inside); }) {
            scope<C, false> inside{context};
            return body(inside);
        } else {
            return body();
        }
    };
    if constexpr (C::becomes_current) {
        const internal::current_guard<C> current{context};
        return call();
    } else {
        return call();
    }
}

} // namespace detail

/// Enters a context, calls `body(scope)` or `body()`, and leaves the context however the body ends. Returns the body's
/// result.
///
/// Instruments are entered and left in the same order. If an instrument throws on entering, those entered before it are
/// left, and the body is not called. If an instrument throws on leaving, later ones are not left, and that exception
/// propagates even if the body threw too. In both cases, the context no longer calls its instruments. A context with
/// `as_current` is current for the body only, not for the hooks. Contexts do not chain: inside a nested `with`, only
/// the inner context's instruments are called.
///
/// Requires: `body` is callable with `auto& scope` or without arguments; a context with instruments is not const.
/// Cost:     the cost of `body`, if no instrument has `enter_pass_ctx` or `exit_pass_ctx`.
/// Example:  `unit out = tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, std::move(in)); });`
template <class Context, class Body>
constexpr decltype(auto) with(Context&& context, Body&& body) {
    using C = std::remove_reference_t<Context>;
    if constexpr (detail::check_with<C, Body>()) {
        using Result = decltype(detail::call_body(context, body));
        auto& set = context.instruments();
        if constexpr (detail::instruments_in<C>::around_contexts)
            if (!set.cleared()) set.enter();
        if constexpr (!detail::instruments_in<C>::at_exit) {
            return static_cast<Result>(detail::call_body(context, body));
        } else {
            const auto leave = [&](const auto&...) {
                if (!set.cleared()) set.exit();
            };
            const auto call = [&]() -> Result { return detail::call_body(context, body); };
            if constexpr (std::is_void_v<Result>) {
                internal::on_failure(call, leave);
                leave();
            } else {
                Result result = internal::on_failure(call, leave);
                leave();
                return static_cast<Result>(static_cast<Result&&>(result));
            }
        }
    }
}

/// A guard that enters a context and leaves it at the end of its lifetime, for code that cannot be the body of `with`.
/// The guard is also the scope: `in.run(pass, unit)`.
///
/// Hooks are called as by `with`, with one exception: if the guard is destroyed during unwinding, exceptions from exit
/// hooks are lost. `leave()` leaves the context early.
///
/// Throws: an error if contexts with `as_current` are not left in reverse order of entry. `leave()` then does not leave
///         the context. The destructor leaves the context before it throws.
/// Example: `tutti::entered in{ctx}; in.run(pipeline, unit);`
template <class Context>
class entered : public scope<Context, false> {
    struct nothing_current {
        explicit nothing_current(Context&) {}
        static bool is_innermost() { return true; }
        static bool leave() { return true; }
        static void raise_out_of_order() {}
    };
    using current = std::conditional_t<Context::becomes_current, internal::current_guard<Context>, nothing_current>;

    int exceptions_ = std::uncaught_exceptions();
    bool left_ = false;
    union {
        current current_;
    };

public:
    [[nodiscard("the context is left at the end of the statement; give the object a name")]] explicit entered(
        Context& context)
        : scope<Context, false>(context) {
        if constexpr (detail::instruments_in<Context>::around_contexts)
            if (!context.instruments_cleared()) context.instruments().enter();
        ::new (&current_) current(context);
    }
    entered(const entered&) = delete;

    /// Leaves the context. The destructor then does nothing.
    void leave() {
        if (left_) return;
        if (!current_.is_innermost()) current::raise_out_of_order();
        leave_now();
    }

    ~entered() noexcept(false) {
        if (left_) return;
        if (std::uncaught_exceptions() > exceptions_)
            internal::completes([&] { leave_now(); });
        else
            leave_now();
    }

private:
    void leave_now() {
        left_ = true;
        const bool in_order = current_.leave();
        if constexpr (detail::instruments_in<Context>::around_contexts)
            if (!this->context().instruments_cleared()) this->context().instruments().exit();
        if (!in_order) current::raise_out_of_order();
    }
};

} // namespace tutti
