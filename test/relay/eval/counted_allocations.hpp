#pragma once

// Counts the allocations of a program and their sizes. Include this file in one source file of the program. Each block
// is preceded by its size, which the address sanitizer does not check, so only programs that need the counts include
// this file.

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tutti::test {

inline std::atomic<std::size_t> allocations{0};
inline std::atomic<std::size_t> used{0};
inline std::atomic<std::size_t> peak{0};

inline constexpr std::size_t in_front = 64;

inline void* counted(std::size_t size, std::size_t alignment) {
    allocations += 1;
    void* whole = std::aligned_alloc(in_front, (size + in_front + alignment + in_front - 1) / in_front * in_front);
    if (whole == nullptr) throw std::bad_alloc{};
    *static_cast<std::size_t*>(whole) = size;
    const std::size_t now = used += size;
    for (std::size_t known = peak; known < now && !peak.compare_exchange_weak(known, now);) {}
    return static_cast<char*>(whole) + in_front;
}

inline void uncounted(void* p) noexcept {
    if (p == nullptr) return;
    void* whole = static_cast<char*>(p) - in_front;
    used -= *static_cast<std::size_t*>(whole);
    std::free(whole);
}

} // namespace tutti::test

void* operator new(std::size_t size) { return tutti::test::counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return tutti::test::counted(size, static_cast<std::size_t>(alignment));
}
// This version is replaced too, since a sanitizer's version would not match our operator delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return tutti::test::counted(size, 1);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* p) noexcept { tutti::test::uncounted(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { tutti::test::uncounted(p); }
void operator delete(void* p, std::size_t) noexcept { tutti::test::uncounted(p); }
void operator delete(void* p, std::align_val_t) noexcept { tutti::test::uncounted(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { tutti::test::uncounted(p); }
