#pragma once

#include <tutti/relay/ir/plain_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// Mixes one more value into a hash.
///
/// Source: the multiply-rotate step of FxHash (Firefox), with a final fold in `intern_index`.
constexpr std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t value) {
    return (std::rotl(hash, 5) ^ value) * 0x517CC1B727220A95ULL;
}

/// A hash with every bit mixed into every bit.
///
/// Source: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number
///         generators, 2014).
constexpr std::uint64_t hash_finish(std::uint64_t hash) {
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EBULL;
    return hash ^ hash >> 31;
}

/// A text's hash.
constexpr std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = hash_combine(hash, static_cast<unsigned char>(c));
    return hash;
}

/// The index of an interning table: maps contents to their place in a vector that someone else keeps.
///
/// Open addressing with linear probing at most 3/4 full; works in constant evaluation; a copy is a copy of two vectors.
class intern_index {
public:
    static constexpr std::uint32_t absent = 0xFFFFFFFFU;

    /// The place of the contents with that hash for which `same(place)` holds, or else `add()`, which must append them at place
    /// `size()`.
    template <class Same, class Add>
    constexpr std::uint32_t find_or_add(std::uint64_t hash, Same same, Add add) {
        if (slots_.size() * 3 <= (hashes_.size() + 1) * 4) grow();
        const std::uint32_t folded = fold(hash);
        const std::size_t slot = slot_of(folded, same);
        if (slots_[slot] != absent) return slots_[slot];
        const auto place = static_cast<std::uint32_t>(hashes_.size());
        add();
        hashes_.push_back(folded);
        slots_[slot] = place;
        return place;
    }

    /// The place of the contents with that hash for which `same(place)` holds, or `absent`.
    template <class Same>
    constexpr std::uint32_t find(std::uint64_t hash, Same same) const {
        return slots_.empty() ? absent : slots_[slot_of(fold(hash), same)];
    }

    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }

private:
    static constexpr std::uint32_t fold(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32)); }

    // Where the contents' place is noted, or a free slot.
    template <class Same>
    constexpr std::size_t slot_of(std::uint32_t folded, const Same& same) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = folded & mask;
        while (slots_[slot] != absent && !(hashes_[slots_[slot]] == folded && same(slots_[slot])))
            slot = (slot + 1) & mask;
        return slot;
    }

    constexpr void grow() {
        const std::size_t capacity = slots_.empty() ? 8 : slots_.size() * 2;
        slots_.assign(capacity, absent);
        for (std::uint32_t place = 0; place < hashes_.size(); ++place) {
            std::size_t slot = hashes_[place] & (capacity - 1);
            while (slots_[slot] != absent) slot = (slot + 1) & (capacity - 1);
            slots_[slot] = place;
        }
    }

    plain_vector<std::uint32_t> slots_;  // a power of two of them, each a place or `absent`
    plain_vector<std::uint32_t> hashes_; // by place
};

} // namespace tutti::relay
