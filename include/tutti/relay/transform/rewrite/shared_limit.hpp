#pragma once

#include <tutti/base/form.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace internal {

/// A limit as a share of itself.
inline constexpr std::uint64_t whole_limit = std::uint64_t{1} << 32;

/// Returns the shares that passes of this program have used so far of limits that apply to all functions of a module
/// together. Only differences have a meaning. Read and changed by atomic operations.
inline std::uint64_t& shared_limits_used() {
    static std::uint64_t used = 0;
    return used;
}

/// Counts the use of a limit. Rounds up.
inline void note_limit_used(std::uint64_t used, std::uint64_t most) {
    if (used == 0) return;
    const std::uint64_t share = used >= most
                                    ? whole_limit
                                    : static_cast<std::uint64_t>(static_cast<double>(used) / static_cast<double>(most) *
                                                                 static_cast<double>(whole_limit)) +
                                          1;
    __atomic_add_fetch(&shared_limits_used(), share, __ATOMIC_RELAXED);
}

} // namespace internal

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
