#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace internal {

class function_image; // relay/op/function_image.hpp

} // namespace internal

/// Mixes another value into a hash.
///
/// Source: the multiply-rotate step of FxHash (Firefox). `intern_index` folds the final hash.
constexpr std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t value) {
    return (std::rotl(hash, 5) ^ value) * 0x517CC1B727220A95ULL;
}

/// Mixes every bit of a hash into every bit.
///
/// Source: the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators,
///         2014).
constexpr std::uint64_t hash_finish(std::uint64_t hash) {
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9ULL;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EBULL;
    return hash ^ hash >> 31;
}

/// Returns the hash of a string.
constexpr std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = hash_combine(hash, static_cast<unsigned char>(c));
    return hash;
}

/// The index of an interning table: maps elements to their indices in a vector stored elsewhere.
///
/// Uses open addressing with linear probing, at most 3/4 full. Works in constant evaluation. A copy copies one vector.
class intern_index {
public:
    static constexpr std::uint32_t absent = 0xFFFFFFFFU;

    /// Returns the index of the element with this hash for which `same(index)` holds. If there is none, calls `add()`,
    /// which must append the element at index `size()`, and returns that index.
    template <class Same, class Add>
    constexpr std::uint32_t find_or_add(std::uint64_t hash, Same same, Add add) {
        if (slots_.size() * 3 <= (std::size_t{size_} + 1) * 4) grow();
        const std::uint32_t folded = fold(hash);
        const std::size_t at = place_of(folded, same);
        if (slots_[at].place != absent) return slots_[at].place;
        add();
        slots_[at] = {folded, size_};
        return size_++;
    }

    /// Returns the index of the element with this hash for which `same(index)` holds, or `absent`.
    template <class Same>
    constexpr std::uint32_t find(std::uint64_t hash, Same same) const {
        return slots_.empty() ? absent : slots_[place_of(fold(hash), same)].place;
    }

    constexpr std::uint32_t size() const { return size_; }

    /// Removes all elements. Keeps the memory, unless it is much larger than needed and therefore slow to clear.
    constexpr void clear() {
        if (slots_.size() > least_slots && slots_.size() / 8 > size_)
            slots_ = {};
        else
            slots_.assign(slots_.size(), slot{});
        size_ = 0;
    }

private:
    friend class internal::function_image;

    struct slot {
        std::uint32_t hash = 0;
        std::uint32_t place = absent;
    };
    static constexpr std::size_t least_slots = 8;

    static constexpr std::uint32_t fold(std::uint64_t hash) { return static_cast<std::uint32_t>(hash ^ (hash >> 32)); }

    // Returns the slot of the element, or the free slot for it.
    template <class Same>
    constexpr std::size_t place_of(std::uint32_t folded, const Same& same) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = folded & mask;
        while (slots_[at].place != absent && !(slots_[at].hash == folded && same(slots_[at].place)))
            at = (at + 1) & mask;
        return at;
    }

    constexpr void grow() {
        const std::size_t capacity = slots_.empty() ? least_slots : slots_.size() * 2;
        plain_vector<slot> more(capacity, slot{});
        for (const slot& s : slots_) {
            if (s.place == absent) continue;
            std::size_t at = s.hash & (capacity - 1);
            while (more[at].place != absent) at = (at + 1) & (capacity - 1);
            more[at] = s;
        }
        slots_ = std::move(more);
    }

    plain_vector<slot> slots_; // the size is a power of two
    std::uint32_t size_ = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
