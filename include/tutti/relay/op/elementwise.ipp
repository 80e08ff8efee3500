#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/elementwise.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id elementwise::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id clip::infer(relation& r, const attributes&) { return elementwise::infer(r, {}); }

TUTTI_CONSTEXPR type_id elementwise_question::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.tensor(r.shape(0), dtype::boolean) : type_id::none;
}

} // namespace op

namespace op::nn {

TUTTI_CONSTEXPR type_id leaky_relu::infer(relation& r, const attributes&) { return elementwise::infer(r, {}); }

} // namespace op::nn

TUTTI_CONSTEXPR expr abs(expr data) { return call_op<op::abs>({}, data); }
TUTTI_CONSTEXPR expr acos(expr data) { return call_op<op::acos>({}, data); }
TUTTI_CONSTEXPR expr acosh(expr data) { return call_op<op::acosh>({}, data); }
TUTTI_CONSTEXPR expr asin(expr data) { return call_op<op::asin>({}, data); }
TUTTI_CONSTEXPR expr asinh(expr data) { return call_op<op::asinh>({}, data); }
TUTTI_CONSTEXPR expr atan(expr data) { return call_op<op::atan>({}, data); }
TUTTI_CONSTEXPR expr atanh(expr data) { return call_op<op::atanh>({}, data); }
TUTTI_CONSTEXPR expr bitwise_not(expr data) { return call_op<op::bitwise_not>({}, data); }
TUTTI_CONSTEXPR expr ceil(expr data) { return call_op<op::ceil>({}, data); }
TUTTI_CONSTEXPR expr clip(expr data, const clip_attributes& attributes) { return call_op<op::clip>(attributes, data); }
TUTTI_CONSTEXPR expr copy(expr data) { return call_op<op::copy>({}, data); }
TUTTI_CONSTEXPR expr cos(expr data) { return call_op<op::cos>({}, data); }
TUTTI_CONSTEXPR expr cosh(expr data) { return call_op<op::cosh>({}, data); }
TUTTI_CONSTEXPR expr erf(expr data) { return call_op<op::erf>({}, data); }
TUTTI_CONSTEXPR expr exp(expr data) { return call_op<op::exp>({}, data); }
TUTTI_CONSTEXPR expr fast_erf(expr data) { return call_op<op::fast_erf>({}, data); }
TUTTI_CONSTEXPR expr fast_exp(expr data) { return call_op<op::fast_exp>({}, data); }
TUTTI_CONSTEXPR expr fast_tanh(expr data) { return call_op<op::fast_tanh>({}, data); }
TUTTI_CONSTEXPR expr floor(expr data) { return call_op<op::floor>({}, data); }
TUTTI_CONSTEXPR expr isfinite(expr data) { return call_op<op::isfinite>({}, data); }
TUTTI_CONSTEXPR expr isinf(expr data) { return call_op<op::isinf>({}, data); }
TUTTI_CONSTEXPR expr isnan(expr data) { return call_op<op::isnan>({}, data); }
TUTTI_CONSTEXPR expr log(expr data) { return call_op<op::log>({}, data); }
TUTTI_CONSTEXPR expr log10(expr data) { return call_op<op::log10>({}, data); }
TUTTI_CONSTEXPR expr log2(expr data) { return call_op<op::log2>({}, data); }
TUTTI_CONSTEXPR expr logical_not(expr data) { return call_op<op::logical_not>({}, data); }
TUTTI_CONSTEXPR expr negative(expr data) { return call_op<op::negative>({}, data); }
TUTTI_CONSTEXPR expr round(expr data) { return call_op<op::round>({}, data); }
TUTTI_CONSTEXPR expr rsqrt(expr data) { return call_op<op::rsqrt>({}, data); }
TUTTI_CONSTEXPR expr sigmoid(expr data) { return call_op<op::sigmoid>({}, data); }
TUTTI_CONSTEXPR expr sign(expr data) { return call_op<op::sign>({}, data); }
TUTTI_CONSTEXPR expr sin(expr data) { return call_op<op::sin>({}, data); }
TUTTI_CONSTEXPR expr sinh(expr data) { return call_op<op::sinh>({}, data); }
TUTTI_CONSTEXPR expr sqrt(expr data) { return call_op<op::sqrt>({}, data); }
TUTTI_CONSTEXPR expr tan(expr data) { return call_op<op::tan>({}, data); }
TUTTI_CONSTEXPR expr tanh(expr data) { return call_op<op::tanh>({}, data); }
TUTTI_CONSTEXPR expr trunc(expr data) { return call_op<op::trunc>({}, data); }

namespace nn {

TUTTI_CONSTEXPR expr leaky_relu(expr data, const leaky_relu_attributes& attributes) {
    return call_op<op::nn::leaky_relu>(attributes, data);
}
TUTTI_CONSTEXPR expr relu(expr data) { return call_op<op::nn::relu>({}, data); }

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
