#pragma once

#include <tutti/kernel/window.hpp>

#include <cstdint>

namespace tutti::kernel {

/// How two images are compared.
struct correlation_options {
    std::int64_t size = 1;         ///< The sides of a patch; odd.
    std::int64_t displacement = 1; ///< How far apart two patches are at most, along each axis.
    std::int64_t stride = 1;       ///< From one patch of the first image to the next.
    std::int64_t other_stride = 1; ///< From one patch of the second image, for each of the first, to the next.
    spatial before{};              ///< How many zeros there are before rows and columns
    spatial after{};               ///< and behind them.
    bool multiplies = true;        ///< Else what is summed are distances.

    /// How many displacements there are along each axis.
    constexpr std::int64_t places() const { return 2 * (displacement / other_stride) + 1; }
    /// How many patches fit along an axis of so many cells, padding included; negative numbers count as none.
    constexpr std::int64_t count(std::int64_t cells) const {
        const std::int64_t room = cells - 2 * (displacement + (size - 1) / 2);
        return room <= 0 ? 0 : (room + stride - 1) / stride;
    }
};

} // namespace tutti::kernel
