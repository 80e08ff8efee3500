#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// A branch of a fork, or none.
struct branch_place {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::uint32_t several = 0xFFFFFFFEU; ///< more than one branch of the fork

    std::uint32_t fork = none;
    std::uint32_t branch = none;

    bool operator==(const branch_place&) const = default;
};

/// Memory for one value, or for several values that use the memory in succession or share it. The live range of a
/// buffer is from the first step that writes to the buffer to the last use.
struct buffer {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    std::uint64_t bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    branch_place begins{}; ///< the branch with the first step
    branch_place ends{};   ///< the branch with the last step, or `several` if other branches of the fork use it too
    bool leaves = false;   ///< the last value is a result that callers may keep, so the buffer has a piece of its own

    // The place of the buffer: a piece of memory, and the offset in that piece.
    std::uint32_t piece = 0;
    std::uint64_t offset = 0;
};

/// True if the live ranges of two buffers overlap. Ranges that are separate in the order of steps still overlap if they
/// are in different branches of a fork, because the later branch may run earlier.
inline bool overlap(const buffer& a, const buffer& b) {
    if (a.first <= b.last && b.first <= a.last) return true;
    const buffer& earlier = a.last < b.first ? a : b;
    const buffer& later = a.last < b.first ? b : a;
    return earlier.ends.fork != branch_place::none && earlier.ends.fork == later.begins.fork &&
           earlier.ends.branch != later.begins.branch;
}

/// The places of a code's values. Piece 0 of the memory holds values that do not leave the code. Each other piece holds
/// a result, and earlier values that are dead when the result is written.
struct memory_plan {
    plain_vector<buffer> buffers{};
    plain_vector<std::uint64_t> pieces{}; ///< sizes in bytes; empty if nothing is planned

    // The lists below are indexed by the results of operator calls, except for `first_result`.
    plain_vector<std::uint32_t> first_result{}; ///< indexed by call: the index of its first result; the others follow
    plain_vector<std::uint32_t> buffer_of{};    ///< `none` if allocated at run time
    plain_vector<char> shares{};                ///< nonzero if the kernel shares an operand's memory
    plain_vector<std::uint64_t> sizes{};        ///< in bytes; 0 if unknown from the types and earlier runs

    std::uint64_t largest = 0; ///< the peak of the bytes of live values, planned or not

    /// Returns the index of a call's n-th result, or `none` if the call is not planned.
    std::uint32_t result(std::uint32_t call, std::size_t n) const {
        const std::uint32_t first = first_result.empty() ? buffer::none : first_result[call];
        return first == buffer::none ? first : first + static_cast<std::uint32_t>(n);
    }

    std::uint64_t bytes() const {
        std::uint64_t all = 0;
        for (const std::uint64_t piece : pieces) all += piece;
        return all;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
