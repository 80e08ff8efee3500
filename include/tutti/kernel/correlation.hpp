#pragma once

#include <tutti/kernel/correlation_options.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

template <class T>
constexpr void correlate(const tensor& first, const tensor& second, const correlation_options& o, const T* a,
                         const T* b, tensor& out) {
    const std::int64_t channels = first.shape()[1];
    const std::int64_t height = first.shape()[2];
    const std::int64_t width = first.shape()[3];
    const auto cell = [&](const T* image, const tensor& of, std::int64_t y, std::int64_t x) {
        y -= o.before[0];
        x -= o.before[1];
        return y < 0 || x < 0 || y >= of.shape()[2] || x >= of.shape()[3] ? T{0} : image[y * of.shape()[3] + x];
    };
    const auto compared = [&](const T* p, const T* q, std::int64_t y, std::int64_t x, std::int64_t v, std::int64_t u) {
        T sum{0};
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t i = 0; i < o.size; ++i)
                for (std::int64_t j = 0; j < o.size; ++j) {
                    const T l = cell(p + c * height * width, first, y + i, x + j);
                    const T r = cell(q + c * second.shape()[2] * second.shape()[3], second, v + i, u + j);
                    sum += o.multiplies ? l * r : element::abs{}(l - r);
                }
        return sum / static_cast<T>(o.size * o.size * channels);
    };
    const std::int64_t places = o.places();
    T* to = out.mutable_data<T>();
    for (std::int64_t n = 0; n < out.shape()[0]; ++n) {
        const T* p = a + n * channels * height * width;
        const T* q = b + n * channels * second.shape()[2] * second.shape()[3];
        for (std::int64_t at = 0; at < places * places; ++at)
            for (std::int64_t i = 0; i < out.shape()[2]; ++i)
                for (std::int64_t j = 0; j < out.shape()[3]; ++j) {
                    const std::int64_t y = i * o.stride + o.displacement;
                    const std::int64_t x = j * o.stride + o.displacement;
                    *to++ = compared(p, q, y, x, y + (at / places - places / 2) * o.other_stride,
                                     x + (at % places - places / 2) * o.other_stride);
                }
    }
}

} // namespace detail

/// Compares patches of two batches of images of shape (N, C, H, W). Result channel (v, u) at row i and column j
/// compares a patch of the first image with a patch of the second image that is displaced by v and u. It is the mean,
/// over the patch and all channels, of the products of corresponding elements or, if `multiplies` is false, of their
/// absolute differences.
///
/// Source:   Dosovitskiy et al., "FlowNet: Learning Optical Flow with Convolutional Networks", section 3.
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error if the images differ in shape or type, if the type is not floating-point, or if an option is
///           out of range.
/// Cost:     the number of products: elements of the result times cells of the patch times channels.
constexpr void correlation(const tensor& first, const tensor& second, const correlation_options& o, tensor& out,
                           scratch space = {}) {
    constexpr std::string_view kernel = "correlation";
    detail::check_floating(kernel, first);
    if (first.rank() != 4 || second.type() != first.type() || !same_shape(first.shape(), second.shape()))
        detail::fail_pair(kernel, "the first", first, "the second", second,
                          "tensors of one type and one shape N, C, H, W");
    constexpr std::int64_t limit = std::int64_t{1} << 24;
    const auto check = [&](std::string_view what, std::int64_t n, std::int64_t least) {
        if (n < least || n >= limit) detail::fail(kernel, {what, " of ", n}, {"from ", least, " to 2^24 - 1"});
    };
    check("a patch", o.size, 1);
    check("a displacement", o.displacement, 0);
    check("a stride", o.stride, 1);
    check("a stride", o.other_stride, 1);
    for (std::size_t i = 0; i < 2; ++i) {
        check("a padding", o.before[i], 0);
        check("a padding", o.after[i], 0);
        check("an axis", first.shape()[2 + i], 0);
    }
    if (o.size % 2 == 0) detail::fail(kernel, {"a patch of ", o.size}, "an odd number");
    const std::int64_t rows = o.count(first.shape()[2] + o.before[0] + o.after[0]);
    const std::int64_t columns = o.count(first.shape()[3] + o.before[1] + o.after[1]);
    const std::int64_t shape[]{first.shape()[0], o.places() * o.places(), rows, columns};
    spend(steps(shape[0], shape[1], rows, columns, first.shape()[1], o.size, o.size));
    const dtype type = first.type() == dtype::float64 ? dtype::float64 : dtype::float32;
    const tensor& a = detail::as_type(first, type, space->data);
    const tensor& b = detail::as_type(second, type, space->weight);
    detail::with_result_as(kernel, first.type(), type, shape, space->result, out, [&](tensor& to) {
        if (to.size() == 0) return;
        if (type == dtype::float64)
            detail::correlate<double>(first, second, o, a.data<double>(), b.data<double>(), to);
        else
            detail::correlate<float>(first, second, o, a.data<float>(), b.data<float>(), to);
    });
}

} // namespace tutti::kernel
