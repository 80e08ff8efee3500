#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/qnn.hpp>

#include <array>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of qnn.leaky_relu: the slope below zero.
struct qnn_leaky_relu_attributes {
    required<double> alpha{};

    static constexpr option_list<&qnn_leaky_relu_attributes::alpha> options{"alpha"};
};

/// Attributes of qnn.simulated_quantize and qnn.simulated_dequantize: the axis of scale and zero point if they are
/// vectors.
struct simulated_quantize_attributes {
    std::int64_t axis = -1;

    static constexpr option_list<&simulated_quantize_attributes::axis> options{"axis"};
};

namespace layout_rules {

/// Accepts any layout of the data, and gives the result the same layout. Further arguments are scales and zero points.
TUTTI_CONSTEXPR bool quantized_function(layout_query& q);

} // namespace layout_rules

namespace op::qnn {

/// Base of functions of quantised elements. The result has the data's type, and a scale and a zero point of its own.
struct function {
    static constexpr std::array<std::string_view, 5> arguments{"x", "scale", "zero_point", "output_scale",
                                                               "output_zero_point"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::quantized_function;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
struct abs : function, named<"qnn.abs", precision_rule::never> {};
struct erf : function, named<"qnn.erf", precision_rule::never> {};
struct exp : function, named<"qnn.exp", precision_rule::never> {};
struct hardswish : function, named<"qnn.hardswish", precision_rule::never> {};
struct log : function, named<"qnn.log", precision_rule::never> {};
struct rsqrt : function, named<"qnn.rsqrt", precision_rule::never> {};
struct sigmoid : function, named<"qnn.sigmoid", precision_rule::never> {};
struct sqrt : function, named<"qnn.sqrt", precision_rule::never> {};
struct tanh : function, named<"qnn.tanh", precision_rule::never> {};

/// x, or alpha · x for negative x
struct leaky_relu : function {
    static constexpr std::string_view name = "qnn.leaky_relu";
    using attributes = qnn_leaky_relu_attributes;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Base of operators that simulate quantisation on floating-point numbers. An argument selects the quantised type: 0
/// for none (the result is the data), 1 for int8, 2 for uint8, 3 for int32.
struct simulation {
    using attributes = simulated_quantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr bool rounds = true;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
struct simulated_quantize : simulation {
    static constexpr std::string_view name = "qnn.simulated_quantize";
    static constexpr std::array<std::string_view, 4> arguments{"data", "out_dtype", "output_scale",
                                                               "output_zero_point"};
};
struct simulated_dequantize : simulation {
    static constexpr std::string_view name = "qnn.simulated_dequantize";
    static constexpr std::array<std::string_view, 4> arguments{"data", "in_dtype", "input_scale", "input_zero_point"};
};

} // namespace op::qnn

/// Functions of quantised tensors, and simulated quantisation.
using qnn_function_ops = op_list<op::qnn::abs, op::qnn::erf, op::qnn::exp, op::qnn::hardswish, op::qnn::leaky_relu,
                                 op::qnn::log, op::qnn::rsqrt, op::qnn::sigmoid, op::qnn::simulated_dequantize,
                                 op::qnn::simulated_quantize, op::qnn::sqrt, op::qnn::tanh>;

namespace qnn {

/// Builds calls of the function `Op` of a quantised tensor: `qnn::tanh(x, in, out)`.
template <class Op>
struct function_call {
    constexpr expr operator()(expr x, qnn::scale in, qnn::scale out) const {
        return call_op<Op>({}, x, in.scale, in.zero_point, out.scale, out.zero_point);
    }
};
inline constexpr function_call<op::qnn::abs> abs{};
inline constexpr function_call<op::qnn::erf> erf{};
inline constexpr function_call<op::qnn::exp> exp{};
inline constexpr function_call<op::qnn::hardswish> hardswish{};
inline constexpr function_call<op::qnn::log> log{};
inline constexpr function_call<op::qnn::rsqrt> rsqrt{};
inline constexpr function_call<op::qnn::sigmoid> sigmoid{};
inline constexpr function_call<op::qnn::sqrt> sqrt{};
inline constexpr function_call<op::qnn::tanh> tanh{};

TUTTI_CONSTEXPR expr leaky_relu(expr x, qnn::scale in, qnn::scale out, const qnn_leaky_relu_attributes& attributes);
TUTTI_CONSTEXPR expr simulated_quantize(expr data, expr out_dtype, qnn::scale out,
                                        const simulated_quantize_attributes& attributes = {});
TUTTI_CONSTEXPR expr simulated_dequantize(expr data, expr in_dtype, qnn::scale in,
                                          const simulated_quantize_attributes& attributes = {});

} // namespace qnn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/qnn_function.ipp>
#endif
