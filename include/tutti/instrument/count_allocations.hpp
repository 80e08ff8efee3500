#pragma once

/// Counts the allocations of a program that includes this header in one source file. Replaces the global `operator new`
/// and `operator delete` with versions that count exactly, in `tutti::instrument::allocations()`, and otherwise behave
/// like the standard ones. Each block grows by the space for its size: 16 bytes or the alignment.
///
/// Not part of an umbrella header, because it affects the whole program. Clang's thread sanitizer has its own
/// operators, which can only be replaced if the sanitizer is a shared library: link with `-shared-libsan`.

#include <tutti/base/failure.hpp>
#include <tutti/instrument/support/allocations.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tutti::instrument::detail {

// Least space in front of a block. Its last bytes hold the size of the block.
inline constexpr std::size_t room =
    __STDCPP_DEFAULT_NEW_ALIGNMENT__ < sizeof(std::size_t) ? sizeof(std::size_t) : __STDCPP_DEFAULT_NEW_ALIGNMENT__;

[[gnu::noinline]] inline void* allocate_counted(std::size_t size, std::size_t alignment) {
    const std::size_t in_front = alignment < room ? room : alignment;
    if (size > SIZE_MAX - 2 * in_front) raise(std::bad_alloc{});
    for (;;) {
        void* block = nullptr;
        if (alignment <= room)
            block = std::malloc(in_front + size);
        else // aligned_alloc requires a size that is a multiple of the alignment
            block = std::aligned_alloc(alignment, (in_front + size + alignment - 1) / alignment * alignment);
        if (block) {
            allocation_counts& counts = allocations();
            const auto bytes = static_cast<std::int64_t>(size);
            counts.allocated += bytes;
            counts.allocations += 1;
            counts.live += bytes;
            if (counts.live > counts.peak) counts.peak = counts.live;
            char* const given = static_cast<char*>(block) + in_front;
            std::memcpy(given - sizeof size, &size, sizeof size);
            return given;
        }
        const std::new_handler handler = std::get_new_handler();
        if (!handler) raise(std::bad_alloc{});
        handler();
    }
}
inline void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
    void* given = nullptr;
    return tutti::internal::completes([&] { given = allocate_counted(size, alignment); }) ? given : nullptr;
}
[[gnu::noinline]] inline void free_counted(void* given, std::size_t alignment) noexcept {
    if (!given) return;
    std::size_t size = 0;
    std::memcpy(&size, static_cast<char*>(given) - sizeof size, sizeof size);
    allocations().live -= static_cast<std::int64_t>(size);
    std::free(static_cast<char*>(given) - (alignment < room ? room : alignment));
}

} // namespace tutti::instrument::detail

// Replaces every form: under sanitizers, the default array and nothrow forms do not call the replaced ones.
void* operator new(std::size_t size) { return tutti::instrument::detail::allocate_counted(size, 1); }
void* operator new[](std::size_t size) { return tutti::instrument::detail::allocate_counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return tutti::instrument::detail::allocate_counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return tutti::instrument::detail::allocate_counted(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return tutti::instrument::detail::allocate_or_null(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return tutti::instrument::detail::allocate_or_null(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return tutti::instrument::detail::allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return tutti::instrument::detail::allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* given) noexcept { tutti::instrument::detail::free_counted(given, 1); }
void operator delete(void* given, std::size_t) noexcept { tutti::instrument::detail::free_counted(given, 1); }
void operator delete(void* given, std::align_val_t alignment) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
void operator delete(void* given, std::size_t, std::align_val_t alignment) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
void operator delete(void* given, const std::nothrow_t&) noexcept { tutti::instrument::detail::free_counted(given, 1); }
void operator delete(void* given, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
void operator delete[](void* given) noexcept { tutti::instrument::detail::free_counted(given, 1); }
void operator delete[](void* given, std::size_t) noexcept { tutti::instrument::detail::free_counted(given, 1); }
void operator delete[](void* given, std::align_val_t alignment) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
void operator delete[](void* given, std::size_t, std::align_val_t alignment) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
void operator delete[](void* given, const std::nothrow_t&) noexcept {
    tutti::instrument::detail::free_counted(given, 1);
}
void operator delete[](void* given, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    tutti::instrument::detail::free_counted(given, static_cast<std::size_t>(alignment));
}
