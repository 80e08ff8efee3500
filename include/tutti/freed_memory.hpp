#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tutti {

/// Makes the C library keep freed memory for later allocations. Returns true on success.
///
/// By default glibc returns large arrays to the system at once, so the next one causes page faults: with modules of
/// millions of calls these take as long as the passes. Call this in `main` before threads are created. It affects the
/// whole process, so the library never calls it. It does nothing without glibc.
///
/// Cost:    the process keeps its peak memory, including gaps between used blocks.
/// Example: bench/relay_scale.cpp
inline bool keep_freed_memory() noexcept {
#ifdef __GLIBC__
    return mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, -1) == 1;
#else
    return false;
#endif
}

} // namespace tutti
