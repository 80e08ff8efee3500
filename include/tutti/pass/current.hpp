#pragma once

#include <tutti/base/failure.hpp>

#include <exception>
#include <utility>

namespace tutti {

/// Context option: makes the context current for its type. While a thread is in the context, `decltype(ctx)::current()`
/// returns the context on this thread.
///
/// Example: `tutti::pass_context ctx{tutti::opt_level<3>, tutti::as_current{}};`
struct as_current {};

/// Thrown if a context is left before another that was entered later. Run-time contexts throw a `tutti::error` instead.
struct [[gnu::visibility("default")]] left_out_of_order : std::exception {
    const char* what() const noexcept override {
        return "tutti::entered: a context is exited before one that was entered later; exit contexts in reverse order "
               "of entry";
    }
};

namespace internal {

/// A guard that makes a context the current one of its type on this thread, without calling instruments. It must be
/// destroyed on the thread that created it.
///
/// Throws: `left_out_of_order` from the destructor if guards are not destroyed in reverse order of construction, unless
///         an exception is being thrown. Other guards stay in effect.
template <class Context>
class [[gnu::visibility("default")]] current_guard { // plugins share the current context
    Context* context_;
    current_guard* outer_;

    static current_guard*& innermost() {
        thread_local current_guard* guard = nullptr;
        return guard;
    }
    [[gnu::cold, gnu::noinline]] void unlink() {
        for (current_guard* each = innermost(); each; each = each->outer_)
            if (each->outer_ == this) each->outer_ = outer_;
    }

public:
    explicit current_guard(Context& entered) : context_(&entered), outer_(std::exchange(innermost(), this)) {}
    ~current_guard() noexcept(false) {
        if (!leave() && std::uncaught_exceptions() == 0) raise_out_of_order();
    }
    current_guard(const current_guard&) = delete;

    /// True if no later guard is alive.
    bool is_innermost() const { return innermost() == this; }
    /// Does the work of the destructor, but returns false instead of throwing if this is not the innermost guard. After
    /// this call, the owner must skip the destructor.
    bool leave() {
        if (is_innermost()) [[likely]] {
            innermost() = outer_;
            return true;
        }
        unlink();
        return false;
    }
    [[noreturn]] static void raise_out_of_order() {
        if constexpr (requires { Context::raise_out_of_order(); }) Context::raise_out_of_order();
        raise(left_out_of_order{});
    }

    /// Returns the context of the innermost guard on this thread, or null.
    static Context* current() { return innermost() ? innermost()->context_ : nullptr; }
};

} // namespace internal

} // namespace tutti
