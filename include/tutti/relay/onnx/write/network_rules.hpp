#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/index_rules.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

// Convolutions, pools, products and normalisations.

// Returns the order of axes that transposes layout `from` to `to`. Refuses layouts with different letters.
inline dims order_of_layout(std::string_view from, std::string_view to) {
    dims order;
    for (const char letter : to) {
        const std::size_t at = from.find(letter);
        if (at == std::string_view::npos || from.size() != to.size())
            call_writer::refuse("layout " + std::string(from), std::string(to) + " or another order of its axes");
        order.push_back(static_cast<std::int64_t>(at));
    }
    return order;
}
// Returns ONNX's layout of a convolution's weight: channels first, then the `axes` spatial axes.
inline std::string_view usual_weight(std::size_t axes, bool transposed) {
    return transposed ? spatial::of_rank(axes, "IOW", "IOHW", "IODHW") : spatial::weight_layout(axes);
}
inline dims all_pads(const dims& given, std::size_t axes) {
    if (given.size() == 2 * axes) return given;
    dims pads;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < axes; ++i) pads.push_back(given[given.size() == 1 ? 0 : i]);
    return pads;
}

// Returns the weight in ONNX's layout. In Relay's depthwise convolution, two axes of the weight may form the result's
// channels. ONNX uses one axis, so the two are merged.
inline value weight_of(call_writer& c, std::size_t i, std::size_t axes, bool transposed, std::int64_t groups) {
    const std::string_view layout = c.attributes().text("kernel_layout");
    const dims order = order_of_layout(layout, usual_weight(axes, transposed));
    const value made = c.transposed(c.in(i), order);
    if (groups == 1 || transposed) return made;
    const dims own = c.shape(i);
    dims shape;
    for (const dim d : order) shape.push_back(own[static_cast<std::size_t>(d.value())]);
    const dim channels = c.shape(0)[c.attributes().text("data_layout").find('C')];
    if (!is_static(shape) || channels.is_any()) call_writer::refuse("groups of unknown size", "known sizes");
    if (shape[1].value() * groups == channels.value()) return made;
    shape[0] = shape[0].value() * shape[1].value();
    shape[1] = 1;
    return c.reshaped(made, shape);
}

// Returns the floating-point type that represents sums of `bits` bits exactly. It replaces an integer type that an ONNX
// operator does not support.
inline dtype exact_type(std::size_t bits) {
    if (bits > 53) call_writer::refuse("integers whose sums may have " + std::to_string(bits) + " bits", "53 at most");
    return bits > 24 ? dtype::float64 : dtype::float32;
}
// Converts sums to the result's type. Integers wrap on overflow.
inline value from_exact(call_writer& c, const value& x, dtype computed, dtype out) {
    if (kernel::is_floating(out)) return c.cast(x, computed, out);
    return c.cast(c.cast(x, computed, dtype::int64), dtype::int64, out);
}
inline std::size_t bits_of_count(std::int64_t n) {
    std::size_t bits = 0;
    for (; n > 0; n >>= 1) ++bits;
    return bits;
}

inline node_attributes window_attributes(const attribute_values& a, const dims& kernel, std::string_view dilation) {
    node_attributes all;
    all.integers("kernel_shape", kernel).integers("strides", a.numbers("strides"));
    all.integers("pads", all_pads(a.numbers("padding"), kernel.size()));
    bool dilated = false;
    for (const dim d : a.numbers("dilation")) dilated = dilated || d != dim(1);
    if (dilated) all.integers(dilation, a.numbers("dilation"));
    return all;
}
inline dims kernel_of(call_writer& c, std::size_t weight) {
    const std::string_view layout = c.attributes().text("kernel_layout");
    const dims shape = c.shape(weight);
    dims kernel;
    for (std::size_t i = 0; i < layout.size() && i < shape.size(); ++i)
        if (layout[i] != 'O' && layout[i] != 'I') kernel.push_back(shape[i]);
    if (!is_static(kernel)) call_writer::refuse("a window of unknown size", "known sizes");
    return kernel;
}
inline value in_usual_layout(call_writer& c, std::string_view layout, std::size_t axes) {
    return c.transposed(c.in(), order_of_layout(layout, spatial::data_layout(axes)));
}
inline value back_in_layout(call_writer& c, const value& x, std::string_view layout, std::string_view out_layout,
                            std::size_t axes) {
    return c.transposed(x, order_of_layout(spatial::data_layout(axes), out_layout.empty() ? layout : out_layout));
}
inline bool is_byte(dtype t) { return t == dtype::int8 || t == dtype::uint8; }

// True if argument `i`, a scale or zero point, may have several elements.
inline bool is_vector(const call_writer& c, std::size_t i) { return c.rank(i) != 0 && c.shape(i)[0] != dim(1); }
// Refuses a constant zero point that the quantised type cannot represent: ONNX stores zero points in that type.
inline void check_zero_point(const call_writer& c, std::size_t i, dtype type) {
    const tensor* const known = c.constant_argument(i);
    if (known == nullptr) return;
    const kernel::integer_range range = kernel::values_of(type);
    for (std::int64_t k = 0; k < known->size(); ++k) {
        const double zero = kernel::number::at(*known, k).real();
        if (zero < static_cast<double>(range.least) || zero > static_cast<double>(range.greatest))
            call_writer::refuse("zero point " + std::to_string(static_cast<std::int64_t>(zero)) + " of " +
                                    std::string(kernel::name(type)),
                                "a value of this type");
    }
}

// Casts `x`, which is argument `i` in ONNX's layout, to type `to`. For a quantised operator, subtracts the argument's
// zero point.
inline value centred(call_writer& c, const value& x, std::size_t i, dtype to) {
    const value y = c.cast(x, c.element(i), to);
    if (c.count() == 2) return y;
    const std::size_t zero = i + 2;
    check_zero_point(c, zero, c.element(i));
    if (is_vector(c, zero)) call_writer::refuse("several zero points", "one for each tensor");
    const value z = c.cast(c.in(zero), c.element(zero), to);
    return c.node("Sub", {y, c.rank(zero) == 0 ? z : c.reshaped(z, {})});
}

inline void convolve(call_writer& c, bool transposed) {
    const attribute_values& a = c.attributes();
    const std::size_t axes = c.rank() - 2;
    const std::int64_t groups = a.integer("groups");
    const std::string_view layout = a.text("data_layout");
    node_attributes all = window_attributes(a, kernel_of(c, 1), "dilations");
    if (groups != 1) all.integer("group", groups);
    if (transposed) {
        bool more = false;
        for (const dim d : a.numbers("output_padding")) more = more || d != dim(0);
        if (more) all.integers("output_padding", a.numbers("output_padding"));
    }
    value x = in_usual_layout(c, layout, axes), w = weight_of(c, 1, axes, transposed, groups);
    const dtype out = c.result_element();
    if (!transposed && is_byte(c.element(0)) && is_byte(c.element(1)) && out == dtype::int32)
        return c.result(back_in_layout(c, c.node("ConvInteger", {x, w}, all), layout, a.text("out_layout"), axes));
    dtype computed = out;
    if (!kernel::is_floating(out)) {
        dims weight = c.shape(1); // at most all elements for one channel of the result are added
        weight[a.text("kernel_layout").find('O')] = 1;
        const auto terms = element_count({weight.begin(), weight.size()});
        if (!terms) call_writer::refuse("a weight of unknown size", "known sizes");
        const std::size_t zero_points = c.count() == 2 ? 0 : 2;
        computed = exact_type(c.magnitude_bits(0) + c.magnitude_bits(1) + zero_points + bits_of_count(*terms));
    }
    x = centred(c, x, 0, computed);
    w = centred(c, w, 1, computed);
    const value made = c.node(transposed ? "ConvTranspose" : "Conv", {x, w}, all);
    c.result(from_exact(c, back_in_layout(c, made, layout, a.text("out_layout"), axes), computed, out));
}
inline void conv(call_writer& c) { convolve(c, false); }
inline void conv_transpose(call_writer& c) { convolve(c, true); }
inline void deformable_conv(call_writer& c) {
    const attribute_values& a = c.attributes();
    if (a.text("data_layout") != "NCHW" || a.text("kernel_layout") != "OIHW")
        call_writer::refuse("layouts " + std::string(a.text("data_layout")) + " and " +
                                std::string(a.text("kernel_layout")),
                            "NCHW and OIHW");
    c.need(19);
    c.result(c.node("DeformConv", {c.in(0), c.in(2), c.in(1)},
                    window_attributes(a, kernel_of(c, 2), "dilations")
                        .integer("group", a.integer("groups"))
                        .integer("offset_group", a.integer("deformable_groups"))));
}

// Returns the type in which to pool. ONNX's pools support only floating point, except that MaxPool also supports 8-bit
// integers.
inline dtype pooling_type(call_writer& c, bool average) {
    const dtype t = c.element();
    if (kernel::is_floating(t) || (is_byte(t) && !average)) return t;
    if (t == dtype::boolean) call_writer::refuse("a pool of bool", "numbers");
    return exact_type(c.magnitude_bits(0) + (average ? 12 : 0)); // 12 more bits round an average as in Relay
}
// Refuses a last window on which Relay and ONNX differ. ONNX omits a window that begins past the end of the data.
inline void check_last_windows(call_writer& c, bool counts_padding) {
    const attribute_values& a = c.attributes();
    const std::string_view layout = a.text("layout");
    const dims own = c.shape(), made = c.result_shape(), kernel = a.numbers("pool_size");
    const dims pads = all_pads(a.numbers("padding"), kernel.size());
    for (std::size_t i = 0, next = 0; i < own.size(); ++i) {
        if (layout[i] == 'N' || layout[i] == 'C') continue;
        const std::size_t at = next++;
        const std::int64_t begin = pads[at].value(), after = pads[kernel.size() + at].value();
        const std::int64_t stride = a.numbers("strides")[at].value();
        const std::int64_t extent = (kernel[at].value() - 1) * a.numbers("dilation")[at].value() + 1;
        if (own[i].is_any() || made[i].is_any()) {
            if (after != 0 || stride > extent || counts_padding)
                call_writer::refuse("ceil_mode with unknown sizes", "known ones");
            continue;
        }
        const std::int64_t last = (made[i].value() - 1) * stride; // where the last window begins
        if (last >= own[i].value() + begin)
            call_writer::refuse("a window that begins past the end of the data", "ceil_mode=False, or less padding");
        // An average may count padding. Relay and ONNX differ in how they count positions past the padding.
        if (counts_padding && last + extent > own[i].value() + begin + after)
            call_writer::refuse("a window that ends past the padding, with count_include_pad", "ceil_mode=False");
    }
}
inline void pool(call_writer& c, std::string_view op_type) {
    const attribute_values& a = c.attributes();
    const std::size_t axes = c.rank() - 2;
    const std::string_view layout = a.text("layout");
    node_attributes all = window_attributes(a, a.numbers("pool_size"), "dilations");
    const bool average = op_type == "AveragePool";
    if (a.flag("ceil_mode")) {
        check_last_windows(c, average && a.flag("count_include_pad"));
        all.integer("ceil_mode", 1);
    }
    if (average && a.flag("count_include_pad")) all.integer("count_include_pad", 1);
    if (average && a.numbers("dilation") != dims(axes, dim(1))) c.need(19);
    const dtype t = c.element(), computed = pooling_type(c, average);
    const value x = c.cast(in_usual_layout(c, layout, axes), t, computed);
    const value made = c.node(op_type, {x}, all);
    c.result(c.cast(back_in_layout(c, made, layout, a.text("out_layout"), axes), computed, t));
}
inline void max_pool(call_writer& c) { pool(c, "MaxPool"); }
inline void avg_pool(call_writer& c) { pool(c, "AveragePool"); }
inline void global_pool(call_writer& c, std::string_view op_type) {
    const attribute_values& a = c.attributes();
    const std::size_t axes = c.rank() - 2;
    const dtype t = c.element();
    dtype computed = t; // global pools exist for floating point only
    if (!kernel::is_floating(t)) computed = exact_type(c.magnitude_bits(0) + (op_type == "GlobalMaxPool" ? 0 : 12));
    const value x = c.cast(in_usual_layout(c, a.text("layout"), axes), t, computed);
    const value made = back_in_layout(c, c.node(op_type, {x}), a.text("layout"), a.text("out_layout"), axes);
    c.result(c.cast(made, computed, t));
}
inline void global_max_pool(call_writer& c) { global_pool(c, "GlobalMaxPool"); }
inline void global_avg_pool(call_writer& c) { global_pool(c, "GlobalAveragePool"); }
inline void adaptive_pool(call_writer& c, std::string_view whole, std::string_view part) {
    const attribute_values& a = c.attributes();
    const std::size_t axes = c.rank() - 2;
    const std::string_view layout = a.text("layout");
    const dims own = c.shape(), made = c.result_shape();
    dims window;
    bool one = true;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (layout[i] == 'N' || layout[i] == 'C') continue;
        one = one && made[i] == dim(1);
        if (own[i].is_any() || made[i].is_any() || made[i].value() == 0 || own[i].value() % made[i].value() != 0)
            window.push_back(0);
        else
            window.push_back(own[i].value() / made[i].value());
    }
    if (one) return global_pool(c, whole);
    for (const dim d : window)
        if (d == dim(0))
            call_writer::refuse("windows of different or unknown sizes", "known sizes that the result's divide");
    const dtype t = c.element(), computed = pooling_type(c, part == "AveragePool");
    const value x = c.cast(in_usual_layout(c, layout, axes), t, computed);
    const value pooled =
        c.node(part, {x}, node_attributes().integers("kernel_shape", window).integers("strides", window));
    c.result(c.cast(back_in_layout(c, pooled, layout, a.text("out_layout"), axes), computed, t));
}
inline void adaptive_max_pool(call_writer& c) { adaptive_pool(c, "GlobalMaxPool", "MaxPool"); }
inline void adaptive_avg_pool(call_writer& c) { adaptive_pool(c, "GlobalAveragePool", "AveragePool"); }

// Products.

inline value swapped(call_writer& c, const value& x, std::size_t rank) {
    dims order;
    for (std::size_t i = 0; i < rank; ++i) order.push_back(static_cast<std::int64_t>(i));
    std::swap(order[rank - 1], order[rank - 2]);
    return c.transposed(x, order);
}
inline void product(call_writer& c, bool transpose_a, bool transpose_b) {
    const dtype out = c.result_element(), first = c.element(0), second = c.element(1);
    value a = c.in(0), b = c.in(1);
    const std::size_t rank_a = c.rank(0), rank_b = c.rank(1);
    if (rank_a == 2 && rank_b == 2 && kernel::is_floating(out) && first == out && second == out) {
        node_attributes how;
        if (transpose_a) how.integer("transA", 1);
        if (transpose_b) how.integer("transB", 1);
        return c.result(transpose_a || transpose_b ? c.node("Gemm", {a, b}, how) : c.node("MatMul", {a, b}));
    }
    if (transpose_a) a = swapped(c, a, rank_a);
    if (transpose_b) b = swapped(c, b, rank_b);
    if (is_byte(first) && is_byte(second) && out == dtype::int32) return c.result(c.node("MatMulInteger", {a, b}));
    const bool direct = kernel::is_floating(out) || kernel::bytes(out) >= 4;
    const dtype computed = direct ? out : dtype::int32;
    c.result(c.cast(c.node("MatMul", {c.cast(a, first, computed), c.cast(b, second, computed)}), computed, out));
}
inline void dense(call_writer& c) { product(c, false, true); }
inline void matmul(call_writer& c) {
    product(c, c.attributes().flag("transpose_a"), c.attributes().flag("transpose_b"));
}

// Reshapes a vector so that it broadcasts along `axis` of a tensor of rank `rank`.
inline value along(call_writer& c, const value& x, std::int64_t axis, std::size_t rank, dim size) {
    if (rank == 0) return c.reshaped(x, {});
    if (axis == static_cast<std::int64_t>(rank) - 1) return x;
    dims shape(rank - static_cast<std::size_t>(axis), dim(1));
    shape[0] = size.is_any() ? dim(-1) : size;
    return c.reshaped(x, shape);
}
// Makes `bias` the bias of the layer that computes argument `i`. False unless this layer is the last node, has no bias,
// and computes a value without other uses.
inline bool take_bias(call_writer& c, std::size_t i, const value& bias) {
    const op_def* const made = c.graph().called_op(c.argument(i));
    if (made == nullptr || !(made->name.starts_with("nn.conv") || made->name.starts_with("nn.dense") ||
                             made->name.starts_with("nn.matmul")))
        return false;
    model_node* const layer = c.take_node_of(i);
    if (layer == nullptr || layer->inputs.size() != 2) return false;
    if (layer->op_type != "Conv" && layer->op_type != "ConvTranspose" && layer->op_type != "Gemm") return false;
    layer->inputs.push_back(bias);
    c.result(c.in(i));
    return true;
}
// Writes an addition. If a constant with one element per channel is added to a layer, it becomes the layer's bias.
inline void add(call_writer& c) {
    for (std::size_t i = 0; i < 2; ++i) {
        const tensor* const other = c.constant_argument(1 - i);
        const dims made = c.result_shape();
        if (other == nullptr || other->rank() > made.size() || made.size() < 2 || made[1].is_any()) continue;
        const std::int64_t channels = made[1].value();
        // The constant's channel axis, or an index out of range if the constant has no channel axis.
        const std::size_t axis = other->rank() + 1 - made.size();
        if (other->size() != channels || axis >= other->rank() || other->shape()[axis] != channels) continue;
        if (c.rank(i) == made.size() && take_bias(c, i, c.constant(other->reshaped({channels})))) return;
    }
    c.result(c.node("Add", {c.in(0), c.in(1)}));
}
inline void bias_add(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    if (axis == 1 && take_bias(c, 0, c.in(1))) return;
    c.result(c.node("Add", {c.in(0), along(c, c.in(1), axis, c.rank(), c.shape(1)[0])}));
}
inline void prelu(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    const value slope = along(c, c.in(1), axis, c.rank(), c.shape(1)[0]);
    if (kernel::is_floating(c.element())) return c.result(c.node("PRelu", {c.in(0), slope}));
    c.result(negative_or(c, c.node("Mul", {c.in(0), slope})));
}
inline void softmax_like(call_writer& c, std::string_view op_type) {
    c.result(c.node(op_type, {c.in()}, node_attributes().integer("axis", c.axis("axis", c.rank()))));
}
inline void softmax(call_writer& c) { softmax_like(c, "Softmax"); }
inline void log_softmax(call_writer& c) { softmax_like(c, "LogSoftmax"); }

// Normalisations.

// Returns the order of axes that moves `axis` to index 1, as ONNX requires. If `back`, returns the inverse order.
inline dims channels_second(std::size_t rank, std::int64_t axis, bool back) {
    dims order;
    for (std::size_t i = 0; i < rank; ++i)
        if (static_cast<std::int64_t>(i) != axis) order.push_back(static_cast<std::int64_t>(i));
    order.push_back(axis);
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
    if (!back) return order;
    dims inverse(rank, dim(0));
    for (std::size_t i = 0; i < rank; ++i)
        inverse[static_cast<std::size_t>(order[i].value())] = static_cast<std::int64_t>(i);
    return inverse;
}
inline value parameter(call_writer& c, std::size_t i, std::string_view flag, double otherwise) {
    if (c.attributes().flag(flag)) return c.in(i);
    return filled(c, {c.sizes(c.in(i), c.shape(i)), c.scalar(otherwise, c.element(i))});
}
// Writes a batch normalisation as arithmetic: (x - mean) * gamma / sqrt(variance + epsilon) + beta.
inline void batch_norm_of_float64(call_writer& c) {
    const std::size_t rank = c.rank();
    const std::int64_t axis = c.axis("axis", rank);
    const auto spread = [&](const value& v, std::size_t i) { return along(c, v, axis, rank, c.shape(i)[0]); };
    const value wide = c.node("Add", {c.in(4), c.scalar(c.attributes().real("epsilon"), c.element())});
    value factor = c.node("Reciprocal", {c.node("Sqrt", {wide})});
    if (c.attributes().flag("scale")) factor = c.node("Mul", {factor, c.in(1)});
    value made = c.node("Mul", {c.node("Sub", {c.in(), spread(c.in(3), 3)}), spread(factor, 1)});
    if (c.attributes().flag("center")) made = c.node("Add", {made, spread(c.in(2), 2)});
    c.results({made, c.in(3), c.in(4)});
}
inline void batch_norm(call_writer& c) {
    const std::size_t rank = c.rank();
    const std::int64_t axis = c.axis("axis", rank);
    if (c.element() == dtype::float64) return batch_norm_of_float64(c);
    const value x = c.transposed(c.in(), channels_second(rank, axis, false));
    const value made =
        c.node("BatchNormalization", {x, parameter(c, 1, "scale", 1), parameter(c, 2, "center", 0), c.in(3), c.in(4)},
               node_attributes().real("epsilon", c.real_in_float32("epsilon")));
    c.results({c.transposed(made, channels_second(rank, axis, true)), c.in(3), c.in(4)});
}
inline void instance_norm(call_writer& c) {
    const std::size_t rank = c.rank();
    const std::int64_t axis = c.axis("axis", rank);
    if (axis == 0) call_writer::refuse("channels on the axis of the batch", "another axis");
    const value x = c.transposed(c.in(), channels_second(rank, axis, false));
    const value made = c.node("InstanceNormalization", {x, parameter(c, 1, "scale", 1), parameter(c, 2, "center", 0)},
                              node_attributes().real("epsilon", c.real_in_float32("epsilon")));
    c.result(c.transposed(made, channels_second(rank, axis, true)));
}
inline void layer_norm(call_writer& c) {
    const std::size_t rank = c.rank();
    const std::int64_t axis = c.axis("axis", rank);
    if (axis + 1 != static_cast<std::int64_t>(rank)) call_writer::refuse("an axis before the last", "the last");
    c.result(c.node("LayerNormalization", {c.in(), parameter(c, 1, "scale", 1), parameter(c, 2, "center", 0)},
                    node_attributes().integer("axis", -1).real("epsilon", c.real_in_float32("epsilon"))));
}
inline void group_norm(call_writer& c) {
    const dims own = c.shape();
    const std::int64_t groups = c.attributes().integer("num_groups");
    if (c.axis("axis", own.size()) != 1 || !is_static(own))
        call_writer::refuse("an axis other than the second, or unknown sizes", "known sizes and axis=1");
    const value parts = c.node("Reshape", {c.in(), c.list({0, groups, -1})});
    const auto all = [&](double n) { return filled(c, {c.list({groups}), c.scalar(n, c.element())}); };
    value made = c.node("InstanceNormalization", {parts, all(1), all(0)},
                        node_attributes().real("epsilon", c.real_in_float32("epsilon")));
    made = c.reshaped(made, own);
    if (c.attributes().flag("scale")) made = c.node("Mul", {made, along(c, c.in(1), 1, own.size(), own[1])});
    if (c.attributes().flag("center")) made = c.node("Add", {made, along(c, c.in(2), 1, own.size(), own[1])});
    c.result(made);
}
inline void lrn(call_writer& c) {
    const attribute_values& a = c.attributes();
    if (c.axis("axis", c.rank()) != 1) call_writer::refuse("an axis other than the second", "axis=1");
    c.result(c.node("LRN", {c.in()},
                    node_attributes()
                        .integer("size", a.integer("size"))
                        .real("alpha", a.real("alpha"))
                        .real("beta", a.real("beta"))
                        .real("bias", a.real("bias"))));
}
inline void l2_normalize(call_writer& c) {
    dims axes;
    for (const dim d : c.attributes().numbers("axis")) axes.push_back(call_writer::from_front(d.value(), c.rank()));
    if (c.attributes().is_none("axis"))
        for (std::size_t i = 0; i < c.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    const value squares = reduced(c, "ReduceSum", c.node("Mul", {c.in(), c.in()}), axes, true);
    const value least = c.scalar(c.attributes().real("eps"), c.element());
    c.result(c.node("Div", {c.in(), c.node("Sqrt", {c.node("Max", {squares, least})})}));
}
inline void dropout(call_writer& c) {
    if (c.result_count() == 1) return c.result(c.in());
    c.results({c.in(), filled(c, {c.sizes(c.in(), c.shape()), c.scalar(1, c.result_element(1))})});
}

/// Rules for layers of neural networks.
inline constexpr write_rule network_rules[]{
    {"add", {}, add},
    {"nn.adaptive_avg_pool1d", {}, adaptive_avg_pool},
    {"nn.adaptive_avg_pool2d", {}, adaptive_avg_pool},
    {"nn.adaptive_avg_pool3d", {}, adaptive_avg_pool},
    {"nn.adaptive_max_pool1d", {}, adaptive_max_pool},
    {"nn.adaptive_max_pool2d", {}, adaptive_max_pool},
    {"nn.adaptive_max_pool3d", {}, adaptive_max_pool},
    {"nn.avg_pool1d", {}, avg_pool},
    {"nn.avg_pool2d", {}, avg_pool},
    {"nn.avg_pool3d", {}, avg_pool},
    {"nn.batch_matmul", {}, matmul},
    {"nn.batch_norm", {}, batch_norm},
    {"nn.bias_add", {}, bias_add},
    {"nn.conv1d", {}, conv},
    {"nn.conv1d_transpose", {}, conv_transpose},
    {"nn.conv2d", {}, conv},
    {"nn.conv2d_transpose", {}, conv_transpose},
    {"nn.conv3d", {}, conv},
    {"nn.conv3d_transpose", {}, conv_transpose},
    {"nn.deformable_conv2d", {}, deformable_conv},
    {"nn.dense", {}, dense},
    {"nn.dropout", {}, dropout},
    {"nn.fast_softmax", {}, softmax},
    {"nn.global_avg_pool2d", {}, global_avg_pool},
    {"nn.global_max_pool2d", {}, global_max_pool},
    {"nn.group_norm", {}, group_norm},
    {"nn.instance_norm", {}, instance_norm},
    {"nn.l2_normalize", {}, l2_normalize},
    {"nn.layer_norm", {}, layer_norm},
    {"nn.log_softmax", {}, log_softmax},
    {"nn.lrn", {}, lrn},
    {"nn.matmul", {}, matmul},
    {"nn.max_pool1d", {}, max_pool},
    {"nn.max_pool2d", {}, max_pool},
    {"nn.max_pool3d", {}, max_pool},
    {"nn.prelu", {}, prelu},
    {"nn.softmax", {}, softmax},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
