#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tutti {

/// From how many bytes on an array asks for large pages: with fewer, the pages at its ends that stay small are too much of it.
inline constexpr std::size_t large_pages_from = std::size_t{4} << 20;

/// Asks the system to keep an array that was just allocated in large pages, if it is large: what walks over it then waits for
/// fewer addresses to be looked up, and what writes it first for fewer pages to be made. Returns whether they may be had.
///
/// A wish, which changes no value: where there are no large pages, or on a system other than Linux, nothing happens.
inline bool ask_for_large_pages([[maybe_unused]] void* array, std::size_t bytes) noexcept {
    if (bytes < large_pages_from) return false;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(array) + page - 1) & ~(page - 1);
    const auto end = (reinterpret_cast<std::uintptr_t>(array) + bytes) & ~(page - 1);
    return madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE) == 0;
#else
    return false;
#endif
}

} // namespace tutti
