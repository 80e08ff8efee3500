#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

/// The source of a generator's choices: bytes from a seed, a fuzzer or a reducer. When the bytes run out, every choice
/// is the first option, which is the simplest.
class choices {
public:
    explicit choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    /// Returns a number below `count`. Requires: 1 <= count <= 2^16.
    std::uint32_t below(std::uint32_t count) {
        if (count <= 1) return 0;
        std::uint32_t n = next();
        if (count > 256) n = n << 8 | next();
        return n % count;
    }
    std::size_t index(std::size_t count) { return below(static_cast<std::uint32_t>(count)); }
    /// Returns a number from `low` to `high`. The lowest number is the simplest.
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + below(static_cast<std::uint32_t>(high - low + 1));
    }
    /// True in one of `times` cases; false after the bytes run out.
    bool one_in(std::uint32_t times) { return below(times) == times - 1; }
    bool flip() { return one_in(2); }

    template <class T, std::size_t N>
    const T& of(const T (&values)[N]) {
        return values[index(N)];
    }

    bool used_up() const { return at_ >= bytes_.size(); }

private:
    std::uint32_t next() { return used_up() ? 0 : bytes_[at_++]; }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

/// Returns bytes that a seed determines.
inline vector<std::uint8_t> bytes_of_seed(std::uint64_t seed) {
    std::mt19937_64 random(seed * 0x9E3779B97F4A7C15U + 1);
    vector<std::uint8_t> bytes(64 + random() % 448);
    for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random() >> 32);
    return bytes;
}

/// Removes bytes from a failing input, then sets bytes to 0, as long as the input still fails. Stops after `tries`
/// tries, and returns the remaining bytes.
template <class Fails>
vector<std::uint8_t> reduced(vector<std::uint8_t> bytes, Fails fails, int tries = 400) {
    for (std::size_t size = bytes.size() / 2; size != 0 && tries > 0; size /= 2) {
        for (std::size_t at = 0; at + size <= bytes.size() && tries > 0;) {
            vector<std::uint8_t> fewer = bytes;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at),
                        fewer.begin() + static_cast<std::ptrdiff_t>(at + size));
            --tries;
            if (fails(fewer))
                bytes = std::move(fewer);
            else
                at += size;
        }
    }
    for (std::size_t i = 0; i < bytes.size() && tries > 0; ++i) {
        if (bytes[i] == 0) continue;
        vector<std::uint8_t> simpler = bytes;
        simpler[i] = 0;
        --tries;
        if (fails(simpler)) bytes = std::move(simpler);
    }
    return bytes;
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
