#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/qnn_function.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool quantized_function(layout_query& q) {
    if (!q.first()) return false;
    q.in.assign(1, q.first());
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, q.first());
    return true;
}

} // namespace layout_rules

namespace op::qnn {

TUTTI_CONSTEXPR type_id function::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id leaky_relu::infer(relation& r, const attributes&) { return function::infer(r, {}); }

TUTTI_CONSTEXPR type_id simulation::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    if (r.element(0) != dtype::float32) r.refuse(0, "elements of type float32");
    r.expect(1, dims{}, dtype::int32);
    return r.argument(0);
}

} // namespace op::qnn

namespace qnn {

TUTTI_CONSTEXPR expr leaky_relu(expr x, qnn::scale in, qnn::scale out, const qnn_leaky_relu_attributes& attributes) {
    return call_op<op::qnn::leaky_relu>(attributes, x, in.scale, in.zero_point, out.scale, out.zero_point);
}
TUTTI_CONSTEXPR expr simulated_quantize(expr data, expr out_dtype, qnn::scale out,
                                        const simulated_quantize_attributes& attributes) {
    return call_op<op::qnn::simulated_quantize>(attributes, data, out_dtype, out.scale, out.zero_point);
}
TUTTI_CONSTEXPR expr simulated_dequantize(expr data, expr in_dtype, qnn::scale in,
                                          const simulated_quantize_attributes& attributes) {
    return call_op<op::qnn::simulated_dequantize>(attributes, data, in_dtype, in.scale, in.zero_point);
}

} // namespace qnn

} // namespace tutti::relay::inline TUTTI_FORM
