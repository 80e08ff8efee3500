#pragma once

#include <cstdint>

namespace tutti::instrument {

/// What a thread has allocated with `new`, in the bytes that were asked for; all zero where the program does not count, which it
/// does if one of its sources includes <tutti/instrument/count_allocations.hpp>.
struct allocation_counts {
    std::int64_t allocated = 0;   ///< bytes, whether they are still there or not
    std::int64_t allocations = 0; ///< how many there were
    std::int64_t live = 0; ///< bytes that are there; fewer than none on a thread that frees what another allocated
    std::int64_t peak = 0; ///< the most of these since the program, or whoever set this back, began
};

/// Those of this thread. Who measures may set them back.
inline allocation_counts& allocations() {
    thread_local constinit allocation_counts counts;
    return counts;
}

} // namespace tutti::instrument
