#pragma once

#include <utility>

namespace tutti {

/// Context option: the context is the current one of its type on the thread that is in it, `decltype(ctx)::current()`.
///
/// Example: `tutti::pass_context ctx{tutti::opt_level<3>, tutti::as_current{}};`
struct as_current {};

/// Makes a context the current one of its type on this thread as long as it lives; tells no instruments.
template <class Context>
class current_guard {
    Context* outer_;

    static Context*& innermost() {
        thread_local Context* context = nullptr;
        return context;
    }

public:
    explicit current_guard(Context& entered) : outer_(std::exchange(innermost(), &entered)) {}
    ~current_guard() { innermost() = outer_; }
    current_guard(const current_guard&) = delete;

    /// The context of the innermost guard on this thread; null outside of any.
    static Context* current() { return innermost(); }
};

} // namespace tutti
