#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/convolution.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/slice.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// The window of a pool. The node may round the number of windows up. Known axes then get more padding at the end
/// (`more`); for unknown sizes, the operator rounds up (`ceil_mode`).
struct pool_window_attributes : window_attributes {
    bool ceil_mode = false;
    bool passes = false; ///< true if rounding up may add a last window that begins past the data
    dims more{};         ///< padding that rounding up adds after each axis; empty if the node does not round up
};

// Rounds up the number of windows, but counts only windows that begin before the padding at the end. A window that
// contains only padding is invalid.
inline void round_up(pool_window_attributes& w, const dims& shape) {
    const std::size_t rank = w.rank();
    w.ceil_mode = false;
    w.more = dims(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) {
        if (shape[i + 2].is_any()) {
            w.ceil_mode = true;
            w.passes = w.passes || (w.kernel[i].value() - 1) * w.dilations[i].value() + 1 <
                                       w.strides[i].value() + w.pads[i + rank].value();
            continue;
        }
        const std::int64_t stride = w.strides[i].value(), begin = w.pads[i].value(), end = w.pads[i + rank].value();
        const std::int64_t size = shape[i + 2].value() + begin;
        const std::int64_t reach = (w.kernel[i].value() - 1) * w.dilations[i].value() + 1;
        if (size + end < reach) continue; // the operator rejects this window
        std::int64_t last = (size + end - reach + stride - 1) / stride * stride;
        if (last >= size) {
            last -= stride;
            w.passes = true;
        }
        const std::int64_t needed = std::max<std::int64_t>(last + reach - size, 0);
        w.more[i] = std::max<std::int64_t>(needed - end, 0);
        w.pads[i + rank] = needed;
    }
}

inline pool_window_attributes pool_window(node_context& c, expr x) {
    const dims kernel = c.integers("kernel_shape", {});
    if (kernel.empty() || kernel.size() > 3 || c.rank(x) != kernel.size() + 2)
        c.refuse("a window of " + std::to_string(kernel.size()) + " axes over a tensor of rank " +
                     std::to_string(c.rank(x)),
                 "one of the spatial axes, 1 to 3");
    pool_window_attributes w{read_window(c, kernel)};
    resolve_same(c, w, x);
    w.ceil_mode = c.flag("ceil_mode");
    if (w.ceil_mode) round_up(w, c.shape(x));
    return w;
}

inline pool_window_attributes pool_window(node_context& c) { return pool_window(c, c.input(0)); }

template <class Attributes>
Attributes pool_attributes_of(const pool_window_attributes& w) {
    Attributes a;
    a.pool_size = w.kernel;
    a.strides = w.strides;
    a.dilation = w.dilations;
    a.padding = w.pads;
    a.ceil_mode = w.ceil_mode;
    return a;
}

// Removes the last window from a pool's result if the window begins past the data.
inline expr within(node_context& c, expr x, const pool_window_attributes& w, expr result) {
    if (!w.ceil_mode || !w.passes) return result;
    dims more{0, 0}, strides{1, 1};
    for (std::size_t i = 0; i < w.rank(); ++i) {
        more.push_back(w.pads[i].value() + w.strides[i].value() - 1);
        strides.push_back(w.strides[i]);
    }
    const expr end = relay::floor_divide(relay::add(shape_list(c, x), c.list(more)), c.list(strides));
    return relay::dyn::strided_slice(result, c.list(dims(strides.size(), 0)), end, c.list(dims(strides.size(), 1)));
}

// Returns the positions in `x` of the windows' maxima. Compares each element of a window with the greatest element so
// far.
inline expr places_of_greatest(node_context& c, expr x, const window_attributes& w, expr result) {
    const dims shape = c.shape(x), out = c.shape(result);
    const std::size_t rank = w.rank();
    const dtype type = c.element(x);
    const std::int64_t batch = c.extent(x, 0), channels = c.extent(x, 1);
    std::int64_t window = 1, plane = 1;
    for (std::size_t i = 0; i < rank; ++i) {
        window *= w.kernel[i].value();
        plane = kernel::times(plane, c.extent(x, i + 2));
        if (window > 4096) c.refuse("indices of maxima in a window of that size", "4,096 elements at most");
    }
    const bool by_columns = c.flag("storage_order");
    vector<dims> widths{dims{0, 0}, dims{0, 0}};
    for (std::size_t i = 0; i < rank; ++i) { // pads for a last window that ends past the axis
        const std::int64_t last =
            (out[i + 2].value() - 1) * w.strides[i].value() + (w.kernel[i].value() - 1) * w.dilations[i].value() + 1;
        const std::int64_t behind = last - w.pads[i].value() - shape[i + 2].value();
        widths.push_back(dims{w.pads[i], behind < 0 ? 0 : behind});
    }
    const double least = kernel::is_floating(type) ? -std::numeric_limits<double>::infinity()
                                                   : static_cast<double>(kernel::values_of(type).least);
    const expr padded = nn::pad(x, c.number(least, type), {.pad_width = widths});
    vector<std::int64_t> base_shape{batch, channels};
    base_shape.resize(rank + 2, 1);
    if (batch * channels > (std::int64_t{1} << 24) || plane > (std::int64_t{1} << 24))
        c.refuse("indices of maxima in that many channels", "fewer");
    tensor base(dtype::int64, std::move(base_shape));
    for (std::int64_t i = 0; i < batch * channels; ++i) base.mutable_data<std::int64_t>()[i] = i * plane;
    std::optional<expr> best, place;
    plain_vector<std::int64_t> at(rank, 0);
    for (std::int64_t k = 0; k < window; ++k) {
        dims begin, end;
        vector<std::int64_t> here_shape;
        std::int64_t rest = k;
        for (std::size_t i = rank; i-- > 0;) {
            at[i] = rest % w.kernel[i].value();
            rest /= w.kernel[i].value();
        }
        std::int64_t places = 1;
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t first = at[i] * w.dilations[i].value();
            begin.push_back(first);
            end.push_back(first + (out[i + 2].value() - 1) * w.strides[i].value() + 1);
            here_shape.push_back(out[i + 2].value());
            places *= out[i + 2].value();
        }
        tensor here(dtype::int64, std::move(here_shape));
        for (std::int64_t p = 0; p < places; ++p) {
            std::int64_t left = p, number = 0, stride = 1;
            plain_vector<std::int64_t> position(rank, 0);
            for (std::size_t i = rank; i-- > 0;) {
                position[i] = left % out[i + 2].value() * w.strides[i].value() + at[i] * w.dilations[i].value() -
                              w.pads[i].value();
                left /= out[i + 2].value();
            }
            for (std::size_t i = 0; i < rank; ++i) {
                const std::size_t axis = by_columns ? i : rank - 1 - i;
                number += position[axis] * stride;
                stride *= shape[axis + 2].value();
            }
            here.mutable_data<std::int64_t>()[p] = number;
        }
        dims axes, steps;
        for (std::size_t i = 0; i < rank; ++i) {
            axes.push_back(static_cast<std::int64_t>(i) + 2);
            steps.push_back(w.strides[i]);
        }
        const expr part = relay::strided_slice(padded, {.begin = begin, .end = end, .strides = steps, .axes = axes});
        const expr number = c.constant(std::move(here));
        if (!best) {
            best = part;
            place = relay::broadcast_to(number, {.shape = out});
            continue;
        }
        const expr better = relay::greater(part, *best);
        best = relay::where(better, part, *best);
        place = relay::where(better, number, *place);
        c.graph().infer(); // throws as soon as the budget for expressions is exhausted
    }
    return relay::add(*place, c.constant(std::move(base)));
}

inline expr max_pool(node_context& c, expr x) {
    const pool_window_attributes w = pool_window(c, x);
    const expr result = w.rank() == 1   ? nn::max_pool1d(x, pool_attributes_of<max_pool1d_attributes>(w))
                        : w.rank() == 2 ? nn::max_pool2d(x, pool_attributes_of<max_pool2d_attributes>(w))
                                        : nn::max_pool3d(x, pool_attributes_of<max_pool3d_attributes>(w));
    if (c.wants(1)) c.output(1, places_of_greatest(c, x, w, result));
    return within(c, x, w, result);
}
inline expr import_max_pool(node_context& c) { return max_pool(c, c.input(0)); }

// Imports MaxUnpool, the inverse of MaxPool: writes each element to its position in a tensor of zeros.
inline expr import_max_unpool(node_context& c) {
    const expr x = c.input(0);
    const dims kernel = c.integers("kernel_shape", {});
    if (kernel.empty() || c.rank(x) != kernel.size() + 2)
        c.refuse("a window of " + std::to_string(kernel.size()) + " axes over a tensor of rank " +
                     std::to_string(c.rank(x)),
                 "one of the spatial axes");
    const window_attributes w{read_window(c, kernel)};
    const expr places = relay::reshape(c.input(1), {.newshape = dims{-1}});
    const expr values = relay::reshape(x, {.newshape = dims{-1}});
    const expr zero = c.number(0, c.element(x));
    std::optional<dims> shape;
    if (c.has(2)) {
        shape = c.known_integers(2);
        if (!shape || !is_static({shape->begin(), shape->size()})) {
            const expr sizes = c.cast_to(c.input(2), dtype::int64);
            const expr zeros = relay::dyn::full(zero, relay::prod(sizes, {.keepdims = true}), c.element(x));
            return relay::dyn::reshape(relay::scatter(zeros, places, values, {.axis = 0}), sizes, {.allowzero = true});
        }
        for (const dim d : *shape)
            if (d.value() < 0) c.refuse("a size of " + std::to_string(d.value()), "0 or more");
    } else {
        shape = dims{c.extent(x, 0), c.extent(x, 1)};
        for (std::size_t i = 0; i < w.rank(); ++i) {
            const std::int64_t size = (c.extent(x, i + 2) - 1) * w.strides[i].value() + w.kernel[i].value() -
                                      w.pads[i].value() - w.pads[i + w.rank()].value();
            if (size < 0) c.refuse("pads that leave a size of " + std::to_string(size), "smaller ones");
            shape->push_back(size);
        }
    }
    dim all = product({shape->begin(), shape->size()});
    const expr zeros = relay::full(zero, {.shape = dims{all}, .dtype = c.element(x)});
    return relay::reshape(relay::scatter(zeros, places, values, {.axis = 0}), {.newshape = *shape, .allowzero = true});
}

inline expr average(node_context& c, expr x, pool_window_attributes w, bool count_pad) {
    const std::size_t rank = w.rank();
    bool rounds = w.ceil_mode;
    for (const dim d : w.more) rounds = rounds || d.value() != 0;
    if (count_pad && rounds) { // the node's padding counts, but the padding added by rounding up does not
        vector<dims> widths{dims{0, 0}, dims{0, 0}};
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t behind = w.pads[i + rank].value() - w.more[i].value();
            widths.push_back(dims{w.pads[i], behind});
            w.pads[i] = 0;
            w.pads[i + rank] = w.more[i];
        }
        x = nn::pad(x, c.number(0, c.element(x)), {.pad_width = widths});
        count_pad = false;
    }
    const auto with = [&](auto a) {
        a.count_include_pad = count_pad;
        return a;
    };
    return rank == 1   ? nn::avg_pool1d(x, with(pool_attributes_of<avg_pool1d_attributes>(w)))
           : rank == 2 ? nn::avg_pool2d(x, with(pool_attributes_of<avg_pool2d_attributes>(w)))
                       : nn::avg_pool3d(x, with(pool_attributes_of<avg_pool3d_attributes>(w)));
}

inline expr import_average_pool(node_context& c) {
    const pool_window_attributes w = pool_window(c);
    return within(c, c.input(0), w, average(c, c.input(0), w, c.flag("count_include_pad")));
}

// Imports LpPool: the p-th root of the sum of the p-th powers. The sum is the mean times the number of elements.
inline expr import_lp_pool(node_context& c) {
    const expr x = c.input(0);
    pool_window_attributes w = pool_window(c);
    w.more = {}; // this padding is zeros, which add nothing to a sum, so it may count
    const std::int64_t p = c.integer("p", 2);
    if (p < 1) c.refuse("a norm of order " + std::to_string(p), "1 or more");
    double count = 1;
    for (const dim d : w.kernel) count *= static_cast<double>(d.value());
    const expr power = number_like(c, x, static_cast<double>(p));
    const expr mean = average(c, relay::power(relay::abs(x), power), w, true);
    const expr root = number_like(c, x, 1.0 / static_cast<double>(p));
    return relay::power(relay::multiply(mean, number_like(c, x, count)), root);
}

inline dims spatial_axes(node_context& c, expr x) {
    const std::int64_t rank = c.signed_rank(x);
    if (rank < 3) c.refuse("a tensor of rank " + std::to_string(rank), "one with spatial axes");
    dims axes;
    for (std::int64_t i = 2; i < rank; ++i) axes.push_back(i);
    return axes;
}

inline expr import_global_average_pool(node_context& c) {
    const expr x = c.input(0);
    const dims axes = spatial_axes(c, x);
    return axes.size() == 2 ? nn::global_avg_pool2d(x) : relay::mean(x, {.axis = axes, .keepdims = true});
}
inline expr import_global_max_pool(node_context& c) {
    const expr x = c.input(0);
    const dims axes = spatial_axes(c, x);
    return axes.size() == 2 ? nn::global_max_pool2d(x) : relay::max(x, {.axis = axes, .keepdims = true});
}
inline expr import_global_lp_pool(node_context& c) {
    const expr x = c.input(0);
    const auto p = static_cast<double>(c.integer("p", 2));
    const expr powers = relay::power(relay::abs(x), number_like(c, x, p));
    return relay::power(relay::sum(powers, {.axis = spatial_axes(c, x), .keepdims = true}), number_like(c, x, 1 / p));
}

} // namespace detail

/// Pooling operators.
inline constexpr import_rule pool_rules[]{
    {"AveragePool", detail::import_average_pool},
    {"GlobalAveragePool", detail::import_global_average_pool},
    {"GlobalLpPool", detail::import_global_lp_pool},
    {"GlobalMaxPool", detail::import_global_max_pool},
    {"LpPool", detail::import_lp_pool},
    {"MaxPool", detail::import_max_pool},
    {"MaxUnpool", detail::import_max_unpool},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
