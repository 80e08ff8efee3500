#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/network_rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

// Operators on quantised tensors. Zero points are int32 in Relay and have the element type in ONNX.

inline bool is_zero(const tensor* t) {
    if (t == nullptr) return false;
    for (std::int64_t i = 0; i < t->size(); ++i)
        if (kernel::number::at(*t, i).real() != 0) return false;
    return true;
}
// ONNX quantises to 8 bits and, since version 21, also to 16 bits.
inline void check_quantized(call_writer& c, dtype type) {
    if (type == dtype::int16 || type == dtype::uint16)
        c.need(21);
    else if (!is_byte(type))
        call_writer::refuse("a result of " + std::string(kernel::name(type)), "integers of 8, 16 or 32 bits");
}
// Returns argument `i`, a scale or zero point, as `type`: a scalar, or a vector if the argument or `like` is one.
inline value scale_or_zero(call_writer& c, std::size_t i, dtype type, std::size_t like) {
    const bool vector = is_vector(c, i) || is_vector(c, like);
    const dims shape = !vector ? dims() : is_vector(c, i) ? c.shape(i) : c.shape(like);
    const tensor* const known = c.constant_argument(i);
    if (known == nullptr || !is_static(shape)) {
        const value v = c.cast(c.in(i), c.element(i), type);
        if (is_vector(c, i)) return v;
        if (vector) return c.node("Expand", {v, c.sizes(c.in(like), shape)});
        return c.rank(i) == 0 ? v : c.reshaped(v, {});
    }
    kernel::extents sizes;
    for (const dim d : shape) sizes.push_back(d.value());
    tensor converted, t;
    kernel::cast(vector ? *known : known->reshaped({}), type, converted);
    kernel::broadcast_to(converted, sizes, t);
    return c.constant(t);
}
inline value scale_of(call_writer& c, std::size_t i, std::size_t zero) {
    return scale_or_zero(c, i, dtype::float32, zero);
}
inline value zero_point_of(call_writer& c, std::size_t i, dtype type, std::size_t scale) {
    check_zero_point(c, i, type);
    return scale_or_zero(c, i, type, scale);
}
// Returns the inputs of QuantizeLinear and DequantizeLinear: ONNX's scales and zero points have one shape. ONNX has no
// zero points of int32. ONNX Runtime gives two fused nodes the same name if others are omitted.
inline vector<value> scale_inputs(call_writer& c, const value& x, std::size_t scale, std::size_t zero, dtype type) {
    vector<value> all{x, scale_of(c, scale, zero)};
    if (type != dtype::int32 || !is_zero(c.constant_argument(zero))) all.push_back(zero_point_of(c, zero, type, scale));
    return all;
}
inline node_attributes scale_axis(call_writer& c, std::size_t scale, std::size_t zero, std::int64_t axis) {
    const bool vector = is_vector(c, scale) || is_vector(c, zero);
    return vector ? node_attributes().integer("axis", axis) : node_attributes();
}
// Returns argument `i`, a scalar or a vector along an axis of the result, as `type` in a shape that broadcasts.
inline value along_result(call_writer& c, std::size_t i, dtype type, std::int64_t axis) {
    const value v = c.cast(c.in(i), c.element(i), type);
    return c.rank(i) == 0 ? v : along(c, v, axis, c.result_shape().size(), c.shape(i)[0]);
}
// Quantises float64 to int32, for which ONNX has no operator.
inline value quantized_to_int32(call_writer& c, const value& x, std::size_t scale, std::size_t zero,
                                std::int64_t axis) {
    constexpr kernel::integer_range range = kernel::values_of(dtype::int32);
    const value steps = c.node("Round", {c.node("Div", {x, along_result(c, scale, dtype::float64, axis)})});
    const value moved = c.node("Add", {steps, along_result(c, zero, dtype::float64, axis)});
    const value within = c.node("Clip", {moved, c.scalar(static_cast<double>(range.least), dtype::float64),
                                         c.scalar(static_cast<double>(range.greatest), dtype::float64)});
    return c.cast(within, dtype::float64, dtype::int32);
}
inline value quantized(call_writer& c, const value& x, std::size_t scale, std::size_t zero, dtype type,
                       std::int64_t axis) {
    check_quantized(c, type);
    return c.node("QuantizeLinear", scale_inputs(c, x, scale, zero, type), scale_axis(c, scale, zero, axis));
}
inline value dequantized(call_writer& c, std::size_t data, std::size_t scale, std::size_t zero, std::int64_t axis) {
    const dtype type = c.element(data);
    if (type == dtype::int16 || type == dtype::uint16) c.need(21);
    return c.node("DequantizeLinear", scale_inputs(c, c.in(data), scale, zero, type), scale_axis(c, scale, zero, axis));
}
inline std::int64_t axis_or_first(call_writer& c, std::size_t data) {
    return c.rank(data) == 0 ? 0 : c.axis("axis", c.rank(data));
}
inline void quantize(call_writer& c) {
    const dtype type = c.result_element();
    const std::int64_t axis = axis_or_first(c, 0);
    if (type != dtype::int32) return c.result(quantized(c, c.in(), 1, 2, type, axis));
    const value x = c.cast(c.in(), dtype::float32, dtype::float64);
    const value greatest = c.scalar(static_cast<double>(kernel::values_of(type).greatest), type);
    c.result(c.node("Where", {c.node("IsNaN", {x}), greatest, quantized_to_int32(c, x, 1, 2, axis)}));
}
inline void dequantize(call_writer& c) {
    const dtype type = c.element();
    if (type == dtype::int32 && !is_zero(c.constant_argument(2))) {
        // ONNX's DequantizeLinear does not support a zero point for int32.
        const std::int64_t axis = axis_or_first(c, 0);
        const value x = c.cast(c.in(), type, dtype::float64);
        const value apart = c.node("Sub", {x, along_result(c, 2, dtype::float64, axis)});
        return c.result(
            c.cast(c.node("Mul", {apart, along_result(c, 1, dtype::float64, axis)}), dtype::float64, dtype::float32));
    }
    c.result(dequantized(c, 0, 1, 2, axis_or_first(c, 0)));
}
inline void check_product(call_writer& c) {
    if (c.result_element() != dtype::int32 || !is_byte(c.element(0)) || !is_byte(c.element(1)))
        call_writer::refuse("a product of " + std::string(kernel::name(c.element(0))),
                            "8-bit integers, summed in int32");
}
// Returns the zero point of a product's argument. Equal zero points become a scalar, which ONNX Runtime requires.
inline value product_zero_point(call_writer& c, std::size_t i) {
    const std::size_t zero = i + 2;
    const dtype type = c.element(i);
    check_zero_point(c, zero, type);
    const tensor* const known = c.constant_argument(zero);
    if (known != nullptr && known->size() != 0) {
        const double first = kernel::number::at(*known, 0).real();
        std::int64_t equal = 1;
        while (equal < known->size() && kernel::number::at(*known, equal).real() == first) ++equal;
        if (equal == known->size()) return c.scalar(first, type);
    }
    // Relay's vectors of zero points follow the channels of a weight, but the last axis of other operands.
    if (is_vector(c, zero) && (i == 0 || c.op().name == "qnn.batch_matmul"))
        call_writer::refuse("several zero points of one operand", "one");
    return zero_point_of(c, zero, type, zero);
}

// The arguments and attributes of a convolution in ONNX's layouts.
struct written_conv {
    value data, weight;
    node_attributes attributes;
};
inline written_conv conv_of(call_writer& c) {
    const attribute_values& a = c.attributes();
    const std::int64_t groups = a.integer("groups");
    written_conv w{in_usual_layout(c, a.text("data_layout"), 2), weight_of(c, 1, 2, false, groups),
                   window_attributes(a, kernel_of(c, 1), "dilations")};
    if (groups != 1) w.attributes.integer("group", groups);
    return w;
}
// Returns the layout of a convolution's result.
inline std::string_view layout_of_result(const call_writer& c) {
    const std::string_view own = c.attributes().text("out_layout");
    return own.empty() ? c.attributes().text("data_layout") : own;
}
inline void quantized_conv(call_writer& c) {
    check_product(c);
    const written_conv w = conv_of(c);
    const value made =
        c.node("ConvInteger", {w.data, w.weight, product_zero_point(c, 0), product_zero_point(c, 1)}, w.attributes);
    c.result(back_in_layout(c, made, layout_of_result(c), {}, 2));
}
struct written_factors {
    value a, b;
};
inline written_factors factors_of(call_writer& c) {
    const bool dense = c.op().name == "qnn.dense";
    const bool transpose_a = !dense && c.attributes().flag("transpose_a");
    const bool transpose_b = dense || c.attributes().flag("transpose_b");
    return {transpose_a ? swapped(c, c.in(0), c.rank(0)) : c.in(0),
            transpose_b ? swapped(c, c.in(1), c.rank(1)) : c.in(1)};
}
inline void quantized_product(call_writer& c) {
    check_product(c);
    const written_factors f = factors_of(c);
    c.result(c.node("MatMulInteger", {f.a, f.b, product_zero_point(c, 0), product_zero_point(c, 1)}));
}

// A requantised product of quantised tensors, which is one operator in ONNX. A bias and a maximum with zero may follow
// the product.
struct requantized_product {
    expr_id product = expr_id::none;
    tensor bias{}; // a vector along `bias_axis`; empty if there is none
    std::int64_t bias_axis = 0;
};
// Returns the constant operand of a call with two operands if nothing else uses the call; otherwise null. Stores the
// other operand in `e`.
inline const tensor* take_constant(const call_writer& c, expr_id& e) {
    const graph& g = c.graph();
    if (!c.is_used_once(e)) return nullptr;
    const auto operands = g.arguments(e);
    const std::size_t at = g.kind(operands[1]) == expr_kind::constant ? 1 : 0;
    if (g.kind(operands[at]) != expr_kind::constant || g.type(operands[1 - at]) != g.type(e)) return nullptr;
    e = operands[1 - at];
    return &g.constant_value(operands[at]);
}
// Replaces the sum in `p.product` by its other operand and stores the bias. False if the sum is not nn.bias_add or the
// addition of a constant along one axis.
inline bool strip_bias(const call_writer& c, requantized_product& p) {
    const call_writer add = c.at(p.product);
    const tensor* const found = take_constant(c, p.product);
    if (found == nullptr) return false;
    p.bias = found->reshaped({found->size()});
    if (add.op().name == "nn.bias_add") {
        p.bias_axis = add.axis("axis", add.rank());
        return true;
    }
    std::size_t at = 0;
    while (at < found->rank() && found->shape()[at] != found->size()) ++at;
    p.bias_axis = static_cast<std::int64_t>(add.result_shape().size() - found->rank() + at);
    return at < found->rank();
}
// Returns the product whose sums are argument 0 of a requantisation; none if there is another expression.
// `at_least_zero`: the result cannot represent negative numbers, so that a maximum with zero changes nothing.
inline requantized_product product_of(const call_writer& c, bool at_least_zero) {
    const graph& g = c.graph();
    const auto name = [&](expr_id e) {
        const op_def* const called = g.called_op(e);
        return called == nullptr ? std::string_view() : called->name;
    };
    requantized_product p{c.argument(0)};
    if (at_least_zero && name(p.product) == "maximum") {
        if (!is_zero(take_constant(c, p.product))) return {};
    } else if (at_least_zero && name(p.product) == "nn.relu" && c.is_used_once(p.product)) {
        p.product = g.arguments(p.product)[0];
    }
    const bool biased = name(p.product) == "nn.bias_add" || name(p.product) == "add";
    if (biased && !strip_bias(c, p)) return {};
    const std::string_view op = name(p.product);
    const bool known = op == "qnn.conv2d" || op == "qnn.dense" || op == "qnn.batch_matmul";
    return known && c.is_used_once(p.product) ? p : requantized_product();
}
// True if `scale` is the product of the scales of a product's arguments, rounded to float32.
inline bool is_product_of_scales(const call_writer& product, const tensor& scale) {
    const tensor* const a = product.constant_argument(4);
    const tensor* const b = product.constant_argument(5);
    if (a == nullptr || b == nullptr || scale.type() != dtype::float32) return false;
    if (a->type() != dtype::float32 || b->type() != dtype::float32 || a->size() != 1) return false;
    if (b->size() != scale.size()) return false;
    for (std::int64_t i = 0; i < scale.size(); ++i)
        if (a->data<float>()[0] * b->data<float>()[i] != scale.data<float>()[i]) return false;
    return true;
}
inline bool are_positive(const tensor& scales) {
    for (std::int64_t i = 0; i < scales.size(); ++i)
        if (!(kernel::number::at(scales, i).real() > 0)) return false;
    return true;
}
// Writes a requantised product as QLinearConv or QLinearMatMul. False if there is no product, or if it has a form that
// these operators lack. Engines implement them for data and results of the same type only.
inline bool write_qlinear(call_writer& c) {
    const dtype type = c.result_element();
    const tensor* const scale = c.constant_argument(1);
    const tensor* const zero = c.constant_argument(4);
    if (!is_byte(type) || scale == nullptr || !is_zero(c.constant_argument(2))) return false;
    if (is_vector(c, 3) || is_vector(c, 4)) return false;
    const auto least = static_cast<double>(kernel::values_of(type).least);
    const bool at_least_zero = zero != nullptr && kernel::number::at(*zero, 0).real() == least && are_positive(*scale);
    const requantized_product found = product_of(c, at_least_zero);
    if (found.product == expr_id::none) return false;
    call_writer p = c.at(found.product);
    if (p.element(0) != type || !is_byte(p.element(1)) || p.result_element() != dtype::int32) return false;
    if (type == dtype::int8 && p.element(1) != dtype::int8) return false;
    if (is_vector(p, 2) || !is_product_of_scales(p, *scale)) return false;

    const bool convolves = p.op().name == "qnn.conv2d";
    if (!convolves && (p.rank(1) != 2 && (is_vector(p, 3) || is_vector(p, 5)))) return false;
    const std::string_view layout = convolves ? layout_of_result(p) : std::string_view();
    const auto channels = static_cast<std::int64_t>(convolves ? layout.find('C') : c.rank() - 1);
    if (scale->rank() != 0 && c.axis("axis", c.rank()) != channels) return false;
    const bool biased = !found.bias.empty();
    if (biased && (!convolves || found.bias_axis != channels ||
                   c.result_shape()[static_cast<std::size_t>(channels)] != dim(found.bias.size())))
        return false;
    vector<value> inputs{{},
                         scale_of(p, 4, 2),
                         zero_point_of(p, 2, type, 4),
                         {},
                         scale_of(p, 5, 3),
                         zero_point_of(p, 3, p.element(1), 5),
                         scale_of(c, 3, 4),
                         zero_point_of(c, 4, type, 3)};
    if (!convolves) {
        const written_factors f = factors_of(p);
        inputs[0] = f.a;
        inputs[3] = f.b;
        c.result(c.node("QLinearMatMul", inputs));
        return true;
    }
    const written_conv w = conv_of(p);
    inputs[0] = w.data;
    inputs[3] = w.weight;
    if (biased) inputs.push_back(c.constant(found.bias));
    c.result(back_in_layout(c, c.node("QLinearConv", inputs, w.attributes), layout, {}, 2));
    return true;
}
inline void requantize(call_writer& c) {
    if (write_qlinear(c)) return;
    const std::int64_t axis = axis_or_first(c, 0);
    const dtype type = c.result_element();
    const bool moved = !is_zero(c.constant_argument(2));
    const dtype computed = moved || type == dtype::int32 ? dtype::float64 : dtype::float32;
    value x = c.cast(c.in(), c.element(), computed);
    if (moved) x = c.node("Sub", {x, along_result(c, 2, computed, axis)});
    x = c.node("Mul", {x, along_result(c, 1, computed, axis)});
    c.result(type == dtype::int32 ? quantized_to_int32(c, x, 3, 4, axis)
                                  : quantized(c, c.cast(x, computed, dtype::float32), 3, 4, type, axis));
}
// Refuses operands that float32, in which the operators below are computed, cannot represent.
inline void check_operand(dtype type) {
    if (!is_byte(type) && type != dtype::int16 && type != dtype::uint16)
        call_writer::refuse("an operand of " + std::string(kernel::name(type)), "integers of 8 or 16 bits");
}
// Dequantises the arguments, applies the operator and quantises the result.
inline void between(call_writer& c, std::string_view op_type) {
    check_operand(c.element(0));
    const value a = dequantized(c, 0, 2, 3, c.attributes().integer("lhs_axis"));
    const value b = dequantized(c, 1, 4, 5, c.attributes().integer("rhs_axis"));
    c.result(quantized(c, c.node(op_type, {a, b}), 6, 7, c.result_element(), 0));
}
inline void quantized_add(call_writer& c) { between(c, "Add"); }
inline void quantized_mul(call_writer& c) { between(c, "Mul"); }
inline void quantized_subtract(call_writer& c) { between(c, "Sub"); }
inline void quantized_function(call_writer& c, std::string_view op_type, const node_attributes& how = {}) {
    check_operand(c.element());
    const value made = c.node(op_type, {dequantized(c, 0, 1, 2, 0)}, how);
    c.result(quantized(c, made, 3, 4, c.result_element(), 0));
}
inline void quantized_abs(call_writer& c) { quantized_function(c, "Abs"); }
inline void quantized_erf(call_writer& c) { quantized_function(c, "Erf"); }
inline void quantized_exp(call_writer& c) { quantized_function(c, "Exp"); }
inline void quantized_hardswish(call_writer& c) { quantized_function(c, "HardSwish"); }
inline void quantized_leaky_relu(call_writer& c) {
    quantized_function(c, "LeakyRelu", node_attributes().real("alpha", c.attributes().real("alpha")));
}
inline void quantized_log(call_writer& c) { quantized_function(c, "Log"); }
inline void quantized_sigmoid(call_writer& c) { quantized_function(c, "Sigmoid"); }
inline void quantized_sqrt(call_writer& c) { quantized_function(c, "Sqrt"); }
inline void quantized_tanh(call_writer& c) { quantized_function(c, "Tanh"); }
inline void quantized_concatenate(call_writer& c) {
    vector<value> parts;
    const auto fields = [&](std::size_t i) { return c.graph().types().fields(c.graph().type(c.argument(i))); };
    for (std::size_t i = 0; i < c.fields(0).size(); ++i) {
        const dtype type = c.element_of(fields(0)[i]);
        check_operand(type);
        for (const std::size_t part : {1U, 2U})
            if (!c.shape_of(fields(part)[i]).empty())
                call_writer::refuse("a scale for each index", "one for each tensor");
        const value scale = c.cast(c.fields(1)[i], c.element_of(fields(1)[i]), dtype::float32);
        const value zero = c.cast(c.fields(2)[i], dtype::int32, type);
        parts.push_back(c.node("DequantizeLinear", {c.fields(0)[i], scale, zero}));
    }
    const std::int64_t axis = call_writer::from_front(c.attributes().integer("axis"), c.result_shape().size());
    const value all = parts.size() == 1 ? parts[0] : c.node("Concat", parts, node_attributes().integer("axis", axis));
    c.result(quantized(c, all, 3, 4, c.result_element(), 0));
}

/// Rules for operators on quantised tensors.
inline constexpr write_rule quantized_rules[]{
    {"qnn.abs", {}, quantized_abs},
    {"qnn.add", {}, quantized_add},
    {"qnn.batch_matmul", {}, quantized_product},
    {"qnn.concatenate", {}, quantized_concatenate},
    {"qnn.conv2d", {}, quantized_conv},
    {"qnn.conv2d_transpose", {}, conv_transpose},
    {"qnn.dense", {}, quantized_product},
    {"qnn.dequantize", {}, dequantize},
    {"qnn.erf", {}, quantized_erf},
    {"qnn.exp", {}, quantized_exp},
    {"qnn.hardswish", {}, quantized_hardswish},
    {"qnn.leaky_relu", {}, quantized_leaky_relu},
    {"qnn.log", {}, quantized_log},
    {"qnn.mul", {}, quantized_mul},
    {"qnn.quantize", {}, quantize},
    {"qnn.requantize", {}, requantize},
    {"qnn.sigmoid", {}, quantized_sigmoid},
    {"qnn.sqrt", {}, quantized_sqrt},
    {"qnn.subtract", {}, quantized_subtract},
    {"qnn.tanh", {}, quantized_tanh},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
