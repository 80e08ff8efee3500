#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// How a batch is normalised.
struct batch_norm_options {
    std::int64_t axis = 1; ///< The channels; may count from the end.
    double epsilon = 1e-5;
    bool center = true; ///< Whether beta is added.
    bool scale = true;  ///< Whether gamma is multiplied by.
};

/// What is known of each channel: vectors as long as the data's channel axis.
template <class T>
struct channel_statistics {
    T gamma;
    T beta;
    T mean;
    T variance;
};

/// Normalisation with given statistics: `(x - mean) * (gamma / sqrt(variance + epsilon)) + beta`, for each
/// channel.
///
/// Requires: `options.axis` is an axis of data, not counted from the end; `out` has the shape of data and is
/// data itself or
///           overlaps no operand.
template <class T>
constexpr void batch_norm(view<const T> data, const channel_statistics<view<const T>>& channels,
                          const batch_norm_options& options, view<T> out) {
    using computed = compute_type<T>;
    const axis_split s = split_at(data.shape, static_cast<std::size_t>(options.axis));
    const auto epsilon = static_cast<computed>(options.epsilon);
    for (std::int64_t o = 0; o < s.outer; ++o)
        for (std::int64_t c = 0; c < s.length; ++c) {
            const computed gamma = options.scale ? widen(channels.gamma.data[c]) : computed{1};
            const computed factor = gamma / element::sqrt{}(widen(channels.variance.data[c]) + epsilon);
            const computed mean = widen(channels.mean.data[c]);
            const computed beta = options.center ? widen(channels.beta.data[c]) : computed{0};
            const std::int64_t at = (o * s.length + c) * s.inner;
            for (std::int64_t i = at; i < at + s.inner; ++i)
                out.data[i] = convert<T>((widen(data.data[i]) - mean) * factor + beta);
        }
}

/// The same over tensors: the normalised data, which is the first of the reference's three results.
///
/// Throws: tutti::error if the element type is not floating point, or if a statistic has another type or
/// length.
constexpr tensor batch_norm(const tensor& data, const channel_statistics<tensor>& channels,
                            batch_norm_options options = {}) {
    const std::size_t axis = detail::checked_axis("batch_norm", options.axis, data.rank());
    options.axis = static_cast<std::int64_t>(axis);
    const auto check = [&](std::string_view which, const tensor& t) {
        if (t.rank() != 1 || t.shape()[0] != data.shape()[axis] || t.type() != data.type())
            detail::fail_pair("batch_norm", "data", data, which, t,
                              "a vector of length " + std::to_string(data.shape()[axis]) + ", as axis " +
                                  std::to_string(axis) + " of data, and of its element type");
    };
    check("gamma", channels.gamma);
    check("beta", channels.beta);
    check("moving_mean", channels.mean);
    check("moving_var", channels.variance);
    return detail::with_floating_type("batch_norm", data, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("batch_norm", data.type(), data.shape());
        batch_norm(view_of<T>(data),
                   {view_of<T>(channels.gamma), view_of<T>(channels.beta), view_of<T>(channels.mean),
                    view_of<T>(channels.variance)},
                   options, mutable_view_of<T>(out));
        return out;
    });
}

namespace detail {

/// For each line along the axis: `finish(x - the line's maximum, the sum of e^(x - maximum))` for each of its
/// elements x.
template <class T, class Finish>
constexpr void softmax(view<const T> data, std::size_t axis, view<T> out, Finish finish) {
    using computed = compute_type<T>;
    const axis_split s = split_at(data.shape, axis);
    for (std::int64_t o = 0; o < s.outer; ++o)
        for (std::int64_t j = 0; j < s.inner; ++j) {
            const T* from = data.data + o * s.length * s.inner + j;
            T* to = out.data + o * s.length * s.inner + j;
            computed top = -std::numeric_limits<computed>::infinity();
            for (std::int64_t i = 0; i < s.length; ++i)
                top = element::maximum{}(top, widen(from[i * s.inner]));
            computed sum{0};
            for (std::int64_t i = 0; i < s.length; ++i) sum += std::exp(widen(from[i * s.inner]) - top);
            for (std::int64_t i = 0; i < s.length; ++i)
                to[i * s.inner] = convert<T>(finish(widen(from[i * s.inner]) - top, sum));
        }
}

} // namespace detail

/// `e^x / sum of e^x` along an axis, with the maximum subtracted first, so that it does not overflow. A line
/// with a NaN, with plus infinity, or with nothing but minus infinity is NaN throughout.
///
/// Requires: `out` has the shape of data and is data itself or does not overlap it.
template <class T>
constexpr void softmax(view<const T> data, std::size_t axis, view<T> out) {
    detail::softmax(data, axis, out, [](auto x, auto sum) { return std::exp(x) / sum; });
}

/// The logarithm of `softmax`, which stays finite where that is zero.
template <class T>
constexpr void log_softmax(view<const T> data, std::size_t axis, view<T> out) {
    detail::softmax(data, axis, out, [](auto x, auto sum) { return x - std::log(sum); });
}

/// The same over tensors; `axis` may count from the end.
///
/// Throws: tutti::error if there is no such axis, or if the element type is not floating point.
constexpr tensor softmax(const tensor& data, std::int64_t axis = -1) {
    const std::size_t at = detail::checked_axis("softmax", axis, data.rank());
    return detail::with_floating_type("softmax", data, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("softmax", data.type(), data.shape());
        softmax(view_of<T>(data), at, mutable_view_of<T>(out));
        return out;
    });
}

/// The same over tensors; `axis` may count from the end.
///
/// Throws: tutti::error if there is no such axis, or if the element type is not floating point.
constexpr tensor log_softmax(const tensor& data, std::int64_t axis = -1) {
    const std::size_t at = detail::checked_axis("log_softmax", axis, data.rank());
    return detail::with_floating_type("log_softmax", data, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("log_softmax", data.type(), data.shape());
        log_softmax(view_of<T>(data), at, mutable_view_of<T>(out));
        return out;
    });
}

} // namespace tutti::kernel
