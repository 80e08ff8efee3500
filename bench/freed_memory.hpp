#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Makes the C library keep freed memory for later allocations, so that a bench does not measure the system's page faults.
inline void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
#endif
}
