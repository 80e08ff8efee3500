#pragma once

#include <tutti/base/folder.hpp>

#include <type_traits>
#include <utility>

namespace tutti::runtime::detail {

/// An object of any type that copies share, like `std::shared_ptr<void>` but without <memory>.
///
/// Example: `shared held = shared::make(my_pass{}); static_cast<my_pass*>(held.get());`
class shared {
    struct owner {
        long count;
        void (*destroy)(owner*);
    };
    template <class T>
    struct owned : owner {
        T value;
        explicit owned(auto&&... arguments)
            : owner{1, [](owner* self) { delete static_cast<owned*>(self); }}
            , value(std::forward<decltype(arguments)>(arguments)...) {}
    };

    void* object_ = nullptr;
    owner* owner_ = nullptr; // null: the object is not owned

    shared(void* object, owner* kept) : object_(object), owner_(kept) {}

    // Uses builtins, because <atomic> takes longer to compile than this layer. Not inlined, because classes with
    // members of this type then compile in half the time.
    [[gnu::noinline]] static void keep(owner* kept) { __atomic_fetch_add(&kept->count, 1, __ATOMIC_RELAXED); }
    [[gnu::noinline]] static void let_go(owner* kept) {
        if (__atomic_fetch_sub(&kept->count, 1, __ATOMIC_ACQ_REL) == 1) kept->destroy(kept);
    }

public:
    shared() = default;
    /// Refers to an object, which must outlive all copies.
    template <class T>
    static shared reference(T& object) {
        return {&object, nullptr};
    }
    /// Stores an object.
    template <class T>
    static shared make(T&& object) {
        using kept = owned<std::remove_cvref_t<T>>;
        kept* const made = new kept(std::forward<T>(object));
        return {&made->value, made};
    }

    /// Refers to a part of an object, and keeps the whole object alive.
    template <class T>
    static shared part(const shared& whole, T& object) {
        if (whole.owner_) keep(whole.owner_);
        return {const_cast<std::remove_const_t<T>*>(&object), whole.owner_};
    }

    shared(const shared& other) : object_(other.object_), owner_(other.owner_) {
        if (owner_) keep(owner_);
    }
    shared(shared&& other) noexcept
        : object_(std::exchange(other.object_, nullptr)), owner_(std::exchange(other.owner_, nullptr)) {}
    shared& operator=(shared other) noexcept {
        std::swap(object_, other.object_);
        std::swap(owner_, other.owner_);
        return *this;
    }
    ~shared() {
        if (owner_) let_go(owner_);
    }

    void* get() const { return object_; }
};

} // namespace tutti::runtime::detail
