#pragma once

#include <tutti/base/folder.hpp>

#include <cstdint>

namespace tutti::instrument {

/// The memory that a thread has allocated with `new`, in requested bytes. All zero unless a source file of the program
/// includes <tutti/instrument/count_allocations.hpp>.
struct allocation_counts {
    std::int64_t allocated = 0;   ///< bytes, whether freed or not
    std::int64_t allocations = 0; ///< number of allocations
    std::int64_t live = 0;        ///< bytes in use; can be negative on a thread that frees memory of other threads
    std::int64_t peak = 0;        ///< the maximum of `live` since the thread started or reset `peak`
};

/// The counts of this thread. Measuring code may reset them.
inline allocation_counts& allocations() {
    thread_local constinit allocation_counts counts;
    return counts;
}

} // namespace tutti::instrument
