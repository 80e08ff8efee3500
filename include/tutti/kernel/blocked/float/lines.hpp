#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/float/math.hpp>
#include <tutti/kernel/normalize.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

// Kernels of float32 that process the lines along a tensor's last axis: softmax and layer_norm.

namespace tutti::kernel::blocked {

namespace detail {

/// Sixteen partial results in vectors of any width, so that results do not depend on the width.
struct parts {
    static constexpr std::int64_t size = 16;
    static constexpr std::int64_t count = size / lanes;

    floats part[count];

    explicit parts(float value) {
        for (floats& p : part) p = floats{} + value;
    }
    /// Reduces all parts with `f`, in pairs.
    template <class T, class F>
    T folded(F f) const {
        alignas(64) float each[size];
        for (std::int64_t p = 0; p < count; ++p) store(part[p], each + p * lanes);
        T all[size];
        for (std::int64_t i = 0; i < size; ++i) all[i] = static_cast<T>(each[i]);
        for (std::int64_t half = size / 2; half != 0; half /= 2)
            for (std::int64_t i = 0; i < half; ++i) all[i] = f(all[i], all[i + half]);
        return all[0];
    }
};

/// Calls `f(part, vector)` for each vector of a line, filling the tail with `value`. Stores the results of
/// `f` at `to` unless `to` is null.
template <class F>
[[gnu::always_inline]] inline void walk(const float* line, float* to, std::int64_t n, float value, F f) {
    std::int64_t i = 0;
    for (; i + parts::size <= n; i += parts::size)
        for (std::int64_t p = 0; p < parts::count; ++p) {
            const floats y = f(p, load(line + i + p * lanes));
            if (to != nullptr) store(y, to + i + p * lanes);
        }
    if (i == n) return;
    alignas(64) float rest[parts::size];
    std::fill_n(std::copy_n(line + i, n - i, rest), parts::size - (n - i), value);
    for (std::int64_t p = 0; p < parts::count; ++p) store(f(p, load(rest + p * lanes)), rest + p * lanes);
    if (to != nullptr) std::copy_n(rest, n - i, to + i);
}

/// Returns the sum of `f(vector)` over the vectors of a line: partial sums in float32, their total in double.
template <class F>
[[gnu::always_inline]] inline double sum_of(const float* line, float* to, std::int64_t n, float value, F f) {
    constexpr std::int64_t most = 1024;
    double sum = 0;
    for (std::int64_t i = 0; i < n; i += most) {
        parts sums(0.F);
        walk(line + i, to == nullptr ? nullptr : to + i, std::min(most, n - i), value,
             [&](std::int64_t p, const floats& x) {
                 const floats y = f(x);
                 sums.part[p] += y;
                 return y;
             });
        sum += sums.folded<double>([](double a, double b) { return a + b; });
    }
    return sum;
}

/// Returns the largest element of a line; NaN if the line contains a NaN.
inline float greatest(const float* line, std::int64_t n) {
    parts top(-std::numeric_limits<float>::infinity());
    walk(line, nullptr, n, -std::numeric_limits<float>::infinity(), [&](std::int64_t p, const floats& x) {
        const floats old = top.part[p];
        top.part[p] = ((x > old) | (x != x)) ? x : old; // NaN stays: comparisons with it are false
        return x;
    });
    return top.folded<float>([](float a, float b) { return a > b || a != a ? a : b; });
}

/// Calls `f(line, result)` for each line along the last axis, in tasks of a few thousand elements.
template <class F>
void each_line(executor_ref on, const tensor& data, tensor& out, F f) {
    const std::int64_t n = data.shape().back();
    const auto* const from = data.data<float>();
    auto* const to = out.mutable_data<float>();
    for_each_index(
        on, static_cast<std::size_t>(data.size() / n),
        [&](std::size_t line) {
            const std::int64_t first = static_cast<std::int64_t>(line) * n;
            f(from + first, to + first);
        },
        static_cast<std::size_t>(4096 / n + 1));
}

/// True if the axis is the last one, and the tensor is float32 and not empty.
constexpr bool is_last_axis(const tensor& data, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(data.rank());
    return data.type() == dtype::float32 && rank != 0 && data.rank() <= max_rank && (axis == -1 || axis == rank - 1) &&
           data.size() != 0;
}

} // namespace detail

/// Computes `kernel::softmax` or `kernel::log_softmax` of float32 along the last axis. Does nothing and returns false
/// for other types and axes, and for empty tensors.
inline bool softmax(const tensor& data, std::int64_t axis, bool logarithm, tensor& out, executor_ref on = {}) {
    if (!detail::is_last_axis(data, axis)) return false;
    kernel::detail::make_result("softmax", dtype::float32, data.shape(), out);
    const std::int64_t n = data.shape().back();
    detail::each_line(on, data, out, [&](const float* from, float* to) {
        const float top = detail::greatest(from, n);
        const double sum = detail::sum_of(from, logarithm ? nullptr : to, n, -std::numeric_limits<float>::infinity(),
                                          [&](const floats& x) { return blocked::exp(x - top); });
        if (logarithm) {
            const float least = static_cast<float>(std::log(sum));
            detail::walk(from, to, n, 0.F, [&](std::int64_t, const floats& x) { return x - top - least; });
        } else {
            const float factor = static_cast<float>(1 / sum);
            detail::walk(to, to, n, 0.F, [&](std::int64_t, const floats& x) { return x * factor; });
        }
    });
    return true;
}

/// Computes `kernel::layer_norm` of float32 along the last axis. Does nothing and returns false for other types and
/// axes, for empty tensors, and if the operands do not fit.
inline bool layer_norm(const tensor& data, const tensor& gamma, const tensor& beta, const norm_options& options,
                       tensor& out, executor_ref on = {}) {
    if (!detail::is_last_axis(data, options.axis)) return false;
    const std::int64_t n = data.shape().back();
    for (const tensor* t : {&gamma, &beta})
        if (t->type() != dtype::float32 || t->rank() != 1 || t->size() != n) return false;
    kernel::detail::make_result("layer_norm", dtype::float32, data.shape(), out);
    detail::each_line(on, data, out, [&](const float* from, float* to) {
        const auto count = static_cast<double>(n);
        const auto mean =
            static_cast<float>(detail::sum_of(from, nullptr, n, 0.F, [](const floats& x) { return x; }) / count);
        const double squares = detail::sum_of(from, nullptr, n, mean, [&](const floats& x) {
            const floats far = x - mean;
            return rounded_product(far, far);
        });
        const auto factor = static_cast<float>(1 / std::sqrt(squares / count + options.epsilon));
        detail::walk(from, to, n, 0.F, [&](std::int64_t, const floats& x) { return (x - mean) * factor; });
        if (options.scale)
            for (std::int64_t i = 0; i < n; ++i) to[i] *= gamma.data<float>()[i];
        if (options.center)
            for (std::int64_t i = 0; i < n; ++i) to[i] += beta.data<float>()[i];
    });
    return true;
}

} // namespace tutti::kernel::blocked
