#pragma once

#include <tutti/base/folder.hpp>

#include <exception>
#include <type_traits>
#include <utility>

#if !defined(__cpp_exceptions)
#include <cstdio>
#endif

namespace tutti {

// This header is the only code that depends on whether exceptions are enabled (LLVM disables them with
// -fno-exceptions).

/// Throws `what`; without exceptions, writes its `what()` to standard error and aborts.
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

namespace internal {

/// Returns `body()`; if that throws an `Error`, calls `on_error(const Error&)` and rethrows.
///
/// An exception thrown by `on_error` replaces the original one. Without exceptions, only calls `body()`.
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

/// Returns `body()`; if that throws, calls `on_error(std::exception_ptr)` and rethrows.
///
/// An exception thrown by `on_error` replaces the original one. Without exceptions, only calls `body()`.
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

/// Returns `body()`. If that throws, calls `on_error()` during unwinding; `on_error` must not throw. Generates no
/// extra code if `on_error` does nothing.
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

/// Calls `body()`. Returns the exception that it throws, or null if it throws none or exceptions are disabled.
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

/// Calls `body()` and discards any exception. True if `body` did not throw. Use it where no exception may escape, such
/// as in a destructor during unwinding.
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

/// Calls `f(const char*)` with the message of an exception, if it is a std::exception.
template <class F>
void with_what(const std::exception_ptr& reason, [[maybe_unused]] F&& f) {
    if (!reason) return;
#if defined(__cpp_exceptions)
    try {
        std::rethrow_exception(reason);
    } catch (const std::exception& e) {
        f(e.what());
    } catch (...) {} // no message
#endif
}

} // namespace internal

} // namespace tutti
