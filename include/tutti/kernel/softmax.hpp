#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tutti::kernel {

namespace detail {

/// Computes the maximum `top` and the sum of e^(x - top) of each line along the axis. Then calls
/// `finish(to, x, n, top, sum, step)` to compute the results, n elements at a time.
template <class C>
constexpr void softmax(const tensor& data, const axis_set& line,
                       void (*finish)(C* to, const C* x, std::int64_t n, const C* top, const double* sum,
                                      std::int64_t step),
                       tensor& out) {
    C room[block_length];
    C made[block_length];
    C top[block_length];
    double sum[block_length];
    for (groups g(data.shape(), line); !g.done(); g.next()) {
        const std::int64_t step = g.step();
        std::fill_n(+top, g.count(), -std::numeric_limits<C>::infinity());
        std::fill_n(+sum, g.count(), 0.0);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) top[i * step] = element::maximum{}(top[i * step], x[i]);
        }
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i)
                sum[i * step] += static_cast<double>(std::exp(x[i] - top[i * step]));
        }
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            C* to = block_to_write(out, p.first(), +made);
            finish(to, x, p.length(), +top, +sum, step);
            write_block<C>(to, p.length(), out, p.first());
        }
    }
}

template <class C>
constexpr void finish_softmax(C* to, const C* x, std::int64_t n, const C* top, const double* sum, std::int64_t step) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = std::exp(x[i] - top[i * step]) / static_cast<C>(sum[i * step]);
}

template <class C>
constexpr void finish_log_softmax(C* to, const C* x, std::int64_t n, const C* top, const double* sum,
                                  std::int64_t step) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = x[i] - top[i * step] - static_cast<C>(std::log(sum[i * step]));
}

/// Checks the operands and computes softmax or its logarithm.
constexpr void softmax(std::string_view kernel, const tensor& data, std::int64_t axis, bool logarithm, tensor& out) {
    check_rank(kernel, data);
    check_floating(kernel, data);
    axis_set line{};
    line[checked_axis(kernel, axis, data.rank())] = true;
    make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return; // an empty tensor may still have many lines
    if (data.type() == dtype::float64)
        softmax<double>(data, line, logarithm ? finish_log_softmax<double> : finish_softmax<double>, out);
    else
        softmax<float>(data, line, logarithm ? finish_log_softmax<float> : finish_softmax<float>, out);
}

} // namespace detail

/// Computes `e^x / sum of e^x` along an axis, which may count from the end; subtracts the maximum first to avoid
/// overflow. A line that contains NaN or plus infinity, or only minus infinity, becomes NaN.
///
/// Throws: tutti::error if there is no such axis, or if the element type is not of floating point.
/// Cost:   two exponentials for each element; the sum is in double.
constexpr void softmax(const tensor& data, std::int64_t axis, tensor& out) {
    detail::softmax("softmax", data, axis, false, out);
}

/// Computes the logarithm of `softmax`. The result stays finite where softmax rounds to zero.
///
/// Throws: tutti::error if there is no such axis, or if the element type is not of floating point.
constexpr void log_softmax(const tensor& data, std::int64_t axis, tensor& out) {
    detail::softmax("log_softmax", data, axis, true, out);
}

} // namespace tutti::kernel
