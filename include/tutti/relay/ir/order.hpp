#pragma once

#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay {

// Sorting and searching by places in a list, whatever the list is made of: one function for each order, where the standard
// algorithms need dozens for each type of iterator.

/// The first place for which `before(place)` does not hold; `count` if there is none.
///
/// Requires: it holds for those at the front, and only for them.
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

/// The places in the order that `less(a, b)` says, those that are equal as they stand.
///
/// Cost: n log n; linear in a list that is sorted already, but for moving numbers.
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

} // namespace tutti::relay
