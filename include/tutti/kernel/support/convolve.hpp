#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// Offsets of a convolution's operands and result in their tensors.
struct conv_places {
    std::int64_t data = 0;
    std::int64_t weight = 0;
    std::int64_t out = 0;
};

/// Returns one element of the result: the sum over the cells of a window and the channels of a group, which begins at
/// channel `first` of the image. Pixels outside the image are zero.
template <class T>
constexpr T sum_of_window(const conv_plan& p, const T* image, std::int64_t first, const T* weight,
                          const spatial& place) {
    using Sum = std::conditional_t<std::is_same_v<T, float>, double, T>;
    const T zero{};
    Sum sum{};
    const auto& [depth, height, width] = p.in.space;
    const lettered_axis& in = p.in.channel;
    const lettered_axis& by = p.weight.channel;
    for (std::int64_t c = 0, count = 0; c < by.size; c += count) {
        count = std::min({by.size - c, by.evenly(c), in.evenly(first + c)}); // to the end of a block in data or weights
        const T* channel = image + in.at(first + c);
        const T* weights = weight + by.at(c);
        for (std::int64_t i = 0; i < p.weight.space[0].size; ++i)
            for (std::int64_t j = 0; j < p.weight.space[1].size; ++j)
                for (std::int64_t k = 0; k < p.weight.space[2].size; ++k) {
                    const std::int64_t d = p.window[0].at(place[0], i);
                    const std::int64_t h = p.window[1].at(place[1], j);
                    const std::int64_t w = p.window[2].at(place[2], k);
                    const bool inside = depth.has(d) && height.has(h) && width.has(w);
                    const T* x = inside ? channel + depth.at(d) + height.at(h) + width.at(w) : &zero;
                    const T* y = weights + p.weight.space[0].at(i) + p.weight.space[1].at(j) + p.weight.space[2].at(k);
                    const std::int64_t x_step = inside ? in.step() : 0;
                    const std::int64_t y_step = by.step();
                    for (std::int64_t m = 0; m < count; ++m)
                        sum += static_cast<Sum>(x[m * x_step]) * static_cast<Sum>(y[m * y_step]);
                }
    }
    return static_cast<T>(sum);
}

} // namespace detail

/// Computes a convolution of operands that begin at the given offsets in their tensors. All tensors have the element
/// type of the sums. May store reordered weights in `rows`, or use those that `rows` already contains.
using convolver = void (*)(const detail::conv_plan&, const tensor& data, const tensor& weight, tensor& out,
                           const detail::conv_places&, tensor& rows);

/// The reference convolver: computes one element at a time. Sums float32 in double; integers wrap.
constexpr void convolve_in_loops(const detail::conv_plan& p, const tensor& data, const tensor& weight, tensor& out,
                                 const detail::conv_places& at, tensor&) {
    detail::with_sum_type(out.type(), [&]<class T>(std::type_identity<T>) {
        const auto& [depth, height, width] = p.out.space;
        for (std::int64_t n = 0; n < p.out.outer.size; ++n)
            for (std::int64_t o = 0; o < p.out.channel.size; ++o) {
                const T* image = data.data<T>() + at.data + p.in.outer.at(n);
                const T* by = weight.data<T>() + at.weight + p.weight.outer.at(o);
                T* to = out.mutable_data<T>() + at.out + p.out.outer.at(n) + p.out.channel.at(o);
                const std::int64_t first = o / p.out_channels() * p.weight.channel.size; // first channel of the group
                for (std::int64_t d = 0; d < depth.size; ++d)
                    for (std::int64_t h = 0; h < height.size; ++h)
                        for (std::int64_t w = 0; w < width.size; ++w)
                            to[depth.at(d) + height.at(h) + width.at(w)] =
                                detail::sum_of_window(p, image, first, by, {d, h, w});
            }
    });
}

} // namespace tutti::kernel
