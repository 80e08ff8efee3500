#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tutti {

/// A 128-bit hash. Different inputs almost never have equal digests.
struct digest {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr bool operator==(const digest&, const digest&) = default;
    friend constexpr bool operator<(const digest& a, const digest& b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }
};

/// Computes the digest of a sequence of numbers and texts. It is no cryptographic hash: an attacker can make inputs
/// that collide.
///
/// Cost: reads bytes nearly as fast as memory allows.
class digester {
    std::uint64_t lane_[4] = {0x243F6A8885A308D3U, 0x13198A2E03707344U, 0xA4093822299F31D0U, 0x082EFA98EC4E6C89U};

    static constexpr std::uint64_t step(std::uint64_t lane, std::uint64_t word) {
        lane = (lane ^ word) * 0x9FB21C651E98DF25U;
        return lane ^ lane >> 32;
    }
    // Mixes every bit into every bit: the finaliser of SplitMix64.
    static constexpr std::uint64_t finish(std::uint64_t hash) {
        hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9U;
        hash = (hash ^ hash >> 27) * 0x94D049BB133111EBU;
        return hash ^ hash >> 31;
    }

public:
    /// Adds a number.
    constexpr void add(std::uint64_t value) {
        lane_[0] = step(lane_[0], value);
        lane_[1] = step(lane_[1], value + (lane_[0] << 17 | lane_[0] >> 47));
    }
    constexpr void add(const digest& value) {
        add(value.high);
        add(value.low);
    }
    /// Adds a number of bytes, and the bytes.
    void add(const void* bytes, std::size_t size) {
        add(size);
        const auto* at = static_cast<const unsigned char*>(bytes);
        std::uint64_t words[4];
        for (; size >= sizeof words; size -= sizeof words, at += sizeof words) {
            std::memcpy(words, at, sizeof words);
            for (std::size_t i = 0; i < 4; ++i) lane_[i] = step(lane_[i], words[i]);
        }
        if (size == 0) return;
        std::memset(words, 0, sizeof words);
        std::memcpy(words, at, size);
        for (std::size_t i = 0; i < 4; ++i) lane_[i] = step(lane_[i], words[i]);
    }
    void add(std::string_view text) { add(text.data(), text.size()); }
    void add(const char* text) { add(std::string_view(text)); }

    /// Returns the digest of everything added so far.
    constexpr digest value() const {
        std::uint64_t high = 0, low = 0;
        for (const std::uint64_t lane : lane_) {
            high = finish(high ^ lane);
            low = finish(low + high + (lane << 31 | lane >> 33));
        }
        return {high, low};
    }
};

/// Returns the digest of bytes.
inline digest digest_of(std::string_view bytes) {
    digester all;
    all.add(bytes);
    return all.value();
}

} // namespace tutti
