#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tutti {

/// Tells the C library to keep the memory that this process frees for what it allocates next. Returns whether it will.
///
/// By default glibc gives a large array back to the system at once, which makes its pages anew for the next one: with modules of
/// millions of calls that takes as long as the passes themselves. For a program's `main`, before it makes threads: it is a
/// setting of the whole process, so the library never calls it. Without glibc nothing happens.
///
/// Cost:    the process keeps as much memory as it ever had at once, and what lies between what it still uses.
/// Example: bench/relay_scale.cpp
inline bool keep_freed_memory() noexcept {
#ifdef __GLIBC__
    return mallopt(M_MMAP_MAX, 0) == 1 && mallopt(M_TRIM_THRESHOLD, -1) == 1;
#else
    return false;
#endif
}

} // namespace tutti
