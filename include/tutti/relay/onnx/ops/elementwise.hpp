#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reshape.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

template <expr (*Make)(expr)>
expr import_unary(node_context& c) {
    return Make(c.input(0));
}

// Returns the second input in a shape that broadcasts to the first. Before version 7, an attribute aligned the first
// axis of the second input with an axis of the first input.
inline expr second_operand(node_context& c) {
    const expr b = c.input(1);
    if (c.opset() >= 7 || !c.flag("broadcast") || !c.has_attribute("axis")) return b;
    const std::size_t rank = c.rank(c.input(0));
    const auto axis = static_cast<std::size_t>(c.axis_of(c.integer("axis", 0), rank));
    dims shape = c.shape(b);
    while (axis + shape.size() < rank) shape.push_back(1);
    return relay::reshape(b, {.newshape = shape});
}

template <expr (*Make)(expr, expr)>
expr import_binary(node_context& c) {
    return Make(c.input(0), second_operand(c));
}

template <expr (*Make)(expr, expr)>
expr import_variadic(node_context& c) {
    expr all = c.input(0);
    for (std::size_t i = 1; i < c.input_count(); ++i) all = Make(all, c.input(i));
    return all;
}

/// Returns a constant of rank 0 with the element type of `like`.
inline expr number_like(node_context& c, expr like, double value) { return c.number(value, c.element(like)); }

inline expr import_identity(node_context& c) { return c.input(0); }

inline expr import_mean(node_context& c) {
    const expr all = import_variadic<relay::add>(c);
    return relay::divide(all, number_like(c, all, static_cast<double>(c.input_count())));
}

inline expr import_mod(node_context& c) {
    return c.flag("fmod") ? relay::mod(c.input(0), c.input(1)) : relay::floor_mod(c.input(0), c.input(1));
}

inline expr import_pow(node_context& c) {
    const expr base = c.input(0);
    const expr power = second_operand(c);
    const dtype type = c.element(base);
    if (kernel::is_floating(type)) return relay::power(base, c.cast_to(power, type));
    const dtype wide = dtype::float64; // represents every int32 exactly, but may round an int64
    return relay::cast(relay::power(c.cast_to(base, wide), c.cast_to(power, wide)), {.dtype = type});
}

inline expr import_reciprocal(node_context& c) { return relay::divide(number_like(c, c.input(0), 1), c.input(0)); }

// Rounds to the nearest integer, ties to even.
inline expr round_half_even(node_context& c, expr x) {
    const expr low = relay::floor(x);
    const expr rest = relay::subtract(x, low);
    const expr half = number_like(c, x, 0.5);
    const expr two = number_like(c, x, 2);
    const expr odd =
        relay::not_equal(relay::multiply(relay::floor(relay::divide(low, two)), two), low); // true if `low` is odd
    const expr up = relay::logical_or(relay::greater(rest, half), relay::logical_and(relay::equal(rest, half), odd));
    return relay::add(low, relay::cast(up, {.dtype = c.element(x)}));
}
inline expr import_round(node_context& c) { return round_half_even(c, c.input(0)); }

// Converts to float8_e8m0fnu, which holds powers of two. Its bits are the exponent of a float32.
inline expr cast_to_powers(node_context& c, expr x, bool saturates, std::string_view mode) {
    const std::int64_t added = mode == "up" ? 0x7FFFFF : mode == "nearest" ? 0x400000 : 0;
    if (mode != "up" && mode != "nearest" && mode != "down")
        c.refuse("round_mode `" + std::string(mode) + "`", "up, down or nearest");
    const auto number = [&](std::int64_t n) { return c.number(static_cast<double>(n), dtype::int32); };
    const expr bits = relay::bitwise_and(relay::reinterpret(c.cast_to(x, dtype::float32), {.dtype = dtype::int32}),
                                         number(0x7FFFFFFF));
    expr exponent = relay::right_shift(relay::add(bits, number(added)), number(23));
    if (saturates) exponent = relay::minimum(exponent, number(254));
    const expr finite = relay::less(bits, number(0x7F800000));
    return relay::reinterpret(relay::cast(relay::where(finite, exponent, number(255)), {.dtype = dtype::uint8}),
                              {.dtype = dtype::float8_e8m0fnu});
}

/// Converts elements. If `saturates` is true, conversions to narrow floating-point types saturate.
inline expr cast_saturated(node_context& c, expr x, dtype type, bool saturates = true) {
    if (c.element(x) == type || !kernel::is_narrow_floating(type) || !saturates) return c.cast_to(x, type);
    const double most = kernel::greatest_of(type);
    return relay::cast(relay::clip(c.cast_to(x, dtype::float32), {.a_min = -most, .a_max = most}), {.dtype = type});
}

inline expr cast_as_asked(node_context& c, dtype type) {
    const expr x = c.input(0);
    const bool saturates = c.integer("saturate", 1) != 0;
    if (type == dtype::float8_e8m0fnu && c.element(x) != type)
        return cast_to_powers(c, x, saturates, c.text("round_mode", "up"));
    if (kernel::is_narrow_integer(type) && !kernel::is_integer(c.element(x))) // wraps, does not saturate
        return c.cast_to(c.cast_to(x, dtype::int32), type);
    return cast_saturated(c, x, type, saturates);
}
inline expr import_cast(node_context& c) { return cast_as_asked(c, c.type_of_number(c.integer("to"))); }
inline expr import_cast_like(node_context& c) { return cast_as_asked(c, c.element(c.input(1))); }

inline expr import_clip(node_context& c) {
    expr x = c.input(0);
    const dtype type = c.element(x);
    const bool by_inputs = c.opset() >= 11;
    const auto given = [&](std::size_t i, std::string_view name) -> std::optional<expr> {
        if (by_inputs) return c.has(i) ? std::optional(c.cast_to(c.input(i), type)) : std::nullopt;
        return c.has_attribute(name) ? std::optional(c.number(c.real(name, 0), type)) : std::nullopt;
    };
    const auto is_known = [&](std::size_t i, std::string_view name) {
        return by_inputs ? c.known_number_of(i).has_value() : c.has_attribute(name);
    };
    const auto known = [&](std::size_t i, std::string_view name) {
        return by_inputs ? c.known_number_of(i).value_or(0) : c.real(name, 0);
    };
    if (kernel::is_floating(type) && is_known(1, "min") && is_known(2, "max"))
        return relay::clip(x, {.a_min = known(1, "min"), .a_max = known(2, "max")});
    if (const std::optional<expr> low = given(1, "min")) x = relay::maximum(x, *low);
    if (const std::optional<expr> high = given(2, "max")) x = relay::minimum(x, *high);
    return x;
}

// Returns gamma * x for x above 0, and gamma * alpha * (exp(x) - 1) below.
inline expr exponential_unit(node_context& c, double alpha, double gamma) {
    const expr x = c.input(0);
    const expr below =
        relay::multiply(number_like(c, x, alpha),
                        relay::subtract(relay::exp(relay::minimum(x, number_like(c, x, 0))), number_like(c, x, 1)));
    const expr unit = relay::add(nn::relu(x), below);
    return gamma == 1 ? unit : relay::multiply(number_like(c, x, gamma), unit);
}
inline expr import_elu(node_context& c) { return exponential_unit(c, c.real("alpha", 1), 1); }
inline expr import_selu(node_context& c) {
    const bool old = c.opset() < 6;
    return exponential_unit(c, c.real("alpha", old ? 1.6732 : 1.67326319217681884765625),
                            c.real("gamma", old ? 1.0507 : 1.05070102214813232421875));
}
inline expr import_celu(node_context& c) {
    const expr x = c.input(0);
    const expr alpha = number_like(c, x, c.real("alpha", 1));
    const expr zero = number_like(c, x, 0);
    const expr below = relay::multiply(
        alpha, relay::subtract(relay::exp(relay::divide(relay::minimum(x, zero), alpha)), number_like(c, x, 1)));
    return relay::add(nn::relu(x), below);
}

inline expr hard_sigmoid(node_context& c, expr x, double alpha, double beta) {
    return relay::clip(relay::add(relay::multiply(x, number_like(c, x, alpha)), number_like(c, x, beta)),
                       {.a_min = 0.0, .a_max = 1.0});
}
inline expr import_hard_sigmoid(node_context& c) {
    return hard_sigmoid(c, c.input(0), c.real("alpha", 0.2), c.real("beta", 0.5));
}
inline expr import_hard_swish(node_context& c) {
    return relay::multiply(c.input(0), hard_sigmoid(c, c.input(0), 1.0 / 6, 0.5));
}
inline expr import_leaky_relu(node_context& c) { return nn::leaky_relu(c.input(0), {.alpha = c.real("alpha", 0.01)}); }
inline expr import_prelu(node_context& c) {
    const expr x = c.input(0);
    expr slope = c.input(1);
    const dims shape = c.shape(x), slopes = c.shape(slope);
    if (c.opset() < 7 && slopes.size() == 1 && shape.size() > 2) { // there is one slope per channel
        dims along = slopes;
        while (along.size() + 1 < shape.size()) along.push_back(1);
        slope = relay::reshape(slope, {.newshape = along});
    }
    return relay::where(relay::less(x, number_like(c, x, 0)), relay::multiply(x, slope), x);
}
inline expr import_thresholded_relu(node_context& c) {
    const expr x = c.input(0);
    return relay::where(relay::less_equal(x, number_like(c, x, c.real("alpha", 1))), number_like(c, x, 0),
                        x); // a comparison with NaN is false, so NaN stays NaN
}
// Avoids overflow: exp is applied to negative numbers only.
inline expr import_softplus(node_context& c) {
    const expr x = c.input(0);
    const expr rest = relay::log(relay::add(number_like(c, x, 1), relay::exp(relay::negative(relay::abs(x)))));
    return relay::add(nn::relu(x), rest);
}
inline expr import_softsign(node_context& c) {
    const expr x = c.input(0);
    return relay::divide(x, relay::add(number_like(c, x, 1), relay::abs(x)));
}
inline expr import_shrink(node_context& c) {
    const expr x = c.input(0);
    const double lambda = c.real("lambd", 0.5);
    const expr bias = number_like(c, x, c.real("bias", 0));
    const expr above = relay::where(relay::greater(x, number_like(c, x, lambda)), relay::subtract(x, bias),
                                    relay::multiply(x, number_like(c, x, 0)));
    return relay::where(relay::less(x, number_like(c, x, -lambda)), relay::add(x, bias), above);
}

inline expr import_is_inf(node_context& c) {
    const expr x = c.input(0);
    const bool negative = c.flag("detect_negative", true), positive = c.flag("detect_positive", true);
    const expr all = relay::isinf(x);
    if (negative && positive) return all;
    const expr zero = number_like(c, x, 0);
    if (!negative && !positive) return relay::logical_and(all, c.number(0, dtype::boolean));
    return relay::logical_and(all, negative ? relay::less(x, zero) : relay::greater(x, zero));
}

inline expr import_bit_shift(node_context& c) {
    const std::string_view direction = c.text("direction", "");
    if (direction == "LEFT") return relay::left_shift(c.input(0), c.input(1));
    if (direction == "RIGHT") return relay::right_shift(c.input(0), c.input(1));
    c.refuse("direction `" + std::string(direction) + "`", "LEFT or RIGHT");
}

// x * tanh(softplus(x)).
inline expr import_mish(node_context& c) { return relay::multiply(c.input(0), relay::tanh(import_softplus(c))); }

// x / 2 * (1 + erf(x / sqrt(2))), or its approximation by tanh.
inline expr gelu(node_context& c, expr x, bool approximate) {
    const expr half = relay::multiply(x, number_like(c, x, 0.5));
    if (!approximate)
        return relay::multiply(
            half, relay::add(number_like(c, x, 1), relay::erf(relay::multiply(x, number_like(c, x, std::sqrt(0.5))))));
    const expr cube = relay::multiply(relay::multiply(x, x), x);
    const expr inner = relay::multiply(number_like(c, x, std::sqrt(2 / std::numbers::pi)),
                                       relay::add(x, relay::multiply(number_like(c, x, 0.044715), cube)));
    return relay::multiply(half, relay::add(number_like(c, x, 1), relay::tanh(inner)));
}
inline expr import_gelu(node_context& c) {
    const std::string_view how = c.text("approximate", "none");
    if (how != "none" && how != "tanh") c.refuse("approximate `" + std::string(how) + "`", "none or tanh");
    return gelu(c, c.input(0), how == "tanh");
}

// x * sigmoid(alpha * x).
inline expr swish(node_context& c, expr x, double alpha) {
    const expr scaled = alpha == 1 ? x : relay::multiply(x, number_like(c, x, alpha));
    return relay::multiply(x, relay::sigmoid(scaled));
}
inline expr import_swish(node_context& c) { return swish(c, c.input(0), c.real("alpha", 1)); }

inline expr import_swiglu(node_context& c) { return relay::multiply(import_swish(c), c.input(1)); }

inline expr import_bit_cast(node_context& c) {
    const dtype to = c.type_of_number(c.integer("to"));
    const dtype from = c.element(c.input(0));
    if (kernel::bytes(to) != kernel::bytes(from))
        c.refuse("elements of another size", "a type of " + std::to_string(kernel::bytes(from)) + " bytes");
    return relay::reinterpret(c.input(0), {.dtype = to});
}

inline expr import_where(node_context& c) { return relay::where(c.input(0), c.input(1), c.input(2)); }

} // namespace detail

/// Elementwise operators.
inline constexpr import_rule elementwise_rules[]{
    {"Abs", detail::import_unary<relay::abs>},
    {"Acos", detail::import_unary<relay::acos>},
    {"Acosh", detail::import_unary<relay::acosh>},
    {"Add", detail::import_binary<relay::add>},
    {"And", detail::import_binary<relay::logical_and>},
    {"Asin", detail::import_unary<relay::asin>},
    {"Asinh", detail::import_unary<relay::asinh>},
    {"Atan", detail::import_unary<relay::atan>},
    {"Atanh", detail::import_unary<relay::atanh>},
    {"BitCast", detail::import_bit_cast},
    {"BitShift", detail::import_bit_shift},
    {"BitwiseAnd", detail::import_binary<relay::bitwise_and>},
    {"BitwiseNot", detail::import_unary<relay::bitwise_not>},
    {"BitwiseOr", detail::import_binary<relay::bitwise_or>},
    {"BitwiseXor", detail::import_binary<relay::bitwise_xor>},
    {"Cast", detail::import_cast},
    {"CastLike", detail::import_cast_like},
    {"Ceil", detail::import_unary<relay::ceil>},
    {"Celu", detail::import_celu},
    {"Clip", detail::import_clip},
    {"Cos", detail::import_unary<relay::cos>},
    {"Cosh", detail::import_unary<relay::cosh>},
    {"Div", detail::import_binary<relay::divide>},
    {"Elu", detail::import_elu},
    {"Equal", detail::import_binary<relay::equal>},
    {"Erf", detail::import_unary<relay::erf>},
    {"Exp", detail::import_unary<relay::exp>},
    {"Floor", detail::import_unary<relay::floor>},
    {"Gelu", detail::import_gelu},
    {"Greater", detail::import_binary<relay::greater>},
    {"GreaterOrEqual", detail::import_binary<relay::greater_equal>},
    {"HardSigmoid", detail::import_hard_sigmoid},
    {"HardSwish", detail::import_hard_swish},
    {"Identity", detail::import_identity},
    {"IsInf", detail::import_is_inf},
    {"IsNaN", detail::import_unary<relay::isnan>},
    {"LeakyRelu", detail::import_leaky_relu},
    {"Less", detail::import_binary<relay::less>},
    {"LessOrEqual", detail::import_binary<relay::less_equal>},
    {"Log", detail::import_unary<relay::log>},
    {"Max", detail::import_variadic<relay::maximum>},
    {"Mean", detail::import_mean},
    {"Min", detail::import_variadic<relay::minimum>},
    {"Mish", detail::import_mish},
    {"Mod", detail::import_mod},
    {"Mul", detail::import_binary<relay::multiply>},
    {"Neg", detail::import_unary<relay::negative>},
    {"Not", detail::import_unary<relay::logical_not>},
    {"Or", detail::import_binary<relay::logical_or>},
    {"Pow", detail::import_pow},
    {"PRelu", detail::import_prelu},
    {"Reciprocal", detail::import_reciprocal},
    {"Relu", detail::import_unary<nn::relu>},
    {"Round", detail::import_round},
    {"Selu", detail::import_selu},
    {"Shrink", detail::import_shrink},
    {"Sigmoid", detail::import_unary<relay::sigmoid>},
    {"Sign", detail::import_unary<relay::sign>},
    {"Sin", detail::import_unary<relay::sin>},
    {"Sinh", detail::import_unary<relay::sinh>},
    {"Softplus", detail::import_softplus},
    {"Softsign", detail::import_softsign},
    {"Sqrt", detail::import_unary<relay::sqrt>},
    {"Sub", detail::import_binary<relay::subtract>},
    {"Sum", detail::import_variadic<relay::add>},
    {"SwiGLU", detail::import_swiglu},
    {"Swish", detail::import_swish},
    {"Tan", detail::import_unary<relay::tan>},
    {"Tanh", detail::import_unary<relay::tanh>},
    {"ThresholdedRelu", detail::import_thresholded_relu},
    {"Where", detail::import_where},
    {"Xor", detail::import_binary<relay::logical_xor>},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
