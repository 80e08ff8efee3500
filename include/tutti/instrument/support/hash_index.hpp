#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tutti::internal {

/// Returns the FNV-1a hash of a text, with the upper bits mixed into the lower ones.
[[gnu::cold]] inline std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    return hash ^ hash >> 32U;
}

/// A hash table of the indices 0, 1, 2, … of a vector's elements, such as names. The elements stay in the vector.
///
/// Cost: constant on average; `<unordered_map>` would take longer to compile than the instruments do.
class hash_index {
public:
    /// Not found.
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    /// Returns the index with this hash for which `same(index)` is true, or `none`.
    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const {
        if (places_.empty()) return none;
        for (std::size_t at = hash & (places_.size() - 1); places_[at].number != none; at = next(at))
            if (places_[at].hash == hash && same(places_[at].number)) return places_[at].number;
        return none;
    }
    /// Adds the next index and returns it.
    std::uint32_t add(std::uint64_t hash) {
        if (2 * (count_ + std::size_t{1}) > places_.size()) grow();
        put({hash, count_});
        return count_++;
    }
    /// Removes all indices; the next one is 0.
    void clear() {
        places_.clear();
        count_ = 0;
    }

private:
    struct place {
        std::uint64_t hash = 0;
        std::uint32_t number = none;
    };

    std::size_t next(std::size_t at) const { return (at + 1) & (places_.size() - 1); }
    void put(place added) {
        std::size_t at = added.hash & (places_.size() - 1);
        while (places_[at].number != none) at = next(at);
        places_[at] = added;
    }
    void grow() {
        std::vector<place> old(places_.empty() ? 16 : 2 * places_.size()); // a power of two
        old.swap(places_);
        for (const place& each : old)
            if (each.number != none) put(each);
    }

    std::vector<place> places_; // at least half of the places are free
    std::uint32_t count_ = 0;
};

} // namespace tutti::internal
