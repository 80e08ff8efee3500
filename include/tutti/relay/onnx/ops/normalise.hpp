#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline expr import_batch_normalization(node_context& c) {
    const expr x = c.input(0);
    const double epsilon = c.real("epsilon", 1e-5);
    if (!c.flag("training_mode") || c.opset() < 14) {
        if (c.opset() < 7 && !c.flag("is_test"))
            c.refuse("normalises with the statistics of the batch", "is_test = 1, for inference");
        return nn::batch_norm(x, c.input(1), c.input(2), c.input(3), c.input(4), {.epsilon = epsilon})[0];
    }
    // Normalises with the statistics of the batch, and moves the running statistics towards them.
    const dtype type = c.element(x);
    const reduce_attributes all_but_channels{.axis = dims{1}, .exclude = true};
    const expr mean = relay::mean(x, all_but_channels);
    const reduce_attributes kept{.axis = dims{1}, .keepdims = true, .exclude = true};
    const expr apart = relay::subtract(x, relay::mean(x, kept));
    const expr variance = relay::mean(relay::multiply(apart, apart), all_but_channels);
    const double momentum = c.real("momentum", 0.9);
    const auto moved = [&](expr running, expr now) {
        return relay::add(
            relay::multiply(running, c.number(momentum, c.element(running))),
            relay::multiply(c.cast_to(now, c.element(running)), c.number(1 - momentum, c.element(running))));
    };
    c.output(1, moved(c.input(3), mean));
    c.output(2, moved(c.input(4), variance));
    return nn::batch_norm(x, c.input(1), c.input(2), c.cast_to(mean, type), c.cast_to(variance, type),
                          {.epsilon = epsilon})[0];
}

inline expr import_instance_normalization(node_context& c) {
    return nn::instance_norm(c.input(0), c.input(1), c.input(2), {.epsilon = c.real("epsilon", 1e-5)});
}

// Returns the node's `axis` and all later axes.
inline dims axes_from(node_context& c, std::size_t rank) {
    dims axes;
    for (std::int64_t i = c.axis_of(c.integer("axis", -1), rank); i < static_cast<std::int64_t>(rank); ++i)
        axes.push_back(i);
    return axes;
}

// Returns the type of the statistics: float32 for half-precision elements, otherwise the elements' type.
inline dtype type_of_statistics(dtype type) { return kernel::bytes(type) == 2 ? dtype::float32 : type; }

// A tensor that is normalised along axes, and the statistics, which are at least float32.
struct normalized {
    expr y, mean, inverse;
};

// Normalises with basic operators: nn.layer_norm neither normalises several axes together nor returns the statistics.
inline normalized layer_normalized(node_context& c, expr x, const dims& axes, double epsilon) {
    const dtype type = c.element(x), wide = type_of_statistics(type);
    const expr data = c.cast_to(x, wide);
    const expr mean = relay::mean(data, {.axis = axes, .keepdims = true});
    const expr apart = relay::subtract(data, mean);
    const expr variance = relay::mean(relay::multiply(apart, apart), {.axis = axes, .keepdims = true});
    const expr inverse = relay::rsqrt(relay::add(variance, c.number(epsilon, wide)));
    return {c.cast_to(relay::multiply(apart, inverse), type), mean, inverse};
}

// Normalises along the axes, then multiplies by input `scale` and adds input `shift`, if present. Outputs 1 and 2 are
// the statistics.
inline expr scaled_layer_normalized(node_context& c, expr x, const dims& axes, double epsilon, std::size_t scale,
                                    std::size_t shift) {
    const normalized n = layer_normalized(c, x, axes, epsilon);
    if (c.wants(1)) c.output(1, n.mean);
    if (c.wants(2)) c.output(2, n.inverse);
    const expr y = relay::multiply(n.y, c.input(scale));
    return c.has(shift) ? relay::add(y, c.input(shift)) : y;
}

inline expr import_layer_normalization(node_context& c) {
    const expr x = c.input(0);
    return scaled_layer_normalized(c, x, axes_from(c, c.rank(x)), c.real("epsilon", 1e-5), 1, 2);
}

// Divides by the root mean square and multiplies by a scale. The result has the element type of the scale. Output
// `factor` is the reciprocal of the root mean square.
inline expr root_mean_square_normalized(node_context& c, expr x, const dims& axes, double epsilon, expr scale,
                                        std::size_t factor) {
    const dtype wide = type_of_statistics(c.element(x));
    const expr data = c.cast_to(x, wide);
    const expr square = relay::mean(relay::multiply(data, data), {.axis = axes, .keepdims = true});
    const expr inverse = relay::rsqrt(relay::add(square, c.number(epsilon, wide)));
    if (c.wants(factor)) c.output(factor, inverse);
    return relay::multiply(c.cast_to(relay::multiply(data, inverse), c.element(scale)), scale);
}
inline expr import_rms_normalization(node_context& c) {
    const expr x = c.input(0);
    return root_mean_square_normalized(c, x, axes_from(c, c.rank(x)), c.real("epsilon", 1e-5), c.input(1), 1);
}

// Before version 21, scale and bias have one element per group; since then, one per channel.
inline expr import_group_normalization(node_context& c) {
    const expr x = c.input(0);
    const dims shape = c.shape(x);
    const std::int64_t groups = c.integer("num_groups"), channels = c.size(x, 1);
    if (groups < 1 || channels % groups != 0)
        c.refuse(std::to_string(groups) + " groups of " + std::to_string(channels) + " channels",
                 "a number of groups that divides the channels");
    const dtype type = c.element(x), wide = type_of_statistics(type);
    const expr rows = relay::reshape(c.cast_to(x, wide), {.newshape = dims{0, groups, -1}});
    const reduce_attributes along{.axis = dims{2}, .keepdims = true};
    const expr apart = relay::subtract(rows, relay::mean(rows, along));
    const expr variance = relay::mean(relay::multiply(apart, apart), along);
    const expr inverse = relay::rsqrt(relay::add(variance, c.number(c.real("epsilon", 1e-5), wide)));
    expr y = c.cast_to(relay::multiply(apart, inverse), type);
    dims per_channel{1, channels};
    while (per_channel.size() < shape.size()) per_channel.push_back(1);
    const bool by_group = c.opset() < 21;
    if (!by_group) y = relay::reshape_like(y, x);
    const dims per = by_group ? dims{1, groups, 1} : per_channel;
    y = relay::add(relay::multiply(y, relay::reshape(c.input(1), {.newshape = per})),
                   relay::reshape(c.input(2), {.newshape = per}));
    return by_group ? relay::reshape_like(y, x) : y;
}

inline expr import_lrn(node_context& c) {
    const std::int64_t size = c.integer("size");
    if (size < 1) c.refuse("a window of " + std::to_string(size) + " channels", "1 or more");
    return nn::lrn(c.input(0), {.size = size,
                                .axis = 1,
                                .bias = c.real("bias", 1),
                                .alpha = c.real("alpha", 1e-4),
                                .beta = c.real("beta", 0.75)});
}

inline expr import_lp_normalization(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t p = c.integer("p", 2);
    const reduce_attributes along{.axis = dims{c.axis_of(c.integer("axis", -1), c.rank(x))}, .keepdims = true};
    if (p != 1 && p != 2) c.refuse("a norm of order " + std::to_string(p), "1 or 2");
    const expr norm = p == 1 ? relay::sum(relay::abs(x), along) : relay::sqrt(relay::sum(relay::multiply(x, x), along));
    if (c.opset() < 22) return relay::divide(x, norm);
    const expr zero = number_like(c, x, 0); // used to avoid a division by a norm of zero
    return relay::divide(x, relay::where(relay::equal(norm, zero), number_like(c, x, 1), norm));
}

inline expr import_mean_variance_normalization(node_context& c) {
    const expr x = c.input(0);
    const reduce_attributes along{.axis = c.integers("axes", dims{0, 2, 3}), .keepdims = true};
    const expr apart = relay::subtract(x, relay::mean(x, along));
    const expr deviation = relay::sqrt(relay::mean(relay::multiply(apart, apart), along));
    return relay::divide(apart, relay::add(deviation, number_like(c, x, 1e-9)));
}

// Applies an operator along the node's axis. Before version 13, it applies to `axis` and all later axes together.
template <class Make>
expr along_axis(node_context& c, const Make& make) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    if (c.opset() >= 13) return make(x, c.axis_of(c.integer("axis", -1), rank));
    const std::int64_t axis = c.axis_of(c.integer("axis", 1), rank);
    if (axis == static_cast<std::int64_t>(rank) - 1) return make(x, axis);
    dims flat;
    for (std::int64_t i = 0; i < axis; ++i) flat.push_back(0);
    flat.push_back(-1);
    const expr rows = relay::reshape(x, {.newshape = flat});
    return relay::reshape_like(make(rows, axis), x);
}
inline expr import_softmax(node_context& c) {
    return along_axis(c, [](expr x, std::int64_t axis) { return nn::softmax(x, {.axis = axis}); });
}
inline expr import_log_softmax(node_context& c) {
    return along_axis(c, [](expr x, std::int64_t axis) { return nn::log_softmax(x, {.axis = axis}); });
}
// Imports Hardmax, whose result is 1 at the first maximum, otherwise 0.
inline expr import_hardmax(node_context& c) {
    return along_axis(c, [&](expr x, std::int64_t axis) {
        const dtype type = c.element(x);
        const std::int64_t size = c.size(x, static_cast<std::size_t>(axis));
        const expr place = c.cast_to(relay::argmax(x, {.axis = dims{axis}}), dtype::int64);
        return relay::one_hot(place, c.number(1, type), c.number(0, type),
                              {.depth = size, .axis = axis, .dtype = type});
    });
}

} // namespace detail

/// Normalisations.
inline constexpr import_rule normalise_rules[]{
    {"BatchNormalization", detail::import_batch_normalization},
    {"GroupNormalization", detail::import_group_normalization},
    {"Hardmax", detail::import_hardmax},
    {"InstanceNormalization", detail::import_instance_normalization},
    {"LayerNormalization", detail::import_layer_normalization},
    {"LogSoftmax", detail::import_log_softmax},
    {"LpNormalization", detail::import_lp_normalization},
    {"LRN", detail::import_lrn},
    {"MeanVarianceNormalization", detail::import_mean_variance_normalization},
    {"RMSNormalization", detail::import_rms_normalization},
    {"Softmax", detail::import_softmax},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
