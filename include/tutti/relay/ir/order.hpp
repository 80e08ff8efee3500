#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

// Sorting and searching by index, for any kind of list. Each order instantiates one function; the standard algorithms
// instantiate dozens for each type of iterator.

/// Returns the first index for which `before(index)` is false; `count` if there is none.
///
/// Requires: `before` is true for a prefix of the indices and false for the remainder.
/// Cost:     logarithmic.
template <class Before>
constexpr std::size_t first_place(std::size_t count, const Before& before) {
    std::size_t first = 0;
    while (count != 0) {
        const std::size_t half = count / 2;
        if (before(first + half)) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

/// Returns the indices 0 to `count - 1`, stably sorted by `less(a, b)`.
///
/// Cost: n log n. If the list is already sorted, a linear number of comparisons.
template <class Less>
constexpr plain_vector<std::uint32_t> sorted_places(std::size_t count, const Less& less) {
    plain_vector<std::uint32_t> sorted(count, 0);
    plain_vector<std::uint32_t> merged(count, 0);
    for (std::size_t i = 0; i < count; ++i) sorted[i] = static_cast<std::uint32_t>(i);
    for (std::size_t run = 1; run < count; run *= 2) { // runs of this length are sorted
        for (std::size_t begin = 0; begin < count; begin += 2 * run) {
            const std::size_t middle = begin + run < count ? begin + run : count;
            const std::size_t end = middle + run < count ? middle + run : count;
            const bool apart = middle == end || !less(sorted[middle], sorted[middle - 1]);
            std::size_t a = begin;
            std::size_t b = middle;
            for (std::size_t to = begin; to < end; ++to) {
                const bool take_first = a < middle && (apart || b == end || !less(sorted[b], sorted[a]));
                merged[to] = sorted[take_first ? a++ : b++];
            }
        }
        std::swap(sorted, merged);
    }
    return sorted;
}

} // namespace tutti::relay::inline TUTTI_FORM
