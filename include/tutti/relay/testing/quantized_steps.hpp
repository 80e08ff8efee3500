#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps on quantised tensors with mostly nonzero zero points.

inline constexpr dtype quantized_types[]{dtype::int8, dtype::uint8, dtype::int32};

struct quantization : relay::qnn::scale {
    double zero = 0; // the zero point if it and the scale are scalars; otherwise 0
};

inline quantization any_scale(program_maker& m, dtype of, std::int64_t channels = 0) {
    static constexpr double scales[]{0.5, 0.25, 1, 0.1, 2, 0.03, 1.7};
    static constexpr double zeros[]{3, -4, 0, 10, -128, 127, 1};
    const auto zero = [&] {
        const double z = m.choose.of(zeros);
        return of == dtype::uint8 && z < 0 ? -z : z;
    };
    if (channels != 0 && m.choose.one_in(3)) {
        kernel::tensor scale(dtype::float32, {channels});
        for (float& s : scale.mutable_elements<float>()) s = static_cast<float>(m.choose.of(scales));
        kernel::tensor zeros_of(dtype::int32, {channels});
        for (std::int32_t& z : zeros_of.mutable_elements<std::int32_t>()) z = static_cast<std::int32_t>(zero());
        relay::builder& b = m.build();
        return {{b.constant(scale), m.choose.flip() ? b.constant(zeros_of) : m.scalar(dtype::int32, zero()).e}};
    }
    const double one = zero();
    return {{m.scalar(dtype::float32, m.choose.of(scales)).e, m.scalar(dtype::int32, one).e}, one};
}

/// Returns a quantised tensor of this rank and element type.
inline value quantized(program_maker& m, std::size_t rank, dtype type) {
    if (auto v = m.find([&](const value& x) { return x.type == type && x.rank() == rank && x.size() <= 512; }))
        return *v;
    shape s{m.choose.between(1, 2)};
    while (s.size() < rank) s.push_back(m.choose.between(2, 5));
    return m.operand(type, s, elements::any);
}

inline void quantize_step(program_maker& m) {
    const value x = m.cast(m.floating(), dtype::float32);
    const dtype type = m.choose.of(quantized_types);
    const std::size_t axis = x.rank() == 0 ? 0 : m.choose.index(x.rank());
    const auto q = any_scale(m, type, x.rank() == 0 ? 0 : x.shape[axis]);
    const auto at = x.rank() == 0 ? -1 : m.negated(axis, x.rank());
    const value y = m.of(relay::qnn::quantize(x.e, q, {.out_dtype = type, .axis = at}));
    m.give(y);
    if (m.choose.flip()) m.give(m.of(relay::qnn::dequantize(y.e, q, {.axis = at})));
}

inline void dequantize_step(program_maker& m) {
    const value x = m.of_type(m.choose.of(quantized_types));
    value y = m.of(relay::qnn::dequantize(x.e, any_scale(m, x.type)));
    if (m.choose.flip()) y = m.of(unary_call(m, y));
    if (m.choose.one_in(3) && y.rank() != 0 && y.type != dtype::boolean)
        y = m.of(relay::argmax(y.e, {.axis = dims{m.axis(y.rank())}}));
    m.give(y);
}

inline value requantized(program_maker& m, const value& x) {
    static constexpr std::string_view roundings[]{"UPWARD", "TONEAREST"};
    static constexpr std::string_view types[]{"int64", "float32", "float64"};
    const dtype type = m.choose.of(quantized_types);
    const std::size_t axis = x.rank() == 0 ? 0 : m.choose.index(x.rank());
    relay::requantize_attributes a;
    a.axis = x.rank() == 0 ? -1 : m.negated(axis, x.rank());
    a.out_dtype = type;
    if (m.choose.flip()) a.rounding = m.choose.of(roundings);
    if (m.choose.flip()) a.compute_dtype = m.choose.of(types);
    const auto from = any_scale(m, x.type, x.rank() == 0 ? 0 : x.shape[axis]);
    return m.of(relay::qnn::requantize(x.e, from, any_scale(m, type), a));
}

inline void requantize_step(program_maker& m) { m.give(requantized(m, m.of_type(m.choose.of(quantized_types)))); }

inline void quantized_binary_step(program_maker& m) {
    const value x = m.of_type(m.choose.flip() ? dtype::int8 : dtype::uint8);
    const value y = partner(m, x);
    const auto l = any_scale(m, x.type), r = any_scale(m, x.type), out = any_scale(m, x.type);
    switch (m.choose.below(3)) {
    case 0:
        return m.give(m.of(relay::qnn::add(x.e, y.e, l, r, out)));
    case 1:
        return m.give(m.of(relay::qnn::subtract(x.e, y.e, l, r, out)));
    default:
        return m.give(m.of(relay::qnn::mul(x.e, y.e, l, r, out)));
    }
}

inline void quantized_function_step(program_maker& m) {
    const value x = m.of_type(m.choose.flip() ? dtype::int8 : dtype::uint8);
    const auto in = any_scale(m, x.type), out = any_scale(m, x.type);
    switch (m.choose.below(4)) {
    case 0:
        return m.give(m.of(relay::qnn::abs(x.e, in, out)));
    case 1:
        return m.give(m.of(relay::qnn::tanh(x.e, in, out)));
    case 2:
        return m.give(m.of(relay::qnn::sigmoid(x.e, in, out)));
    default:
        return m.give(m.of(relay::qnn::leaky_relu(x.e, in, out, {.alpha = 0.25})));
    }
}

inline void quantized_dense_step(program_maker& m) {
    const value x = quantized(m, 2, m.choose.flip() ? dtype::int8 : dtype::uint8);
    const std::int64_t units = m.choose.between(1, 5);
    const value w = m.operand(dtype::int8, {units, x.shape[1]}, elements::any);
    const auto wq = any_scale(m, dtype::int8, units);
    value y = m.of(relay::qnn::dense(x.e, w.e, any_scale(m, x.type), wq,
                                     {.units = std::optional(relay::dim(units)), .out_dtype = dtype::int32}));
    if (m.choose.flip()) y = m.of(relay::nn::bias_add(y.e, m.operand(dtype::int32, {units}).e, {.axis = -1}));
    m.give(m.choose.flip() ? requantized(m, y) : y);
}

inline value quantized_conv_of(program_maker& m, const value& x, const relay::qnn::scale& q, const window& w) {
    relay::conv2d_attributes a;
    a.strides = w.strides;
    a.padding = w.padding;
    a.dilation = w.dilation;
    std::int64_t out = m.choose.between(1, 4);
    shape weight{out, x.shape[1]};
    if (m.choose.one_in(4)) {
        a.groups = x.shape[1];
        out = x.shape[1];
        weight = {out, 1};
    }
    for (const relay::dim d : w.size) weight.push_back(d.value());
    a.channels = relay::dim(out);
    a.kernel_size = w.size;
    a.out_dtype = dtype::int32;
    const value k = m.operand(dtype::int8, weight, elements::any);
    return m.of(relay::qnn::conv2d(x.e, k.e, q, any_scale(m, dtype::int8, out), a));
}

inline void quantized_conv_step(program_maker& m) {
    value x = quantized(m, 4, m.choose.flip() ? dtype::int8 : dtype::uint8);
    const auto q = any_scale(m, x.type);
    if (m.choose.flip()) { // padded with the zero point, or with another value
        const expr with = m.scalar(x.type, m.choose.flip() ? q.zero : 0).e;
        x = m.of(relay::nn::pad(x.e, with, {.pad_width = vector<dims>{{0, 0}, {0, 0}, {1, 1}, {1, 0}}}));
    }
    const value y = quantized_conv_of(m, x, q, any_window(m, {x.shape[2], x.shape[3]}));
    m.give(m.choose.flip() ? requantized(m, y) : y);
}

inline void quantized_conv_transpose_step(program_maker& m) {
    const value x = quantized(m, 4, m.choose.flip() ? dtype::int8 : dtype::uint8);
    shape weight;
    auto a = transposed_attributes(m, x.shape[1], weight);
    a.groups = 1;
    a.channels = relay::dim(weight[a.kernel_layout == "OIHW" ? 0 : 1]);
    a.out_dtype = dtype::int32;
    const value k = m.operand(dtype::int8, weight, elements::any);
    m.give(m.of(relay::qnn::conv2d_transpose(x.e, k.e, any_scale(m, x.type), any_scale(m, dtype::int8), a)));
}

inline void quantized_concatenate_step(program_maker& m) {
    const value x = m.of_type(m.choose.flip() ? dtype::int8 : dtype::uint8);
    if (x.rank() == 0) return m.give(x);
    const value y = m.fitting(x.type, x.shape);
    const auto l = any_scale(m, x.type), r = any_scale(m, x.type);
    relay::builder& b = m.build();
    m.give(m.of(relay::qnn::concatenate(b.tuple({x.e, y.e}),
                                        {b.tuple({l.scale, r.scale}), b.tuple({l.zero_point, r.zero_point})},
                                        any_scale(m, x.type), {.axis = m.axis(x.rank())})));
}

inline constexpr step quantized_steps[]{
    quantize_step,
    dequantize_step,
    requantize_step,
    quantized_binary_step,
    quantized_function_step,
    quantized_dense_step,
    quantized_conv_step,
    quantized_conv_transpose_step,
    quantized_concatenate_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
