#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::kernel {

/// Options of the normalisations.
struct norm_options {
    std::int64_t axis = 1; ///< The channel axis; may count from the end.
    double epsilon = 1e-5;
    bool center = true; ///< True to add beta.
    bool scale = true;  ///< True to multiply by gamma.
};

/// Parameters of `batch_norm`: vectors with an element for each channel.
struct channel_statistics {
    const tensor& gamma;
    const tensor& beta;
    const tensor& mean;
    const tensor& variance;
};

namespace detail {

constexpr void check_channels(std::string_view kernel, const tensor& data, std::size_t axis, std::string_view which,
                              const tensor& t) {
    if (t.rank() != 1 || t.shape()[0] != data.shape()[axis] || t.type() != data.type())
        fail_pair(
            kernel, "data", data, which, t,
            {"a vector of length ", data.shape()[axis], ", like axis ", axis, " of data, and of its element type"});
}

/// Computes `out = (data - mean) * factor + beta` for the sets of elements at the current position of `g`.
template <class C>
constexpr void normalize(const groups& g, const tensor& data, const C* mean, const C* factor, const C* beta,
                         tensor& out) {
    C room[block_length];
    C made[block_length];
    const std::int64_t step = g.step();
    for (auto p = g.pieces(); !p.done(); p.next()) {
        const C* x = read_block(data, p.first(), p.length(), +room);
        C* to = block_to_write(out, p.first(), +made);
        if (step == 0) {
            const C m = mean[0];
            const C f = factor[0];
            const C b = beta[0];
            for (std::int64_t i = 0; i < p.length(); ++i) to[i] = (x[i] - m) * f + b;
        } else {
            for (std::int64_t i = 0; i < p.length(); ++i) to[i] = (x[i] - mean[i]) * factor[i] + beta[i];
        }
        write_block<C>(to, p.length(), out, p.first());
    }
}

template <class C>
constexpr void batch_norm(const tensor& data, const channel_statistics& channels, const axis_set& reduced,
                          const norm_options& options, tensor& out) {
    C room[block_length];
    C mean[block_length];
    C factor[block_length];
    C beta[block_length];
    const auto epsilon = static_cast<C>(options.epsilon);
    for (groups g(data.shape(), reduced); !g.done(); g.next()) {
        const std::int64_t n = g.count();
        std::fill_n(+factor, n, C{1});
        std::fill_n(+beta, n, C{0});
        if (options.scale) std::copy_n(read_block(channels.gamma, g.first(), n, +room), n, +factor);
        if (options.center) std::copy_n(read_block(channels.beta, g.first(), n, +room), n, +beta);
        const C* variance = read_block(channels.variance, g.first(), n, +room);
        for (std::int64_t i = 0; i < n; ++i) factor[i] /= element::sqrt{}(variance[i] + epsilon);
        std::copy_n(read_block(channels.mean, g.first(), n, +room), n, +mean);
        normalize<C>(g, data, mean, factor, beta, out);
    }
}

template <class C>
constexpr void instance_norm(const tensor& data, const tensor& gamma, const tensor& beta, const axis_set& reduced,
                             const norm_options& options, tensor& out) {
    C room[block_length];
    C mean[block_length];
    C factor[block_length];
    C shift[block_length];
    double sum[block_length];
    double squares[block_length];
    const std::int64_t channels = gamma.size();
    for (groups g(data.shape(), reduced); !g.done(); g.next()) {
        const std::int64_t step = g.step();
        const auto size = static_cast<double>(g.set_size());
        std::fill_n(+sum, g.count(), 0.0);
        std::fill_n(+squares, g.count(), 0.0);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) sum[i * step] += static_cast<double>(x[i]);
        }
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) {
                const double distance = static_cast<double>(x[i]) - sum[i * step] / size;
                squares[i * step] += distance * distance;
            }
        }
        for (std::int64_t i = 0; i < g.count(); ++i) {
            const std::int64_t channel = (g.first() + i) % channels;
            C one{};
            const C scale = options.scale ? *read_block(gamma, channel, 1, &one) : C{1};
            shift[i] = options.center ? *read_block(beta, channel, 1, &one) : C{0};
            factor[i] =
                static_cast<C>(static_cast<double>(scale) / element::sqrt{}(squares[i] / size + options.epsilon));
            mean[i] = static_cast<C>(sum[i] / size);
        }
        normalize<C>(g, data, mean, factor, shift, out);
    }
}

/// Computes `(x - mean) / sqrt(variance + epsilon) * gamma + beta` with the mean and variance of each set of elements.
/// Treats the data as a tensor of shape `shape`; `channel` holds the strides of gamma and beta along these axes.
template <class C>
constexpr void standardize(const tensor& data, std::span<const std::int64_t> shape, const axis_set& reduced,
                           const extents& channel, const tensor& gamma, const tensor& beta, const norm_options& options,
                           tensor& out) {
    C room[block_length];
    C made[block_length];
    C one{};
    double mean[block_length];
    double factor[block_length];
    for (groups g(shape, reduced, channel); !g.done(); g.next()) {
        const std::int64_t step = g.step();
        const auto size = static_cast<double>(g.set_size());
        std::fill_n(+mean, g.count(), 0.0);
        std::fill_n(+factor, g.count(), 0.0);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) mean[i * step] += static_cast<double>(x[i]);
        }
        for (std::int64_t i = 0; i < g.count(); ++i) mean[i] /= size;
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i) {
                const double distance = static_cast<double>(x[i]) - mean[i * step];
                factor[i * step] += distance * distance;
            }
        }
        for (std::int64_t i = 0; i < g.count(); ++i)
            factor[i] = 1 / element::sqrt{}(factor[i] / size + options.epsilon);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            C* to = block_to_write(out, p.first(), +made);
            for (std::int64_t i = 0; i < p.length(); ++i)
                to[i] = static_cast<C>((static_cast<double>(x[i]) - mean[i * step]) * factor[i * step]);
            const std::int64_t along = p.other_step();
            const std::int64_t channels = along == 0 ? 1 : p.length();
            if (options.scale) {
                const C* by =
                    along == 0 ? read_block(gamma, p.other(), 1, &one) : read_block(gamma, p.other(), channels, +room);
                for (std::int64_t i = 0; i < p.length(); ++i) to[i] *= by[i * along];
            }
            if (options.center) {
                const C* by =
                    along == 0 ? read_block(beta, p.other(), 1, &one) : read_block(beta, p.other(), channels, +room);
                for (std::int64_t i = 0; i < p.length(); ++i) to[i] += by[i * along];
            }
            write_block<C>(to, p.length(), out, p.first());
        }
    }
}

/// Computes layer_norm if `count` is 0, else group_norm with that many groups.
constexpr void normalize_channels(std::string_view kernel, const tensor& data, const tensor& gamma, const tensor& beta,
                                  std::int64_t count, const norm_options& options, tensor& out) {
    check_rank(kernel, data);
    const std::size_t axis = checked_axis(kernel, options.axis, data.rank());
    check_channels(kernel, data, axis, "gamma", gamma);
    check_channels(kernel, data, axis, "beta", beta);
    check_floating(kernel, data);
    const axis_split s = split_at(data.shape(), axis);
    const bool whole = count == 0; // true if each set contains all channels of one position
    if (!whole && (count < 1 || s.length % count != 0))
        fail(kernel, {count, " groups of ", s.length, " channels"},
             "a number of groups that divides the number of channels");
    make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return; // an empty tensor may still have many sets
    const std::int64_t parts = whole ? 1 : count;
    const std::int64_t shape[]{s.outer, parts, s.length / parts, s.inner};
    extents channel(4, 0);
    channel[1] = s.length / parts;
    channel[2] = 1;
    axis_set reduced{};
    reduced[2] = true;
    reduced[3] = !whole;
    if (data.type() == dtype::float64)
        standardize<double>(data, shape, reduced, channel, gamma, beta, options, out);
    else
        standardize<float>(data, shape, reduced, channel, gamma, beta, options, out);
}

template <class C>
constexpr void l2_normalize(const tensor& data, const axis_set& reduced, double epsilon, tensor& out) {
    C room[block_length];
    C factor[block_length];
    const C zero[block_length] = {};
    double squares[block_length];
    for (groups g(data.shape(), reduced); !g.done(); g.next()) {
        const std::int64_t step = g.step();
        std::fill_n(+squares, g.count(), 0.0);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i)
                squares[i * step] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
        }
        for (std::int64_t i = 0; i < g.count(); ++i)
            factor[i] = static_cast<C>(1 / element::sqrt{}(element::maximum{}(squares[i], epsilon)));
        normalize<C>(g, data, zero, factor, zero, out);
    }
}

} // namespace detail

/// Normalises each channel with the parameters in `channels`: `(x - mean) * (gamma / sqrt(variance + epsilon)) + beta`.
///
/// The reference's batch_norm has three results; this function computes the first.
///
/// Throws: tutti::error if there is no such axis, if the element type is not of floating point, or if a parameter has
///         another type or length.
constexpr void batch_norm(const tensor& data, const channel_statistics& channels, const norm_options& options,
                          tensor& out) {
    detail::check_rank("batch_norm", data);
    const std::size_t axis = detail::checked_axis("batch_norm", options.axis, data.rank());
    detail::check_channels("batch_norm", data, axis, "gamma", channels.gamma);
    detail::check_channels("batch_norm", data, axis, "beta", channels.beta);
    detail::check_channels("batch_norm", data, axis, "moving_mean", channels.mean);
    detail::check_channels("batch_norm", data, axis, "moving_var", channels.variance);
    detail::check_floating("batch_norm", data);
    detail::make_result("batch_norm", data.type(), data.shape(), out);
    axis_set reduced;
    reduced.fill(true);
    reduced[axis] = false;
    if (data.type() == dtype::float64)
        detail::batch_norm<double>(data, channels, reduced, options, out);
    else
        detail::batch_norm<float>(data, channels, reduced, options, out);
}

/// Normalises each channel of each instance (axis 0): `(x - mean) / sqrt(variance + epsilon) * gamma + beta`, with the
/// mean and variance of the channel's elements in the instance.
///
/// Throws: tutti::error if there is no such axis, if the element type is not of floating point, or if gamma or beta has
///         another type or length.
/// Cost:   three passes over the data; sums in double.
constexpr void instance_norm(const tensor& data, const tensor& gamma, const tensor& beta, const norm_options& options,
                             tensor& out) {
    detail::check_rank("instance_norm", data);
    const std::size_t axis = detail::checked_axis("instance_norm", options.axis, data.rank());
    detail::check_channels("instance_norm", data, axis, "gamma", gamma);
    detail::check_channels("instance_norm", data, axis, "beta", beta);
    detail::check_floating("instance_norm", data);
    detail::make_result("instance_norm", data.type(), data.shape(), out);
    if (out.size() == 0) return; // an empty tensor may still have many sets
    axis_set reduced;
    reduced.fill(true);
    reduced[0] = false;
    reduced[axis] = false;
    if (data.type() == dtype::float64)
        detail::instance_norm<double>(data, gamma, beta, reduced, options, out);
    else
        detail::instance_norm<float>(data, gamma, beta, reduced, options, out);
}

/// Normalises each line along the axis: `(x - mean) / sqrt(variance + epsilon) * gamma + beta`, with the mean and
/// variance of the line.
///
/// Throws: as `instance_norm`.
/// Cost:   three passes over the data; sums in double.
constexpr void layer_norm(const tensor& data, const tensor& gamma, const tensor& beta, const norm_options& options,
                          tensor& out) {
    detail::normalize_channels("layer_norm", data, gamma, beta, 0, options, out);
}

/// Normalises as `layer_norm` does, but over sets of elements: each set spans one of `count` equal groups of channels,
/// and all axes after the channel axis.
///
/// Throws: as `instance_norm`, and if the number of groups does not divide the number of channels.
constexpr void group_norm(const tensor& data, const tensor& gamma, const tensor& beta, std::int64_t count,
                          const norm_options& options, tensor& out) {
    if (count < 1) detail::fail("group_norm", {count, " groups"}, "one or more");
    detail::normalize_channels("group_norm", data, gamma, beta, count, options, out);
}

/// Computes `x / sqrt(max(sum, epsilon))`, where sum is the sum of x^2 along `axes`. Empty `axes` stand for all axes.
/// Axes may count from the end. A sum of NaN counts as epsilon, as in the reference.
///
/// Throws: tutti::error if there is no such axis, or if the element type is not of floating point.
/// Cost:   two passes over the data; sums in double.
constexpr void l2_normalize(const tensor& data, std::span<const std::int64_t> axes, double epsilon, tensor& out) {
    detail::check_rank("l2_normalize", data);
    detail::check_floating("l2_normalize", data);
    axis_set reduced{};
    if (axes.empty()) reduced.fill(true);
    for (const std::int64_t axis : axes) reduced[detail::checked_axis("l2_normalize", axis, data.rank())] = true;
    detail::make_result("l2_normalize", data.type(), data.shape(), out);
    if (out.size() == 0) return; // an empty tensor may still have many sets
    if (data.type() == dtype::float64)
        detail::l2_normalize<double>(data, reduced, epsilon, out);
    else
        detail::l2_normalize<float>(data, reduced, epsilon, out);
}

} // namespace tutti::kernel
