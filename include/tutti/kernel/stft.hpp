#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Options of `stft`.
struct stft_options {
    std::int64_t size = 1;   ///< Length of the transform.
    std::int64_t hop = 1;    ///< Distance between frames.
    std::int64_t window = 1; ///< Length of the window; elements of a frame after the window are ignored.
    bool normalized = false; ///< True to divide by the square root of the size.
    bool onesided = true;    ///< True to omit the mirrored frequencies of a real signal.
};

namespace detail {

/// Transforms the frames of a signal: for each frequency, writes the real and imaginary part of every frame in turn.
/// For frequency f, multiplies element i of a frame by entry `i * f % window` of the tables of cosines and sines.
template <class T>
constexpr void transform_frames(const stft_options& o, std::int64_t frequencies, std::int64_t frames, const T* signal,
                                const T* weights, const T* cosines, const T* sines, T* out) {
    const T scale = o.normalized ? element::sqrt{}(static_cast<T>(o.size)) : T{1};
    for (std::int64_t f = 0; f < frequencies; ++f) {
        const std::int64_t step = f % o.window;
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            const T* x = signal + frame * o.hop;
            T real = 0;
            T imaginary = 0;
            std::int64_t turn = 0;
            for (std::int64_t i = 0; i < o.window; ++i) {
                const T weighted = weights[i] * x[i];
                real += weighted * cosines[turn];
                imaginary -= weighted * sines[turn];
                turn += step;
                if (turn >= o.window) turn -= o.window;
            }
            *out++ = real / scale;
            *out++ = imaginary / scale;
        }
    }
}

} // namespace detail

/// Computes the short-time Fourier transform of one or several signals: the real and imaginary part of each frequency
/// in each weighted frame. Computes in float, or in double for float64.
///
/// Requires: `out` is neither an argument nor in `space`.
/// Throws:   tutti::error if the operands are not of floating point, if an option is not positive, if the window is
///           longer than the transform or the weights, or if the transform is longer than the signal.
/// Cost:     frequencies times frames times window length.
constexpr void stft(const tensor& data, const tensor& weights, const stft_options& o, tensor& out, scratch space = {}) {
    constexpr std::string_view kernel = "stft";
    bool fits = (data.rank() == 1 || data.rank() == 2) && weights.rank() == 1 && is_floating(data.type()) &&
                is_floating(weights.type());
    fits = fits && o.size >= 1 && o.hop >= 1 && o.window >= 1 && o.window <= o.size && weights.size() >= o.window &&
           data.shape()[data.rank() - 1] >= o.size;
    if (!fits)
        detail::fail(kernel,
                     {"data are ", data, ", the window ", weights, ", a transform of ", o.size, " every ", o.hop,
                      " over ", o.window},
                     "positive numbers, and floating-point signals with window <= transform <= signal length");
    const std::int64_t length = data.shape()[data.rank() - 1];
    const std::int64_t signals = data.rank() == 2 ? data.shape()[0] : 1;
    const std::int64_t frequencies = o.onesided ? o.size / 2 + 1 : o.size;
    const std::int64_t frames = (length - o.size) / o.hop + 1;
    extents shape;
    if (data.rank() == 2) shape.push_back(signals);
    for (const std::int64_t d : {frequencies, frames, std::int64_t{2}}) shape.push_back(d);
    const dtype computed = data.type() == dtype::float64 ? dtype::float64 : dtype::float32;
    const tensor& signal = detail::as_type(data, computed, space->data);
    const tensor& by = detail::as_type(weights, computed, space->weight);
    detail::with_result_as(kernel, data.type(), computed, shape, space->result, out, [&](tensor& result) {
        if (result.size() == 0) return;
        detail::with_arithmetic(computed, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_floating_point_v<T>) {
                const std::int64_t turns[]{2, o.window};
                space->columns.reset(computed, turns);
                T* cosines = space->columns.mutable_data<T>();
                T* sines = cosines + o.window;
                constexpr double circle = 6.283185307179586476925;
                for (std::int64_t i = 0; i < o.window; ++i) {
                    const double angle = circle * static_cast<double>(i) / static_cast<double>(o.window);
                    cosines[i] = static_cast<T>(element::cos{}(angle));
                    sines[i] = static_cast<T>(element::sin{}(angle));
                }
                for (std::int64_t n = 0; n < signals; ++n)
                    detail::transform_frames(o, frequencies, frames, signal.data<T>() + n * length, by.data<T>(),
                                             cosines, sines, result.mutable_data<T>() + n * frequencies * frames * 2);
            }
        });
    });
}

} // namespace tutti::kernel
