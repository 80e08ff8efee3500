#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/testing/dynamic_steps.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/testing/quantized_steps.hpp>
#include <tutti/relay/testing/shape_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps that build the expressions that rules of passes match.

/// Returns a vector along one axis of `x`, in a shape that broadcasts to the shape of `x`.
inline value along(program_maker& m, const value& x, std::size_t axis, std::optional<elements> kind = {}) {
    shape s{x.shape[axis]};
    s.resize(x.rank() - axis, 1);
    if (m.choose.flip()) s.insert(s.begin(), axis, 1);
    return m.operand(x.type, s, kind);
}

/// Applies scales, biases and similar operators along the channels to a value before or after a convolution or product.
inline value decorated(program_maker& m, value x, std::size_t axis) {
    for (std::int64_t n = m.choose.between(1, 3); n != 0; --n) {
        switch (m.choose.below(7)) {
        case 0:
        case 1:
            x = m.of(relay::multiply(x.e, along(m, x, axis, m.choose.flip() ? elements::positive : elements::small).e));
            break;
        case 2:
            x = m.of(relay::add(x.e, along(m, x, axis).e));
            break;
        case 3:
            x = m.of(relay::nn::relu(x.e));
            break;
        case 4:
            x = m.of(
                relay::nn::bias_add(x.e, m.operand(x.type, {x.shape[axis]}).e, {.axis = m.negated(axis, x.rank())}));
            break;
        case 5:
            x = m.of(relay::multiply(x.e, m.constant(x.type, {}).e));
            break;
        default:
            if (kernel::is_floating(x.type)) x = batch_norm_of(m, x, axis);
        }
    }
    return x;
}

inline void scaled_conv_step(program_maker& m) {
    const std::string_view layout = m.choose.one_in(3) ? "NHWC" : "NCHW";
    const std::size_t channel = layout.find('C');
    value x = ranked(m, 4);
    if (m.choose.flip()) x = decorated(m, x, channel);
    value y = conv2d_of(m, x, layout);
    if (!m.choose.one_in(4)) y = decorated(m, y, channel);
    if (m.choose.one_in(3)) y = decorated(m, conv2d_of(m, y, layout), channel);
    m.give(y);
}

inline void scaled_dense_step(program_maker& m) {
    value x = flat(m, ranked(m, 2));
    if (m.choose.flip()) x = decorated(m, x, 1);
    m.give(decorated(m, dense_of(m, x, m.choose.between(1, 5), m.choose.flip()), 1));
}

/// Adds several products with a common operand. Their widths and the operators that follow them may be equal or differ.
template <class Product>
void parallel(program_maker& m, Product product, std::size_t axis) {
    vector<value> parts;
    const bool alike = m.choose.flip();
    const std::uint32_t way = m.choose.below(4);
    for (std::int64_t n = m.choose.between(2, 4); n != 0; --n) {
        value y = product();
        const std::uint32_t own = alike ? way : m.choose.below(4);
        if (own >= 1) y = m.of(relay::add(y.e, along(m, y, axis).e));
        if (own >= 2) y = m.of(relay::nn::relu(y.e));
        if (own == 3) y = m.of(relay::multiply(y.e, m.constant(y.type, {}).e));
        parts.push_back(y);
    }
    for (const value& p : parts) m.give(p);
    bool fit = true;
    for (const value& p : parts) fit = fit && p.type == parts[0].type && p.rank() == parts[0].rank();
    for (std::size_t i = 0; fit && i < parts[0].rank(); ++i)
        for (const value& p : parts) fit = fit && (i == axis || p.shape[i] == parts[0].shape[i]);
    if (fit) m.give(m.of(relay::concatenate(m.tuple(parts), {.axis = static_cast<std::int64_t>(axis)})));
}

inline void parallel_dense_step(program_maker& m) {
    const value x = flat(m, ranked(m, 2));
    const bool equal = m.choose.flip();
    const bool said = m.choose.flip();
    const std::int64_t units = m.choose.between(1, 4);
    parallel(m, [&] { return dense_of(m, x, equal ? units : m.choose.between(1, 4), said); }, 1);
}

inline void parallel_conv_step(program_maker& m) {
    const value x = ranked(m, 4);
    const window w = any_window(m, {x.shape[2], x.shape[3]});
    parallel(
        m,
        [&] {
            const std::int64_t out = m.choose.between(1, 4);
            shape weight{out, x.shape[1]};
            for (const relay::dim d : w.size) weight.push_back(d.value());
            relay::conv2d_attributes a;
            a.strides = w.strides;
            a.padding = w.padding;
            a.dilation = w.dilation;
            if (m.choose.flip()) {
                a.channels = relay::dim(out);
                a.kernel_size = w.size;
            }
            return m.of(relay::nn::conv2d(x.e, m.operand(x.type, weight).e, a));
        },
        1);
}

inline void parallel_matmul_step(program_maker& m) {
    const value x = ranked(m, 3);
    parallel(
        m,
        [&] {
            const value y = m.operand(x.type, {x.shape[0], m.choose.between(1, 3), x.shape[2]});
            return m.of(relay::nn::batch_matmul(x.e, y.e));
        },
        2);
}

/// Adds an explicit padding before a convolution or pooling.
inline void padded_step(program_maker& m) {
    const std::string_view layout = m.choose.one_in(3) ? "NHWC" : "NCHW";
    const value x = ranked(m, 4, 256);
    vector<dims> width;
    for (const char axis : layout)
        width.push_back(axis == 'H' || axis == 'W' || m.choose.one_in(8)
                            ? dims{m.choose.between(0, 2), m.choose.between(0, 1)}
                            : dims{0, 0});
    double with = m.choose.flip() ? 0 : lowest(x.type);
    if (m.choose.one_in(4)) with = kernel::is_floating(x.type) ? -std::numeric_limits<double>::infinity() : 1;
    const value filler = m.scalar(x.type, with);
    const value padded = m.of(relay::nn::pad(x.e, filler.e, {.pad_width = width}));
    m.give(m.choose.flip() ? conv2d_of(m, padded, layout) : pool2d_of(m, padded, layout));
}

/// Adds a dilated convolution that is expressed by moving blocks to the batch and back.
inline void atrous_step(program_maker& m) {
    const std::int64_t b = m.choose.between(1, 2);
    const bool is_quantized = m.choose.one_in(3);
    const value x = m.operand(is_quantized ? dtype::int8 : m.choose.of(product_types),
                              {m.choose.between(1, 2), m.choose.between(1, 3), 2 * b + 4, 2 * b + 2});
    const bool valid = m.choose.flip();
    const std::int64_t pad = valid ? 0 : b;
    relay::space_to_batch_nd_attributes to;
    const bool channels_last = m.choose.flip();
    const value data = channels_last ? m.of(relay::transpose(x.e, {.axes = {0, 2, 3, 1}})) : x;
    if (channels_last) {
        to.block_shape = {b, b};
        to.paddings = vector<dims>{{pad, pad}, {pad, pad}};
    } else {
        to.block_shape = {1, b, b};
        to.paddings = vector<dims>{{0, 0}, {pad, pad}, {pad, pad}};
    }
    const auto fits = [&](std::int64_t size) { return (size + 2 * pad) % b == 0; };
    if (!fits(x.shape[2]) || !fits(x.shape[3])) return;
    const value blocks = m.of(relay::nn::space_to_batch_nd(data.e, to));
    const std::int64_t out = m.choose.between(1, 2);
    relay::conv2d_attributes a;
    a.channels = relay::dim(out);
    a.kernel_size = dims{3, 3};
    a.padding = {0, 0};
    if (channels_last) {
        a.data_layout = "NHWC";
        a.kernel_layout = "HWIO";
    }
    const std::int64_t in = x.shape[1];
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}})
        if ((x.shape[i] + 2 * pad) / b < 3) return;
    const value weight = m.operand(x.type, channels_last ? shape{3, 3, in, out} : shape{out, in, 3, 3});
    if (is_quantized) a.out_dtype = dtype::int32;
    const value made = m.of(
        is_quantized ? relay::qnn::conv2d(blocks.e, weight.e, any_scale(m, dtype::int8), any_scale(m, dtype::int8), a)
                     : relay::nn::conv2d(blocks.e, weight.e, a));
    relay::batch_to_space_nd_attributes back;
    back.block_shape = to.block_shape;
    back.crops = channels_last ? vector<dims>{{0, 0}, {0, 0}} : vector<dims>{{0, 0}, {0, 0}, {0, 0}};
    m.give(m.of(relay::nn::batch_to_space_nd(made.e, back)));
}

/// Adds a repeated computation, for common subexpression elimination, or two computations that differ only in an
/// attribute.
inline void twice_step(program_maker& m) {
    const value x = m.number();
    const std::uint32_t way = m.choose.below(4);
    const auto work = [&](const value& y) {
        const double low = -static_cast<double>(m.choose.below(2));
        switch (way) {
        case 0:
            return relay::clip(y.e, {.a_min = low, .a_max = 2});
        case 1:
            return relay::nn::leaky_relu(y.e, {.alpha = -low});
        case 2:
            return relay::cast(y.e, {.dtype = m.choose.flip() ? dtype::int8 : y.type});
        default:
            return relay::nn::relu(y.e);
        }
    };
    const value c = m.constant(x.type, {});
    const value a = m.of(work(m.of(relay::add(x.e, c.e))));
    const value b = m.of(work(m.of(relay::add(x.e, c.e))));
    m.give(m.of(arithmetic(m, a, m.cast(b, a.type))));
}

/// Adds arithmetic, a comparison or a selection with equal operands, or arithmetic with zeros or ones.
inline void alike_step(program_maker& m) {
    const value x = m.number();
    switch (m.choose.below(4)) {
    case 0:
        return m.give(m.of(arithmetic(m, x, x)));
    case 1:
        return m.give(m.of(question(m, x, x)));
    case 2:
        return m.give(m.of(relay::where(m.fitting(dtype::boolean, x.shape).e, x.e, x.e)));
    default:
        // Fills a tensor like `x` itself, or like another tensor of the same type and shape.
        const value like = m.choose.flip() ? x : m.fitting(x.type, x.shape);
        const value filled = m.of(m.choose.flip() ? relay::zeros_like(like.e) : relay::ones_like(like.e));
        return m.give(m.of(arithmetic(m, x, filled)));
    }
}

inline void fake_quantized_step(program_maker& m) {
    const value x = m.cast(m.floating(), dtype::float32);
    const auto q = any_scale(m, dtype::int8);
    const value y = m.of(relay::qnn::quantize(x.e, q, {.out_dtype = dtype::int8}));
    value z = m.of(relay::qnn::dequantize(y.e, q));
    if (m.choose.flip()) z = m.of(unary_call(m, z));
    m.give(z);
}

inline void dropout_step(program_maker& m) {
    const value x = m.floating();
    m.give(m.of(relay::nn::dropout(x.e, {.rate = 0.5})[0]));
}

inline constexpr step pattern_steps[]{
    scaled_conv_step,     scaled_conv_step,    scaled_dense_step, parallel_dense_step, parallel_conv_step,
    parallel_matmul_step, padded_step,         padded_step,       atrous_step,         twice_step,
    alike_step,           fake_quantized_step, dropout_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
