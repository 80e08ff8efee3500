#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <array>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of qnn.add, qnn.mul and qnn.subtract: the axes of scales and zero points that are vectors.
struct qnn_broadcast_attributes {
    std::int64_t lhs_axis = -1;
    std::int64_t rhs_axis = -1;

    static constexpr option_list<&qnn_broadcast_attributes::lhs_axis, &qnn_broadcast_attributes::rhs_axis> options{
        "lhs_axis", "rhs_axis"};
};

/// Attributes of qnn.quantize: the result's element type, and the axis of scale and zero point if they are vectors.
struct quantize_attributes {
    required<dtype> out_dtype{};
    std::int64_t axis = -1;

    static constexpr option_list<&quantize_attributes::out_dtype, &quantize_attributes::axis> options{"out_dtype",
                                                                                                      "axis"};
};

/// Attributes of qnn.dequantize: the axis of scale and zero point if they are vectors.
struct dequantize_attributes {
    std::int64_t axis = -1;

    static constexpr option_list<&dequantize_attributes::axis> options{"axis"};
};

/// Attributes of qnn.requantize: the axis of scales and zero points that are vectors, the rounding, the type of the
/// computation, and the result's element type.
struct requantize_attributes {
    std::int64_t axis = -1;
    std::string_view rounding = "None";
    std::string_view compute_dtype = "None";
    dtype out_dtype = dtype::none;

    static constexpr option_list<&requantize_attributes::axis, &requantize_attributes::rounding,
                                 &requantize_attributes::compute_dtype, &requantize_attributes::out_dtype>
        options{"axis", "rounding", "compute_dtype", "out_dtype"};
};

namespace layout_rules {

/// Relates the layouts of qnn.concatenate. Its arguments are tensors, their scales and zero points, then the result's
/// scale and zero point.
TUTTI_CONSTEXPR bool qnn_concatenate(layout_query& q);

/// Moves the axis of qnn.requantize with the layout. Requires a layout without blocks.
TUTTI_CONSTEXPR bool requantize(layout_query& q);

} // namespace layout_rules

namespace op::qnn {

// Operators on quantised tensors: an element q represents scale · (q - zero point). The shapes of the results follow
// from the arguments as for the unquantised operators of the same names. Scales are float32, whatever the data's type.

/// Base of quantised binary operators with broadcasting.
struct broadcast {
    static constexpr std::array<std::string_view, 8> arguments{"lhs",          "rhs",
                                                               "lhs_scale",    "lhs_zero_point",
                                                               "rhs_scale",    "rhs_zero_point",
                                                               "output_scale", "output_zero_point"};
    using attributes = qnn_broadcast_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto layout = &layout_rules::broadcast;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
struct add : broadcast, named<"qnn.add", precision_rule::never> {};
struct mul : broadcast, named<"qnn.mul", precision_rule::never> {};
struct subtract : broadcast, named<"qnn.subtract", precision_rule::never> {};

struct concatenate : op::concatenate {
    static constexpr std::string_view name = "qnn.concatenate";
    static constexpr std::array<std::string_view, 5> arguments{"data", "input_scales", "input_zero_points",
                                                               "output_scale", "output_zero_point"};
    static constexpr auto layout = &layout_rules::qnn_concatenate;
    static constexpr auto precision = precision_rule::never;
};

/// Base of products of two quantised tensors. Each tensor has a scale and a zero point.
struct product {
    // Named as in the reference, although calls have both zero points before the scales.
    static constexpr std::array<std::string_view, 6> arguments{
        "data", "weight", "input_scale", "input_zero_point", "weight_scale", "weight_zero_point"};
    static constexpr auto precision = precision_rule::never;
};
struct conv2d : product {
    static constexpr std::string_view name = "qnn.conv2d";
    using attributes = conv2d_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::convolution;
    static constexpr auto convert = &layout_conversions::convolution;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
struct conv2d_transpose : product {
    static constexpr std::string_view name = "qnn.conv2d_transpose";
    using attributes = conv2d_transpose_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::convolution;
    static constexpr auto convert = &layout_conversions::transposed_convolution;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
struct batch_matmul : product {
    static constexpr std::string_view name = "qnn.batch_matmul";
    static constexpr std::array<std::string_view, 6> arguments{"x",       "y",      "x_zero_point", "y_zero_point",
                                                               "x_scale", "y_scale"};
    using attributes = batch_matmul_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
struct dense : product {
    static constexpr std::string_view name = "qnn.dense";
    using attributes = dense_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct quantize {
    static constexpr std::string_view name = "qnn.quantize";
    static constexpr std::array<std::string_view, 3> arguments{"data", "output_scale", "output_zero_point"};
    using attributes = quantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct dequantize {
    static constexpr std::string_view name = "qnn.dequantize";
    static constexpr std::array<std::string_view, 3> arguments{"data", "input_scale", "input_zero_point"};
    using attributes = dequantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct requantize {
    static constexpr std::string_view name = "qnn.requantize";
    static constexpr std::array<std::string_view, 5> arguments{"data", "input_scale", "input_zero_point",
                                                               "output_scale", "output_zero_point"};
    using attributes = requantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto precision = precision_rule::never;
    static constexpr auto layout = &layout_rules::requantize;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::qnn

/// Operators on quantised tensors.
using qnn_ops = op_list<op::qnn::add, op::qnn::batch_matmul, op::qnn::concatenate, op::qnn::conv2d,
                        op::qnn::conv2d_transpose, op::qnn::dense, op::qnn::dequantize, op::qnn::mul, op::qnn::quantize,
                        op::qnn::requantize, op::qnn::subtract>;

namespace qnn {

/// The quantisation of a tensor: an element q represents scale · (q - zero_point).
struct scale {
    expr scale;
    expr zero_point;
};

TUTTI_CONSTEXPR expr add(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                         const qnn_broadcast_attributes& attributes = {});
TUTTI_CONSTEXPR expr mul(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                         const qnn_broadcast_attributes& attributes = {});
TUTTI_CONSTEXPR expr subtract(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                              const qnn_broadcast_attributes& attributes = {});
/// Calls qnn.concatenate. The data and its scales and zero points are tuples.
TUTTI_CONSTEXPR expr concatenate(expr data, qnn::scale in, qnn::scale out,
                                 const concatenate_attributes& attributes = {});
/// Calls qnn.conv2d. Writes out the padding of all four sides. In the call, the zero points come before the scales.
TUTTI_CONSTEXPR expr conv2d(expr data, expr weight, qnn::scale d, qnn::scale w, conv2d_attributes attributes = {});
/// Calls qnn.conv2d_transpose. Treats padding and zero points like `conv2d`.
TUTTI_CONSTEXPR expr conv2d_transpose(expr data, expr weight, qnn::scale d, qnn::scale w,
                                      conv2d_transpose_attributes attributes = {});
/// Calls qnn.dense. In the call, the zero points come before the scales.
TUTTI_CONSTEXPR expr dense(expr data, expr weight, qnn::scale d, qnn::scale w, const dense_attributes& attributes = {});
/// Calls qnn.batch_matmul. Computes a · bᵀ in int32 by default. In the call, the zero points come before the scales.
TUTTI_CONSTEXPR expr batch_matmul(expr a, expr b, qnn::scale l, qnn::scale r,
                                  const batch_matmul_attributes& attributes = {.out_dtype = dtype::int32,
                                                                               .transpose_b = true});
TUTTI_CONSTEXPR expr dequantize(expr data, qnn::scale in, const dequantize_attributes& attributes = {});
TUTTI_CONSTEXPR expr quantize(expr data, qnn::scale out, const quantize_attributes& attributes);
TUTTI_CONSTEXPR expr requantize(expr data, qnn::scale in, qnn::scale out, const requantize_attributes& attributes = {});

} // namespace qnn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/qnn.ipp>
#endif
