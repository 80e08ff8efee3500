#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>

#include <malloc.h>

/// Returns the processor time of this thread in nanoseconds. It excludes other processes.
inline double now_ns() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Returns the best time of several runs of `body(made())`, in ns per call. It excludes the time of `made` and of
/// destroying the result.
template <class Made, class Body>
double ns(std::size_t calls, Made&& made, Body&& body) {
    double best = 1e300;
    const double start = now_ns();
    for (int run = 0; run < 5 || (run < 2000 && now_ns() - start < 3e8); ++run) {
        auto given = made();
        const double begin = now_ns();
        const auto result = body(given);
        const double took = now_ns() - begin;
        asm volatile("" : : "r"(&result) : "memory");
        best = std::min(best, took / static_cast<double>(calls));
    }
    return best;
}

/// Returns the allocated bytes that are in use.
inline double bytes_in_use() {
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}
