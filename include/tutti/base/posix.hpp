#pragma once

#include <tutti/base/folder.hpp>

// TUTTI_POSIX is defined on systems with POSIX's files, memory maps and processes. WASI has some of their headers, but not
// their functions.
#if __has_include(<unistd.h>) && __has_include(<sys/mman.h>) && __has_include(<sys/stat.h>) && __has_include(<sys/wait.h>)
#if !defined(__wasi__)
#define TUTTI_POSIX 1
#endif
#endif
