#pragma once

#include <exception>
#include <type_traits>
#include <utility>

namespace tutti {

// The one place that knows whether there are exceptions (-fno-exceptions is LLVM's way).

/// Throws `what`; ends the program where exceptions are switched off.
template <class Error>
[[noreturn]] constexpr void raise(Error&& what) {
#if defined(__cpp_exceptions)
    throw std::forward<Error>(what);
#else
    static_cast<void>(what);
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

} // namespace tutti
