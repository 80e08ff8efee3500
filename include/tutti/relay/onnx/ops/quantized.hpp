#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/convolution.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/ops/pool.hpp>
#include <tutti/relay/onnx/ops/product.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Returns the zero point in input `i` as int32; 0 if the input is omitted.
inline expr zero_point_of(node_context& c, std::size_t i) {
    if (!c.has(i)) return c.number(0, dtype::int32);
    const expr given = c.input(i);
    const std::optional<known_values> k = c.known(given);
    if (!k || !k->complete()) return c.cast_to(given, dtype::int32);
    known_values wide = *k;
    wide.type = dtype::int32;
    return c.constant(tensor_of(wide));
}
/// Returns the scale in input `scale` with the zero point in input `zero_point`.
inline qnn::scale scale_of(node_context& c, std::size_t scale, std::size_t zero_point) {
    return {c.input(scale), zero_point_of(c, zero_point)};
}
inline qnn::scale scale_of(node_context& c, std::size_t scale) { return scale_of(c, scale, scale + 1); }

/// Returns the axis along which the scales differ. For a single scale, returns -1, since any axis is valid.
inline std::int64_t axis_of_scale(node_context& c, expr data, expr scale) {
    const dims shape = c.shape(scale);
    const bool one = shape.empty() || (shape.size() == 1 && shape[0].same_number(1) && !shape[0].is_any());
    return one ? -1 : c.axis_of(c.integer("axis", 1), c.rank(data));
}

/// Returns the quantised element type: `output_dtype` if it is set, else the zero point's type, else uint8.
inline dtype quantized_type(node_context& c, std::size_t zero_point) {
    if (const std::int64_t type = c.integer("output_dtype", 0); type != 0) return c.type_of_number(type);
    return c.has(zero_point) ? c.element(c.input(zero_point)) : dtype::uint8;
}

// Repeats the scale or zero point of each block for all elements of the block.
inline expr for_elements(node_context& c, expr of_blocks, expr x, std::int64_t size) {
    const std::int64_t axis = c.axis_of(c.integer("axis", 1), c.rank(x));
    const std::int64_t length = c.extent(x, static_cast<std::size_t>(axis));
    if (size < 1 || size > 1 << 24) c.refuse("blocks of " + std::to_string(size) + " elements", "1 to 2^24");
    return relay::strided_slice(relay::repeat(of_blocks, {.repeats = size, .axis = axis}),
                                {.begin = dims{0}, .end = dims{length}, .strides = dims{1}, .axes = dims{axis}});
}

// Returns the scales or zero points in input `i` in a shape that broadcasts with `x`. There is one for all elements,
// one for each index of an axis, or one for each block.
inline expr broadcast_parameter(node_context& c, std::size_t i, expr x, std::int64_t block,
                                dtype type = dtype::float32) {
    const expr given = c.cast_to(c.input(i), type);
    if (block != 0) return for_elements(c, given, x, block);
    const std::int64_t axis = axis_of_scale(c, x, given);
    if (axis < 0) return relay::reshape(given, {.newshape = dims()});
    dims shape(c.rank(x), dim(1));
    shape[static_cast<std::size_t>(axis)] = dim(-1);
    return relay::reshape(given, {.newshape = shape});
}

// True if basic operators are necessary: qnn.quantize and qnn.dequantize support neither blocks nor narrow types.
inline bool is_composed(dtype type, std::int64_t block) { return block != 0 || kernel::is_narrow(type); }

inline expr import_quantize_linear(node_context& c) {
    const expr x = c.cast_to(c.input(0), dtype::float32); // the input may also be int32
    const dtype type = quantized_type(c, 2);
    const std::int64_t block = c.integer("block_size", 0);
    if (!is_composed(type, block))
        return qnn::quantize(x, scale_of(c, 1), {.out_dtype = type, .axis = axis_of_scale(c, x, c.input(1))});
    expr y = relay::divide(x, broadcast_parameter(c, 1, x, block));
    const bool rounds = !kernel::is_narrow_floating(type); // true if the result is integers
    if (rounds) y = round_half_even(c, y);
    if (c.has(2)) y = relay::add(y, broadcast_parameter(c, 2, x, block));
    if (!rounds) return cast_saturated(c, y, type, c.integer("saturate", 1) != 0);
    if (!kernel::is_integer(type) && !kernel::is_narrow(type))
        c.refuse("a result of " + std::string(kernel::name(type)), "integers, float8 or float4");
    const kernel::integer_range range = kernel::values_of(type);
    const expr within =
        relay::clip(y, {.a_min = static_cast<double>(range.least), .a_max = static_cast<double>(range.greatest)});
    return relay::cast(within, {.dtype = type});
}
inline expr import_dequantize_linear(node_context& c) {
    const std::int64_t given = c.integer("output_dtype", 0), block = c.integer("block_size", 0);
    const dtype type = given != 0 ? c.type_of_number(given) : c.element(c.input(1));
    const expr x = c.input(0);
    if (!is_composed(c.element(x), block))
        return c.cast_to(qnn::dequantize(x, scale_of(c, 1), {.axis = axis_of_scale(c, x, c.input(1))}), type);
    const dtype between = kernel::is_narrow_floating(c.element(x)) ? dtype::float32 : dtype::int32;
    expr apart = c.cast_to(x, between);
    if (c.has(2)) apart = relay::subtract(apart, broadcast_parameter(c, 2, x, block, between));
    return c.cast_to(relay::multiply(c.cast_to(apart, dtype::float32), broadcast_parameter(c, 1, x, block)), type);
}

/// A tensor quantised to uint8 by its own range. The least element, or 0 if it is positive, becomes 0. The greatest
/// element, or 0 if it is negative, becomes 255.
struct by_own_range {
    expr quantized, scale, zero_point; // the zero point is int32
};
inline by_own_range quantized_by_range(node_context& c, expr x) {
    const expr zero = c.number(0, dtype::float32);
    const expr most = c.number(255, dtype::float32);
    const expr low = relay::minimum(relay::min(x), zero);
    const expr range = relay::divide(relay::subtract(relay::maximum(relay::max(x), zero), low), most);
    const expr scale = relay::where(relay::equal(range, zero), c.number(1, dtype::float32), range);
    const expr place =
        relay::clip(round_half_even(c, relay::negative(relay::divide(low, scale))), {.a_min = 0.0, .a_max = 255.0});
    const expr zero_point = relay::cast(place, {.dtype = dtype::int32});
    return {qnn::quantize(x, {scale, zero_point}, {.out_dtype = dtype::uint8}), scale, zero_point};
}
inline expr import_dynamic_quantize_linear(node_context& c) {
    const by_own_range made = quantized_by_range(c, c.input(0));
    c.output(1, made.scale);
    c.output(2, relay::cast(made.zero_point, {.dtype = dtype::uint8}));
    return made.quantized;
}

/// Subtracts the zero point from `x` in int32. The zero point is a scalar, or a vector along `axis`.
inline expr without_zero_point(node_context& c, expr x, expr zero_point, std::size_t axis) {
    const expr wide = c.cast_to(x, dtype::int32);
    const std::optional<known_values> k = c.known(zero_point);
    if (k && k->complete() && k->size() == 1 && k->numbers[0].integer == 0) return wide;
    dims shape = c.shape(zero_point);
    if (shape.size() == 1 && c.rank(x) > 1) {
        while (axis + shape.size() < c.rank(x)) shape.push_back(1);
        zero_point = relay::reshape(zero_point, {.newshape = shape});
    }
    return relay::subtract(wide, zero_point);
}

/// Returns the convolution of quantised tensors in int32. Scales are not applied.
inline expr quantized_convolution(node_context& c, expr x, expr weight, qnn::scale data, qnn::scale weights) {
    window_attributes w = read_window(c, kernel_of(c, weight));
    if (c.rank(x) != w.rank() + 2)
        c.refuse("data of rank " + std::to_string(c.rank(x)), std::to_string(w.rank() + 2) + ", as the weight has");
    resolve_same(c, w, x);
    const dim channels = c.shape(weight)[0];
    if (w.rank() == 2) {
        auto a = conv_attributes_of<conv2d_attributes>(c, w, channels);
        a.out_dtype = dtype::int32;
        return qnn::conv2d(x, weight, data, weights, a);
    }
    const expr plain = without_zero_point(c, x, data.zero_point, 1);
    const expr plain_weight = without_zero_point(c, weight, weights.zero_point, 0);
    if (w.rank() == 1) return nn::conv1d(plain, plain_weight, conv_attributes_of<conv1d_attributes>(c, w, channels));
    if (w.rank() == 3) return nn::conv3d(plain, plain_weight, conv_attributes_of<conv3d_attributes>(c, w, channels));
    c.refuse("a convolution over " + std::to_string(w.rank()) + " axes", "1, 2 or 3");
}

inline expr import_conv_integer(node_context& c) {
    const expr one = c.number(1, dtype::float32);
    return quantized_convolution(c, c.input(0), c.input(1), {one, zero_point_of(c, 2)}, {one, zero_point_of(c, 3)});
}

inline expr import_qlinear_conv(node_context& c) {
    const qnn::scale x = scale_of(c, 1);
    const qnn::scale weights = scale_of(c, 4);
    expr made = quantized_convolution(c, c.input(0), c.input(3), x, weights);
    if (c.has(8)) made = nn::bias_add(made, c.input(8));
    const expr scale = relay::multiply(x.scale, weights.scale);
    return qnn::requantize(made, {scale, c.number(0, dtype::int32)}, scale_of(c, 6),
                           {.axis = 1, .out_dtype = quantized_type(c, 7)});
}

/// Returns the product of quantised matrices in int32. Scales are not applied. `zero_a` may differ between rows,
/// `zero_b` between columns.
inline expr quantized_product(node_context& c, expr a, expr b, expr zero_a, expr zero_b) {
    const std::size_t n = c.rank(a);
    const std::size_t m = c.rank(b);
    if (n == 0 || m == 0) c.refuse("a product with a scalar", "tensors of rank 1 or more");
    return matrix_product(c, without_zero_point(c, a, zero_a, n < 2 ? 0 : n - 2),
                          without_zero_point(c, b, zero_b, m - 1));
}

inline expr import_mat_mul_integer(node_context& c) {
    return quantized_product(c, c.input(0), c.input(1), zero_point_of(c, 2), zero_point_of(c, 3));
}

inline expr import_qlinear_mat_mul(node_context& c) {
    const qnn::scale a = scale_of(c, 1);
    const qnn::scale b = scale_of(c, 4);
    const expr made = quantized_product(c, c.input(0), c.input(3), a.zero_point, b.zero_point);
    const expr scale = relay::multiply(a.scale, b.scale);
    return qnn::requantize(made, {scale, c.number(0, dtype::int32)}, scale_of(c, 6),
                           {.out_dtype = quantized_type(c, 7)});
}

// Operators of com.microsoft. They dequantise their inputs, compute, and quantise the result.

inline expr requantized(node_context& c, expr x, std::size_t scale) {
    return qnn::quantize(x, scale_of(c, scale), {.out_dtype = quantized_type(c, scale + 1)});
}
inline expr dequantized(node_context& c, std::size_t i) { return qnn::dequantize(c.input(i), scale_of(c, i + 1)); }

template <expr (*Make)(expr, expr)>
expr import_qlinear_binary(node_context& c) {
    return requantized(c, Make(dequantized(c, 0), dequantized(c, 3)), 6);
}
inline expr import_qlinear_sigmoid(node_context& c) { return requantized(c, relay::sigmoid(dequantized(c, 0)), 3); }
inline expr import_qlinear_leaky_relu(node_context& c) {
    return requantized(c, nn::leaky_relu(dequantized(c, 0), {.alpha = c.real("alpha", 0.01)}), 3);
}
inline expr import_qlinear_softmax(node_context& c) {
    const expr x = dequantized(c, 0);
    return requantized(c, nn::softmax(x, {.axis = c.axis_of(c.integer("axis", -1), c.rank(x))}), 3);
}

// Refuses a node whose `channels_last` attribute is set.
inline void refuse_channels_last(node_context& c) {
    if (c.flag("channels_last")) c.refuse("channels on the last axis", "channels_last=0");
}
inline expr import_qlinear_average_pool(node_context& c) {
    refuse_channels_last(c);
    return requantized(c, average(c, dequantized(c, 0), pool_window(c), c.flag("count_include_pad")), 3);
}
inline expr import_qlinear_global_average_pool(node_context& c) {
    refuse_channels_last(c);
    const expr x = dequantized(c, 0);
    return requantized(c, relay::mean(x, {.axis = spatial_axes(c, x), .keepdims = true}), 3);
}

// Imports QLinearConcat. The inputs are the scale and zero point of the result, then the tensors, each followed by its
// scale and zero point.
inline expr import_qlinear_concat(node_context& c) {
    plain_vector<expr_id> parts;
    for (std::size_t i = 2; i + 2 < c.input_count(); i += 3) parts.push_back(dequantized(c, i).id);
    if (parts.empty()) c.refuse("nothing to join", "one tensor or more, each with a scale and a zero point");
    const expr all = relay::concatenate(c.tuple(parts), {.axis = c.axis_of(c.integer("axis"), c.rank(c.of(parts[0])))});
    return requantized(c, all, 0);
}

} // namespace detail

/// Rules for operators on quantised tensors, and for quantisation.
inline constexpr import_rule quantized_rules[]{
    {"ConvInteger", detail::import_conv_integer},
    {"DequantizeLinear", detail::import_dequantize_linear},
    {"DequantizeLinear", detail::import_dequantize_linear, "com.microsoft"},
    {"DynamicQuantizeLinear", detail::import_dynamic_quantize_linear},
    {"MatMulInteger", detail::import_mat_mul_integer},
    {"QLinearAdd", detail::import_qlinear_binary<relay::add>, "com.microsoft"},
    {"QLinearAveragePool", detail::import_qlinear_average_pool, "com.microsoft"},
    {"QLinearConcat", detail::import_qlinear_concat, "com.microsoft"},
    {"QLinearConv", detail::import_qlinear_conv},
    {"QLinearGlobalAveragePool", detail::import_qlinear_global_average_pool, "com.microsoft"},
    {"QLinearLeakyRelu", detail::import_qlinear_leaky_relu, "com.microsoft"},
    {"QLinearMatMul", detail::import_qlinear_mat_mul},
    {"QLinearMul", detail::import_qlinear_binary<relay::multiply>, "com.microsoft"},
    {"QLinearSigmoid", detail::import_qlinear_sigmoid, "com.microsoft"},
    {"QLinearSoftmax", detail::import_qlinear_softmax, "com.microsoft"},
    {"QuantizeLinear", detail::import_quantize_linear},
    {"QuantizeLinear", detail::import_quantize_linear, "com.microsoft"},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
