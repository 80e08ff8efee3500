#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

using value = call_writer::value;

// Rounds `x` toward zero: sign(x) * floor(|x|).
inline value truncated(call_writer& c, const value& x) {
    return c.node("Mul", {c.node("Sign", {x}), c.node("Floor", {c.node("Abs", {x})})});
}
inline void trunc(call_writer& c) { c.result(kernel::is_floating(c.element()) ? truncated(c, c.in()) : c.in()); }
// Rounds halves away from zero, unlike ONNX's Round, which rounds halves to even.
inline void round(call_writer& c) {
    if (!kernel::is_floating(c.element())) return c.result(c.in());
    const value up = c.node("Floor", {c.node("Add", {c.node("Abs", {c.in()}), c.scalar(0.5, c.element())})});
    c.result(c.node("Mul", {c.node("Sign", {c.in()}), up}));
}
// Writes an operator on floating-point elements. Integers stay unchanged.
inline void floating_only(call_writer& c, std::string_view op_type) {
    c.result(kernel::is_floating(c.element()) ? c.node(op_type, {c.in()}) : c.in());
}
inline void floor(call_writer& c) { floating_only(c, "Floor"); }
inline void ceil(call_writer& c) { floating_only(c, "Ceil"); }

inline void negative(call_writer& c) {
    const dtype t = c.element();
    const bool has_sign = kernel::is_floating(t) || kernel::values_of(t).least < 0;
    c.result(has_sign ? c.node("Neg", {c.in()}) : c.node("Sub", {c.scalar(0, t), c.in()}));
}
inline void copy(call_writer& c) { c.result(c.in()); }
inline void rsqrt(call_writer& c) { c.result(c.node("Reciprocal", {c.node("Sqrt", {c.in()})})); }
inline value logarithm(call_writer& c, double base) {
    return c.node("Mul", {c.node("Log", {c.in()}), c.scalar(1 / std::log(base), c.element())});
}
inline void log2(call_writer& c) { c.result(logarithm(c, 2)); }
inline void log10(call_writer& c) { c.result(logarithm(c, 10)); }
inline void isnan(call_writer& c) { c.result(c.node("IsNaN", {c.in()})); }
inline value is_infinite(call_writer& c) {
    const bool direct = c.element() == dtype::float32 || c.element() == dtype::float64;
    return c.node("IsInf", {direct ? c.in() : c.cast(c.in(), c.element(), dtype::float32)});
}
inline void isinf(call_writer& c) { c.result(is_infinite(c)); }
inline void isfinite(call_writer& c) {
    c.result(c.node("Not", {c.node("Or", {c.node("IsNaN", {c.in()}), is_infinite(c)})}));
}
inline void relu(call_writer& c) {
    const dtype t = c.element();
    if (kernel::is_floating(t)) return c.result(c.node("Relu", {c.in()}));
    c.result(c.node("Max", {c.in(), c.scalar(0, t)}));
}
// Converts `number` to a 64-bit integer. Returns the low bits of this integer as a value of an integer type.
inline double low_bits(double number, dtype type) {
    tensor wide(dtype::int64, {});
    kernel::number(number).put(wide, 0);
    const int others = 64 - static_cast<int>(kernel::bits(type));
    const auto shifted = static_cast<std::uint64_t>(wide.elements<std::int64_t>()[0]) << others;
    return kernel::values_of(type).least < 0 ? static_cast<double>(static_cast<std::int64_t>(shifted) >> others)
                                             : static_cast<double>(shifted >> others);
}
inline void clip(call_writer& c) {
    const dtype t = c.element();
    double low = c.attributes().real("a_min"), high = c.attributes().real("a_max");
    if (!kernel::is_floating(t) && kernel::bits(t) < 64) {
        // The kernel clips in 64 bits, so a bound outside the type's range wraps. All elements then get the same value.
        const auto least = static_cast<double>(kernel::values_of(t).least);
        const auto greatest = static_cast<double>(kernel::values_of(t).greatest);
        if (high < least || (low > greatest && high > greatest))
            low = high = low_bits(high < least ? high : std::min(low, high), t);
    }
    const auto bound = [&](double b) {
        return std::isinf(b) ? value() : c.scalar(b, t);
    }; // limited to the type's range
    const value first = bound(low), last = bound(high);
    if (first.empty() && last.empty()) return c.result(c.in());
    c.result(c.node("Clip", {c.in(), first, last}));
}
// Returns `scaled` where x is negative, else x. It is for integers, which ONNX's operators do not support.
inline value negative_or(call_writer& c, const value& scaled) {
    return c.node("Where", {c.node("Less", {c.in(), c.scalar(0, c.element())}), scaled, c.in()});
}
inline void leaky_relu(call_writer& c) {
    if (!kernel::is_floating(c.element())) {
        const value slope = c.scalar(std::trunc(c.attributes().real("alpha")), c.element());
        return c.result(negative_or(c, c.node("Mul", {c.in(), slope})));
    }
    c.result(c.node("LeakyRelu", {c.in()}, node_attributes().real("alpha", c.real_in_float32("alpha"))));
}
inline void cast(call_writer& c) { c.result(c.cast(c.in(), c.element(), c.result_element())); }
inline void reinterpret(call_writer& c) {
    if (c.element() == c.result_element()) return c.result(c.in());
    c.need(26);
    c.result(c.node("BitCast", {c.in()}, node_attributes().integer("to", element_number(c.result_element()))));
}

// Binary operators. Both arguments have the same element type.

inline void power(call_writer& c) {
    const dtype t = c.element();
    const bool direct = kernel::is_floating(t) || t == dtype::int32 || t == dtype::int64;
    const dtype computed = direct ? t : dtype::int32;
    c.result(c.cast(c.node("Pow", {c.cast(c.in(0), t, computed), c.cast(c.in(1), t, computed)}), computed, t));
}
// Writes a comparison. ONNX compares only numbers, so bools are compared as uint8.
inline void ordered(call_writer& c, std::string_view op_type) {
    const dtype t = c.element(), computed = t == dtype::boolean ? dtype::uint8 : t;
    c.result(c.node(op_type, {c.cast(c.in(0), t, computed), c.cast(c.in(1), t, computed)}));
}
inline void greater(call_writer& c) { ordered(c, "Greater"); }
inline void greater_equal(call_writer& c) { ordered(c, "GreaterOrEqual"); }
inline void less(call_writer& c) { ordered(c, "Less"); }
inline void less_equal(call_writer& c) { ordered(c, "LessOrEqual"); }

inline void not_equal(call_writer& c) { c.result(c.node("Not", {c.node("Equal", {c.in(0), c.in(1)})})); }
inline value remainder(call_writer& c, bool truncates) {
    return c.node("Mod", {c.in(0), c.in(1)}, truncates ? node_attributes().integer("fmod", 1) : node_attributes());
}
inline value rest_of(call_writer& c, const value& quotient) {
    return c.node("Sub", {c.in(0), c.node("Mul", {quotient, c.in(1)})});
}
// Returns the quotient, rounded down. ONNX rounds quotients of integers toward 0. Its quotient is one too large where
// the remainders of floor and truncating division differ. Subtracting a remainder before the division would overflow
// near the least integer.
inline value floor_of_quotient(call_writer& c) {
    const dtype t = c.element();
    const value quotient = c.node("Div", {c.in(0), c.in(1)});
    if (kernel::is_floating(t)) return c.node("Floor", {quotient});
    if (kernel::values_of(t).least >= 0) return quotient;
    const dtype compared = t == dtype::int64 ? t : dtype::int32; // ONNX Runtime does not compare narrower types
    const value floor_rest = c.cast(remainder(c, false), t, compared);
    const value rest = c.cast(rest_of(c, quotient), t, compared); // Mod with fmod=1 may compute in double
    const value too_much = c.node("Not", {c.node("Equal", {floor_rest, rest})});
    return c.node("Sub", {quotient, c.cast(too_much, dtype::boolean, t)});
}
inline value truncated_quotient(call_writer& c) {
    const value q = c.node("Div", {c.in(0), c.in(1)});
    return kernel::is_floating(c.element()) ? truncated(c, q) : q;
}
inline void mod(call_writer& c) { c.result(remainder(c, true)); }
inline void floor_divide(call_writer& c) { c.result(floor_of_quotient(c)); }
inline void floor_mod(call_writer& c) {
    c.result(kernel::is_floating(c.element()) ? rest_of(c, floor_of_quotient(c)) : remainder(c, false));
}
inline void trunc_divide(call_writer& c) { c.result(truncated_quotient(c)); }
inline void trunc_mod(call_writer& c) { c.result(rest_of(c, truncated_quotient(c))); }

// Writes an operator for which ONNX has a separate operator on bools.
inline void of_numbers_or_bool(call_writer& c, std::string_view of_numbers, std::string_view of_bool) {
    const std::string_view op_type = c.element() == dtype::boolean ? of_bool : of_numbers;
    c.result(c.count() == 1 ? c.node(op_type, {c.in()}) : c.node(op_type, {c.in(0), c.in(1)}));
}
inline void maximum(call_writer& c) { of_numbers_or_bool(c, "Max", "Or"); }
inline void minimum(call_writer& c) { of_numbers_or_bool(c, "Min", "And"); }

// Writes a shift. BitShift supports only unsigned integers. Signed integers are multiplied by a power of two, or
// divided by it and rounded down. Negative shifts give 0.
inline void shift(call_writer& c, bool left) {
    const dtype t = c.element();
    const tensor* const by = c.constant_argument(1);
    if (kernel::values_of(t).least >= 0)
        return c.result(
            c.node("BitShift", {c.in(0), c.in(1)}, node_attributes().text("direction", left ? "LEFT" : "RIGHT")));
    if (by == nullptr) call_writer::refuse("a shift of signed integers by a computed number", "a constant");
    tensor powers(dtype::int64, {by->shape().begin(), by->shape().end()});
    tensor kept(dtype::int64, {by->shape().begin(), by->shape().end()});
    for (std::int64_t i = 0; i < by->size(); ++i) {
        const double given = kernel::number::at(*by, i).real();
        const bool zero = given < 0 || (given >= static_cast<double>(kernel::bits(t)) && left);
        const auto places = static_cast<int>(std::min(given, left ? 63.0 : 62.0));
        kernel::number(zero ? std::int64_t{0} : std::int64_t{1}).put(kept, i);
        kernel::number(zero ? std::int64_t{left ? 0 : 1} : static_cast<std::int64_t>(std::uint64_t{1} << places))
            .put(powers, i);
    }
    const value x = c.cast(c.in(0), t, dtype::int64), power = c.constant(powers);
    const value made =
        left ? c.node("Mul", {x, power})
             : c.node("Mul", {c.node("Div", {c.node("Sub", {x, c.node("Mod", {x, power})}), power}), c.constant(kept)});
    c.result(c.cast(made, dtype::int64, t));
}
inline void left_shift(call_writer& c) { shift(c, true); }
inline void right_shift(call_writer& c) { shift(c, false); }

inline void bitwise(call_writer& c, std::string_view of_numbers, std::string_view of_bool) {
    if (c.element() != dtype::boolean) c.need(18);
    of_numbers_or_bool(c, of_numbers, of_bool);
}
inline void bitwise_and(call_writer& c) { bitwise(c, "BitwiseAnd", "And"); }
inline void bitwise_or(call_writer& c) { bitwise(c, "BitwiseOr", "Or"); }
inline void bitwise_xor(call_writer& c) { bitwise(c, "BitwiseXor", "Xor"); }
inline void bitwise_not(call_writer& c) { bitwise(c, "BitwiseNot", "Not"); }

inline void where(call_writer& c) {
    const value condition = c.cast(c.in(0), c.element(0), dtype::boolean);
    if (c.element(1) != dtype::boolean) return c.result(c.node("Where", {condition, c.in(1), c.in(2)}));
    // ONNX Runtime does not support Where on bools.
    const value first = c.node("And", {condition, c.in(1)});
    const value second = c.node("And", {c.node("Not", {condition}), c.in(2)});
    c.result(c.node("Or", {first, second}));
}

/// Elementwise operators.
inline constexpr write_rule elementwise_rules[]{
    {"abs", "Abs"},
    {"acos", "Acos"},
    {"acosh", "Acosh"},
    {"annotation.stop_fusion", {}, copy},
    {"asin", "Asin"},
    {"asinh", "Asinh"},
    {"atan", "Atan"},
    {"atanh", "Atanh"},
    {"bitwise_and", {}, bitwise_and},
    {"bitwise_not", {}, bitwise_not},
    {"bitwise_or", {}, bitwise_or},
    {"bitwise_xor", {}, bitwise_xor},
    {"cast", {}, cast},
    {"cast_like", {}, cast},
    {"ceil", {}, ceil},
    {"clip", {}, clip},
    {"copy", {}, copy},
    {"cos", "Cos"},
    {"cosh", "Cosh"},
    {"divide", "Div"},
    {"equal", "Equal"},
    {"erf", "Erf"},
    {"exp", "Exp"},
    {"fast_erf", "Erf"},
    {"fast_exp", "Exp"},
    {"fast_tanh", "Tanh"},
    {"floor", {}, floor},
    {"floor_divide", {}, floor_divide},
    {"floor_mod", {}, floor_mod},
    {"greater", {}, greater},
    {"greater_equal", {}, greater_equal},
    {"isfinite", {}, isfinite},
    {"isinf", {}, isinf},
    {"isnan", {}, isnan},
    {"left_shift", {}, left_shift},
    {"less", {}, less},
    {"less_equal", {}, less_equal},
    {"log", "Log"},
    {"log10", {}, log10},
    {"log2", {}, log2},
    {"logical_and", "And"},
    {"logical_not", "Not"},
    {"logical_or", "Or"},
    {"logical_xor", "Xor"},
    {"maximum", {}, maximum},
    {"minimum", {}, minimum},
    {"mod", {}, mod},
    {"multiply", "Mul"},
    {"negative", {}, negative},
    {"nn.leaky_relu", {}, leaky_relu},
    {"nn.relu", {}, relu},
    {"not_equal", {}, not_equal},
    {"power", {}, power},
    {"reinterpret", {}, reinterpret},
    {"right_shift", {}, right_shift},
    {"round", {}, round},
    {"rsqrt", {}, rsqrt},
    {"sigmoid", "Sigmoid"},
    {"sign", "Sign"},
    {"sin", "Sin"},
    {"sinh", "Sinh"},
    {"sqrt", "Sqrt"},
    {"subtract", "Sub"},
    {"tan", "Tan"},
    {"tanh", "Tanh"},
    {"trunc", {}, trunc},
    {"trunc_divide", {}, trunc_divide},
    {"trunc_mod", {}, trunc_mod},
    {"where", {}, where},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
