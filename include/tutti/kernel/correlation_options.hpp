#pragma once

#include <tutti/kernel/support/window.hpp>

#include <cstdint>

namespace tutti::kernel {

/// Options of `correlation`.
struct correlation_options {
    std::int64_t size = 1;         ///< Side length of a patch; must be odd.
    std::int64_t displacement = 1; ///< Maximum distance between two patches along each axis.
    std::int64_t stride = 1;       ///< Distance between patches of the first image.
    std::int64_t other_stride = 1; ///< Distance between successive displacements in the second image.
    spatial before{};              ///< Padding before rows and columns.
    spatial after{};               ///< Padding after the last row and column.
    bool multiplies = true;        ///< If false, absolute differences are summed instead of products.

    /// Returns the number of displacements along each axis.
    constexpr std::int64_t places() const { return 2 * (displacement / other_stride) + 1; }
    /// Returns the number of patches along an axis of `cells` cells, padding included; 0 if none fits.
    constexpr std::int64_t count(std::int64_t cells) const {
        const std::int64_t room = cells - 2 * (displacement + (size - 1) / 2);
        return room <= 0 ? 0 : (room + stride - 1) / stride;
    }
};

} // namespace tutti::kernel
