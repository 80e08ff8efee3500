#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Lets the C library keep freed memory for later allocations. A bench then does not measure page faults.
inline void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}
