#pragma once

#include <tutti/base/form.hpp>
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
// Returns the zero point in argument `i`, converted to `type`. Returns an empty value if the zero point is the constant
// 0 and may be omitted.
inline value zero_point(call_writer& c, std::size_t i, dtype type, bool may_be_omitted) {
    const tensor* known = c.constant_argument(i);
    if (may_be_omitted && is_zero(known)) return {};
    if (known == nullptr) return c.cast(c.in(i), c.element(i), type);
    tensor t;
    kernel::cast(*known, type, t);
    return c.constant(t);
}
// ONNX quantises to 8 bits and, since version 21, also to 16 bits.
inline void check_quantized(call_writer& c, dtype type) {
    if (type == dtype::int16 || type == dtype::uint16)
        c.need(21);
    else if (!is_byte(type))
        call_writer::refuse("a result of " + std::string(kernel::name(type)), "integers of 8 or 16 bits");
}
inline value as_float32(call_writer& c, std::size_t i) { return c.cast(c.in(i), c.element(i), dtype::float32); }
inline value quantized(call_writer& c, const value& x, std::size_t scale, std::size_t zero, dtype type,
                       std::int64_t axis) {
    check_quantized(c, type);
    node_attributes a;
    if (c.rank(scale) != 0) a.integer("axis", axis);
    return c.node("QuantizeLinear",
                  {x, as_float32(c, scale), zero_point(c, zero, type, type == dtype::uint8 && c.rank(scale) == 0)}, a);
}
inline value dequantized(call_writer& c, std::size_t data, std::size_t scale, std::size_t zero, std::int64_t axis) {
    const dtype type = c.element(data);
    node_attributes a;
    if (c.rank(scale) != 0) a.integer("axis", axis);
    if (type == dtype::int16 || type == dtype::uint16) c.need(21);
    return c.node("DequantizeLinear", {c.in(data), as_float32(c, scale), zero_point(c, zero, type, c.rank(scale) == 0)},
                  a);
}
inline std::int64_t axis_or_first(call_writer& c, std::size_t data) {
    return c.rank(data) == 0 ? 0 : c.axis("axis", c.rank(data));
}
inline void quantize(call_writer& c) { c.result(quantized(c, c.in(), 1, 2, c.result_element(), axis_or_first(c, 0))); }
inline void dequantize(call_writer& c) {
    const dtype type = c.element();
    if (type == dtype::int32 && !is_zero(c.constant_argument(2))) {
        // ONNX's DequantizeLinear does not support a zero point for int32.
        const std::int64_t axis = axis_or_first(c, 0);
        value zero = c.in(2), scale = as_float32(c, 1);
        if (c.rank(2) != 0) zero = along(c, zero, axis, c.rank(), c.shape(2)[0]);
        if (c.rank(1) != 0) scale = along(c, scale, axis, c.rank(), c.shape(1)[0]);
        const value apart = c.cast(c.node("Sub", {c.in(), zero}), dtype::int32, dtype::float32);
        return c.result(c.node("Mul", {apart, scale}));
    }
    c.result(dequantized(c, 0, 1, 2, axis_or_first(c, 0)));
}
inline void requantize(call_writer& c) {
    const std::int64_t axis = axis_or_first(c, 0);
    value x = c.in();
    const std::size_t rank = c.rank();
    const auto spread = [&](const value& v, std::size_t i) {
        return c.rank(i) == 0 ? v : along(c, v, axis, rank, c.shape(i)[0]);
    };
    x = c.cast(x, c.element(), dtype::int32);
    if (!is_zero(c.constant_argument(2))) x = c.node("Sub", {x, spread(c.in(2), 2)});
    x = c.node("Mul", {c.cast(x, dtype::int32, dtype::float32), spread(as_float32(c, 1), 1)});
    c.result(quantized(c, x, 3, 4, c.result_element(), axis));
}
inline value integers_without_zero(call_writer& c, std::size_t i, std::size_t zero) {
    const value wide = c.cast(c.in(i), c.element(i), dtype::int32);
    return is_zero(c.constant_argument(zero)) ? wide : c.node("Sub", {wide, c.in(zero)});
}
inline void quantized_conv(call_writer& c) {
    const attribute_values& a = c.attributes();
    const std::int64_t groups = a.integer("groups");
    const std::string_view layout = a.text("data_layout");
    if (c.result_element() != dtype::int32 || !is_byte(c.element(0)) || !is_byte(c.element(1)))
        call_writer::refuse("a convolution of " + std::string(kernel::name(c.element(0))),
                            "8-bit integers, summed in int32");
    node_attributes all = window_attributes(a, kernel_of(c, 1), "dilations");
    if (groups != 1) all.integer("group", groups);
    const value x = in_usual_layout(c, layout, 2), w = weight_of(c, 1, 2, false, groups);
    const value made = c.node(
        "ConvInteger", {x, w, zero_point(c, 2, c.element(0), false), zero_point(c, 3, c.element(1), false)}, all);
    c.result(back_in_layout(c, made, layout, a.text("out_layout"), 2));
}
inline void quantized_dense(call_writer& c) {
    if (!is_byte(c.element(0)) || !is_byte(c.element(1)) || c.result_element() != dtype::int32)
        call_writer::refuse("a product of " + std::string(kernel::name(c.element(0))),
                            "8-bit integers, summed in int32");
    const value w = swapped(c, c.in(1), 2);
    c.result(c.node("MatMulInteger",
                    {c.in(0), w, zero_point(c, 2, c.element(0), false), zero_point(c, 3, c.element(1), false)}));
}
// Dequantises the arguments, applies the operator and quantises the result.
inline void between(call_writer& c, std::string_view op_type) {
    const value a = dequantized(c, 0, 2, 3, c.attributes().integer("lhs_axis"));
    const value b = dequantized(c, 1, 4, 5, c.attributes().integer("rhs_axis"));
    c.result(quantized(c, c.node(op_type, {a, b}), 6, 7, c.result_element(), 0));
}
inline void quantized_add(call_writer& c) { between(c, "Add"); }
inline void quantized_mul(call_writer& c) { between(c, "Mul"); }
inline void quantized_subtract(call_writer& c) { between(c, "Sub"); }
inline void quantized_function(call_writer& c, std::string_view op_type, const node_attributes& how = {}) {
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
    const auto types = c.graph().types().fields(c.graph().type(c.argument(0)));
    for (std::size_t i = 0; i < c.fields(0).size(); ++i) {
        const dtype type = c.element_of(types[i]);
        const value zero = c.cast(c.fields(2)[i], dtype::int32, type);
        parts.push_back(c.node("DequantizeLinear", {c.fields(0)[i], c.fields(1)[i], zero}));
    }
    const std::int64_t axis = call_writer::from_front(c.attributes().integer("axis"), c.result_shape().size());
    const value all = parts.size() == 1 ? parts[0] : c.node("Concat", parts, node_attributes().integer("axis", axis));
    c.result(quantized(c, all, 3, 4, c.result_element(), 0));
}

/// Rules for operators on quantised tensors.
inline constexpr write_rule quantized_rules[]{
    {"qnn.abs", {}, quantized_abs},
    {"qnn.add", {}, quantized_add},
    {"qnn.concatenate", {}, quantized_concatenate},
    {"qnn.conv2d", {}, quantized_conv},
    {"qnn.dense", {}, quantized_dense},
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
