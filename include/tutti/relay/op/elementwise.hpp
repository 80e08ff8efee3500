#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of clip: the minimum and maximum.
struct clip_attributes {
    required<double> a_min{};
    required<double> a_max{};

    static constexpr option_list<&clip_attributes::a_min, &clip_attributes::a_max> options{"a_min", "a_max"};
};

/// Attributes of nn.leaky_relu: the slope below zero.
struct leaky_relu_attributes {
    double alpha = 0.25;

    static constexpr option_list<&leaky_relu_attributes::alpha> options{"alpha"};
};

namespace op {

/// Base of unary elementwise operators: the result has the argument's type.
struct elementwise {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Base of elementwise functions with rounded results.
struct rounded_elementwise : elementwise {
    static constexpr bool rounds = true;
};

/// |x|
struct abs : elementwise, named<"abs"> {};
/// e^x
struct exp : rounded_elementwise, named<"exp", precision_rule::never> {};
/// Natural logarithm
struct log : rounded_elementwise, named<"log"> {};
struct log2 : rounded_elementwise, named<"log2"> {};
struct log10 : rounded_elementwise, named<"log10"> {};
/// -x
struct negative : elementwise, named<"negative"> {};
/// 1 / sqrt(x)
struct rsqrt : rounded_elementwise, named<"rsqrt"> {};
/// 1 / (1 + e^-x)
struct sigmoid : rounded_elementwise, named<"sigmoid", precision_rule::follow> {};
struct sqrt : rounded_elementwise, named<"sqrt", precision_rule::follow> {};

struct sin : rounded_elementwise, named<"sin"> {};
struct cos : rounded_elementwise, named<"cos"> {};
struct tan : rounded_elementwise, named<"tan"> {};
struct asin : rounded_elementwise, named<"asin"> {};
struct acos : rounded_elementwise, named<"acos"> {};
struct atan : rounded_elementwise, named<"atan"> {};
struct sinh : rounded_elementwise, named<"sinh"> {};
struct cosh : rounded_elementwise, named<"cosh"> {};
struct tanh : rounded_elementwise, named<"tanh", precision_rule::follow> {};
struct asinh : rounded_elementwise, named<"asinh"> {};
struct acosh : rounded_elementwise, named<"acosh"> {};
struct atanh : rounded_elementwise, named<"atanh"> {};

/// x
struct copy : elementwise, named<"copy", precision_rule::follow> {};
/// The error function
struct erf : rounded_elementwise, named<"erf", precision_rule::never> {};
/// Largest integer not greater than x
struct floor : elementwise, named<"floor"> {};
/// Smallest integer not less than x
struct ceil : elementwise, named<"ceil"> {};
/// Nearest integer, with halves rounded away from zero
struct round : elementwise, named<"round"> {};
/// Integer part: rounds toward zero
struct trunc : elementwise, named<"trunc"> {};
/// Sign of x: -1, 0 or 1
struct sign : elementwise, named<"sign"> {};

/// Negation of bool
struct logical_not : elementwise, named<"logical_not"> {};
/// Complement of each bit, for integers and bool
struct bitwise_not : elementwise, named<"bitwise_not"> {};

/// The error function, approximately
struct fast_erf : rounded_elementwise, named<"fast_erf", precision_rule::follow> {};
/// e^x, approximately
struct fast_exp : rounded_elementwise, named<"fast_exp", precision_rule::follow> {};
/// Hyperbolic tangent, approximately
struct fast_tanh : rounded_elementwise, named<"fast_tanh", precision_rule::follow> {};

/// x limited to [a_min, a_max]
struct clip : elementwise {
    static constexpr std::string_view name = "clip";
    using attributes = clip_attributes;
    static constexpr auto precision = precision_rule::follow;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Base of predicates on elements: the result is bool.
struct elementwise_question : elementwise {
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
struct isfinite : elementwise_question, named<"isfinite"> {};
struct isinf : elementwise_question, named<"isinf"> {};
struct isnan : elementwise_question, named<"isnan"> {};

namespace nn {
/// x, or alpha · x if x is negative
struct leaky_relu : rounded_elementwise {
    static constexpr std::string_view name = "nn.leaky_relu";
    using attributes = leaky_relu_attributes;
    static constexpr bool scales = true;
    static constexpr auto precision = precision_rule::follow;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
/// max(x, 0)
struct relu : elementwise, named<"nn.relu", precision_rule::follow> {
    static constexpr bool scales = true;
};
} // namespace nn

} // namespace op

/// Unary elementwise operators.
using elementwise_ops =
    op_list<op::abs, op::acos, op::acosh, op::asin, op::asinh, op::atan, op::atanh, op::bitwise_not, op::ceil, op::clip,
            op::copy, op::cos, op::cosh, op::erf, op::exp, op::fast_erf, op::fast_exp, op::fast_tanh, op::floor,
            op::isfinite, op::isinf, op::isnan, op::log, op::log10, op::log2, op::logical_not, op::negative, op::round,
            op::rsqrt, op::sigmoid, op::sign, op::sin, op::sinh, op::sqrt, op::tan, op::tanh, op::trunc,
            op::nn::leaky_relu, op::nn::relu>;

TUTTI_CONSTEXPR expr abs(expr data);
TUTTI_CONSTEXPR expr acos(expr data);
TUTTI_CONSTEXPR expr acosh(expr data);
TUTTI_CONSTEXPR expr asin(expr data);
TUTTI_CONSTEXPR expr asinh(expr data);
TUTTI_CONSTEXPR expr atan(expr data);
TUTTI_CONSTEXPR expr atanh(expr data);
TUTTI_CONSTEXPR expr bitwise_not(expr data);
TUTTI_CONSTEXPR expr ceil(expr data);
TUTTI_CONSTEXPR expr clip(expr data, const clip_attributes& attributes);
TUTTI_CONSTEXPR expr copy(expr data);
TUTTI_CONSTEXPR expr cos(expr data);
TUTTI_CONSTEXPR expr cosh(expr data);
TUTTI_CONSTEXPR expr erf(expr data);
TUTTI_CONSTEXPR expr exp(expr data);
TUTTI_CONSTEXPR expr fast_erf(expr data);
TUTTI_CONSTEXPR expr fast_exp(expr data);
TUTTI_CONSTEXPR expr fast_tanh(expr data);
TUTTI_CONSTEXPR expr floor(expr data);
TUTTI_CONSTEXPR expr isfinite(expr data);
TUTTI_CONSTEXPR expr isinf(expr data);
TUTTI_CONSTEXPR expr isnan(expr data);
TUTTI_CONSTEXPR expr log(expr data);
TUTTI_CONSTEXPR expr log10(expr data);
TUTTI_CONSTEXPR expr log2(expr data);
TUTTI_CONSTEXPR expr logical_not(expr data);
TUTTI_CONSTEXPR expr negative(expr data);
TUTTI_CONSTEXPR expr round(expr data);
TUTTI_CONSTEXPR expr rsqrt(expr data);
TUTTI_CONSTEXPR expr sigmoid(expr data);
TUTTI_CONSTEXPR expr sign(expr data);
TUTTI_CONSTEXPR expr sin(expr data);
TUTTI_CONSTEXPR expr sinh(expr data);
TUTTI_CONSTEXPR expr sqrt(expr data);
TUTTI_CONSTEXPR expr tan(expr data);
TUTTI_CONSTEXPR expr tanh(expr data);
TUTTI_CONSTEXPR expr trunc(expr data);

namespace nn {
TUTTI_CONSTEXPR expr leaky_relu(expr data, const leaky_relu_attributes& attributes = {});
TUTTI_CONSTEXPR expr relu(expr data);
} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/elementwise.ipp>
#endif
