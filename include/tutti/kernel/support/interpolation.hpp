#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/letters.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

// Interpolation, shared by the kernels that sample images between pixels.

namespace tutti::kernel {

/// Interpolation between the pixels around a point.
enum class resize_method : std::uint8_t { nearest, linear, cubic };

namespace detail {

/// Returns the type to compute elements in. Integers stay integers for the nearest method, which only selects elements.
constexpr dtype sampling_type(dtype type, resize_method method) {
    if (is_floating(type) && type != dtype::float64) return dtype::float32;
    return is_integer(type) && method == resize_method::nearest ? dtype::int64 : dtype::float64;
}

/// The pixels along one axis that contribute to an element of the result, and their weights.
struct pixel_taps {
    std::int64_t count = 1; ///< If 0, the interpolated value is zero.
    bool outside = false;
    std::array<std::int64_t, 4> at{};
    std::array<float, 4> weight{1};
};

/// Returns the weights of the four pixels around a point. The point is `t` pixels after the second of them.
///
/// Source: Keys, "Cubic Convolution Interpolation for Digital Image Processing".
constexpr std::array<float, 4> cubic_weights(float a, float t) {
    const float t2 = t * t;
    const float t3 = t2 * t;
    return {a * (t3 - 2 * t2 + t), (a + 2) * t3 - (a + 3) * t2 + 1, -(a + 2) * t3 + (2 * a + 3) * t2 - a * t,
            -a * t3 + a * t2};
}

/// Interpolates between the taps in a channel of an image. For integers, returns the first pixel of the taps.
template <class T>
constexpr T interpolated(const T* channel, const std::array<lettered_axis, 3>& axes,
                         const std::array<pixel_taps, 3>& taps) {
    if constexpr (std::integral<T>) {
        for (const pixel_taps& each : taps)
            if (each.count == 0) return 0;
        return channel[taps[0].at[0] * axes[0].stride() + taps[1].at[0] * axes[1].stride() +
                       taps[2].at[0] * axes[2].stride()];
    } else {
        T sum = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(taps[0].count); ++d) {
            T plane = 0;
            for (std::size_t h = 0; h < static_cast<std::size_t>(taps[1].count); ++h) {
                const T* row = channel + taps[0].at[d] * axes[0].stride() + taps[1].at[h] * axes[1].stride();
                T line = 0;
                for (std::size_t w = 0; w < static_cast<std::size_t>(taps[2].count); ++w)
                    line += row[taps[2].at[w] * axes[2].stride()] * static_cast<T>(taps[2].weight[w]);
                plane += line * static_cast<T>(taps[1].weight[h]);
            }
            sum += plane * static_cast<T>(taps[0].weight[d]);
        }
        return sum;
    }
}

} // namespace detail
} // namespace tutti::kernel
