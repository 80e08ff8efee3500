#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tutti {

/// Minimum size in bytes of arrays for which large pages are requested. In smaller arrays, the partial pages at both
/// ends outweigh the benefit.
inline constexpr std::size_t large_pages_from = std::size_t{4} << 20;

/// Requests large pages for a newly allocated array if it is large enough. True if the system may use them.
///
/// Large pages need fewer address translations, and cause fewer page faults on the first write. The request is only a
/// hint. It does nothing on systems without large pages or other than Linux.
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
