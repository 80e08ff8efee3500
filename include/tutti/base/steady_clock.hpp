#pragma once

#include <tutti/base/folder.hpp>

#include <cstdint>

#include <time.h>
#if !defined(CLOCK_MONOTONIC)
#include <chrono>
#endif

namespace tutti::internal {

/// A monotonic clock: the POSIX clock if available, which avoids <chrono>; otherwise std::chrono::steady_clock.
struct steady_clock {
    /// Nanoseconds since an arbitrary epoch.
    static std::int64_t now() {
#if defined(CLOCK_MONOTONIC)
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#else
        return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
#endif
    }

    /// Processor time of this thread in nanoseconds; `now()` if the system does not provide it.
    static std::int64_t cpu() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
#else
        return now();
#endif
    }
};

} // namespace tutti::internal
