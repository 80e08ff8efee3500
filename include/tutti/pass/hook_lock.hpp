#pragma once

#include <tutti/base/folder.hpp>

namespace tutti {

namespace internal {

/// A lock for hooks that only one thread may call at a time. It refers to a mutex of any type, so that this header does
/// not include the expensive <mutex>.
class hook_lock {
    void* mutex_;
    void (*lock_)(void*);
    void (*unlock_)(void*);

public:
    template <class Mutex>
    explicit hook_lock(Mutex& mutex)
        : mutex_(&mutex)
        , lock_([](void* held) { static_cast<Mutex*>(held)->lock(); })
        , unlock_([](void* held) { static_cast<Mutex*>(held)->unlock(); }) {}

    /// Holds a lock during its lifetime.
    class holder {
        const hook_lock& lock_;

    public:
        explicit holder(const hook_lock& lock) : lock_(lock) { lock_.lock_(lock_.mutex_); }
        ~holder() { lock_.unlock_(lock_.mutex_); }
        holder(const holder&) = delete;
    };
};

} // namespace internal

} // namespace tutti
