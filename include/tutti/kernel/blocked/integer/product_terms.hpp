#pragma once

#include <tutti/kernel/blocked/common/products.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>

#include <cstdint>

namespace tutti::kernel::blocked::detail {

/// Adds a number to `n` int32 elements, which are carried as float32 and wrap.
inline void add_to_each(float* to, std::uint32_t number, std::int64_t n) {
    each_integers<std::uint32_t>(n, to, [number](const auto& sum) { return sum + number; }, to);
}

/// Adds `n` numbers to `n` elements, one to each.
inline void add_each(float* to, const std::uint32_t* numbers, std::int64_t n) {
    each_integers<std::uint32_t>(n, to, [](const auto& sum, const auto& number) { return sum + number; }, to, numbers);
}

/// The kind of elements of a convolution or matrix product, and the terms added to sums of integers. The channels of a
/// matrix product are its columns.
struct product_terms {
    products how = products::float32;
    float outside = 0;                    ///< value of an image's padding
    const std::uint32_t* added = nullptr; ///< added to the sums of each channel of the result; may be null

    /// Adds the term of a channel to `n` of its sums.
    void finish_channel(float* sums, std::int64_t channel, std::int64_t n) const {
        if (added != nullptr) add_to_each(sums, added[channel], n);
    }
    /// Adds the terms of `n` neighbouring channels to one sum of each.
    void finish_channels(float* sums, std::int64_t channel, std::int64_t n) const {
        if (added != nullptr) add_each(sums, added + channel, n);
    }
};

} // namespace tutti::kernel::blocked::detail
