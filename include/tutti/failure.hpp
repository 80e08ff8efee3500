#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#if !defined(__cpp_exceptions)
#include <cstdio>
#endif

namespace tutti {

// The one place that knows whether there are exceptions (-fno-exceptions is LLVM's way).

/// Throws `what`; where exceptions are switched off, writes its `what()` to the standard error and ends the program.
template <class Error>
[[noreturn]] constexpr void raise(Error&& what) {
#if defined(__cpp_exceptions)
    throw std::forward<Error>(what);
#else
    if constexpr (requires { std::fputs(what.what(), stderr); }) {
        std::fputs(what.what(), stderr);
        std::fputc('\n', stderr);
    }
    std::terminate();
#endif
}

/// Returns `body()`; if that throws an `Error`, calls `on_error(const Error&)` before that goes on.
///
/// What `on_error` throws goes on instead. Where exceptions are switched off this is `body()`.
template <class Error, class Body, class OnError>
constexpr decltype(auto) on_failure(Body&& body, [[maybe_unused]] OnError&& on_error) {
#if defined(__cpp_exceptions)
    try {
        return body();
    } catch (const Error& e) {
        on_error(e);
        throw;
    }
#else
    return body();
#endif
}

/// Returns `body()`; if that throws, calls `on_error(std::exception_ptr)` before the exception goes on.
///
/// What `on_error` throws goes on instead. Where exceptions are switched off this is `body()`.
template <class Body, class OnError>
constexpr decltype(auto) on_failure(Body&& body, [[maybe_unused]] OnError&& on_error) {
#if defined(__cpp_exceptions)
    try {
        return body();
    } catch (...) {
        on_error(std::current_exception());
        throw;
    }
#else
    return body();
#endif
}

/// Returns `body()`; if that throws, calls `on_error()`, which must not, on the way. Nothing is left of it where `on_error` does
/// nothing.
template <class Body, class OnError>
constexpr decltype(auto) on_unwind(Body&& body, [[maybe_unused]] OnError&& on_error) {
#if defined(__cpp_exceptions)
    struct guard {
        OnError& call;
        bool thrown = true;
        [[gnu::always_inline]] constexpr ~guard() {
            if (thrown) call();
        }
    } watched{on_error};
    if constexpr (std::is_void_v<decltype(body())>) {
        body();
        watched.thrown = false;
    } else {
        decltype(auto) result = body();
        watched.thrown = false;
        return result;
    }
#else
    return body();
#endif
}

/// Calls `body()`; what that threw, or null. Where exceptions are switched off it is null.
template <class Body>
[[nodiscard]] std::exception_ptr caught(Body&& body) {
#if defined(__cpp_exceptions)
    try {
        body();
    } catch (...) {
        return std::current_exception();
    }
#else
    body();
#endif
    return nullptr;
}

/// Calls `body()` where nothing can be thrown any more, such as in a destructor while another exception is under way; whether
/// it ended well. What it throws is lost.
template <class Body>
bool completes(Body&& body) noexcept {
#if defined(__cpp_exceptions)
    try {
        body();
        return true;
    } catch (...) {
        return false;
    }
#else
    body();
    return true;
#endif
}

/// Calls `f(const char*)` with what an exception says of itself, if it is a std::exception.
template <class F>
void with_what(const std::exception_ptr& reason, [[maybe_unused]] F&& f) {
    if (!reason) return;
#if defined(__cpp_exceptions)
    try {
        std::rethrow_exception(reason);
    } catch (const std::exception& e) {
        f(e.what());
    } catch (...) {} // it says nothing
#endif
}

} // namespace tutti
