#pragma once

#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::kernel {

/// Options of `lrn`.
struct lrn_options {
    std::int64_t size = 5; ///< Length of the window, including the element itself.
    std::int64_t axis = 1; ///< Axis of the windows; may count from the end.
    double bias = 2;
    double alpha = 1e-4;
    double beta = 0.75;
};

namespace detail {

template <class C>
constexpr void lrn(const tensor& data, const axis_split& s, const lrn_options& o, tensor& out) {
    C room[block_length];
    C made[block_length];
    C sum[block_length];
    const std::int64_t before = (o.size - 1) / 2;
    const std::int64_t after = o.size - 1 - before;
    const C alpha = static_cast<C>(o.alpha);
    const C bias = static_cast<C>(o.bias);
    const C beta = static_cast<C>(o.beta);
    const C size = static_cast<C>(o.size);
    for (std::int64_t outer = 0; outer < s.outer; ++outer)
        for (std::int64_t i = 0; i < s.length; ++i)
            for (std::int64_t j = 0; j < s.inner; j += block_length) {
                const std::int64_t n = std::min(block_length, s.inner - j);
                const auto at = [&](std::int64_t k) { return (outer * s.length + k) * s.inner + j; };
                std::fill_n(+sum, n, C{0});
                const std::int64_t last = std::min(s.length - 1, i + after);
                for (std::int64_t k = std::max<std::int64_t>(0, i - before); k <= last; ++k) {
                    const C* x = read_block(data, at(k), n, +room);
                    for (std::int64_t m = 0; m < n; ++m) sum[m] += x[m] * x[m];
                }
                const C* x = read_block(data, at(i), n, +room);
                C* to = block_to_write(out, at(i), +made);
                for (std::int64_t m = 0; m < n; ++m)
                    to[m] = x[m] / element::power{}(bias + alpha * sum[m] / size, beta);
                write_block<C>(to, n, out, at(i));
            }
}

} // namespace detail

/// Computes `x / (bias + alpha / size * s) ^ beta`, where s is the sum of squares over a window along the axis. The
/// window is centred at x; if its size is even, it has one more element after x than before. Elements beyond the ends
/// count as zero.
///
/// Source: Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural networks", 3.3.
/// Throws: tutti::error if there is no such axis, if the size is not positive, or if the element type is not of
///         floating point.
/// Cost:   elements times window size.
constexpr void lrn(const tensor& data, const lrn_options& options, tensor& out) {
    detail::check_rank("lrn", data);
    const std::size_t axis = detail::checked_axis("lrn", options.axis, data.rank());
    detail::check_floating("lrn", data);
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (options.size < 1 || options.size >= limit)
        detail::fail("lrn", {options.size, " neighbours"}, "1 or more, and fewer than 2^48");
    const axis_split s = split_at(data.shape(), axis);
    detail::make_result("lrn", data.type(), data.shape(), out);
    if (out.size() == 0) return; // an empty tensor may still have many lines
    spend(steps(out.size(), std::min(options.size, s.length)));
    if (data.type() == dtype::float64)
        detail::lrn<double>(data, s, options, out);
    else
        detail::lrn<float>(data, s, options, out);
}

} // namespace tutti::kernel
