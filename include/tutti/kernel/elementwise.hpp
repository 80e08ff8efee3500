#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Computes `out[i] = op(in[i])`, with an operation of `element.hpp` or your own.
///
/// Requires: `in` and `out` have the same shape; `out` is `in` itself or does not overlap it.
template <class Op, class T, class Out>
constexpr void unary(Op op, view<const T> in, view<Out> out) {
    const std::int64_t n = in.size();
    for (std::int64_t i = 0; i < n; ++i) out.data[i] = convert<Out>(op(widen(in.data[i])));
}

/// Computes `out[i] = op(a[i], b[i])`, with both operands broadcast to the shape of `out`. See `unary` for `op`.
///
/// Requires: `out.shape` is the `broadcast_shape` of the operands; each operand is `out` itself or does not overlap it.
/// Cost:     one pass; the inner loop runs over neighbouring elements.
template <class Op, class T, class Out>
constexpr void binary(Op op, view<const T> a, view<const T> b, view<Out> out) {
    strided_rows<2> rows(out.shape, {broadcast_strides(a.shape, out.shape), broadcast_strides(b.shape, out.shape)});
    for (; !rows.done(); rows.next()) {
        const T* left = a.data + rows.operand(0);
        const T* right = b.data + rows.operand(1);
        Out* to = out.data + rows.result();
        for (std::int64_t i = 0; i < rows.length(); ++i)
            to[i] = convert<Out>(op(widen(left[i * rows.step(0)]), widen(right[i * rows.step(1)])));
    }
}

namespace detail {

/// Computes an operation with up to two parameters. Requires: `loops` has a loop for the element type.
constexpr void map(std::string_view kernel, const unary_loops& loops, const tensor& in, double first, double second,
                   tensor& out) {
    make_result(kernel, in.type(), in.shape(), out);
    with_arithmetic(in.type(), [&]<class C>(std::type_identity<C>) {
        const C parameters[]{convert<C>(first), convert<C>(second)};
        walk_unary<C, C>(loops.get<C>(), in, +parameters, out);
    });
}

constexpr void map_any(std::string_view kernel, const unary_loops& loops, const tensor& in, tensor& out,
                       double first = 0) {
    check_numbers(kernel, in);
    map(kernel, loops, in, first, 0, out);
}

constexpr void map_floating(std::string_view kernel, const unary_loops& loops, const tensor& in, tensor& out) {
    check_floating(kernel, in);
    map(kernel, loops, in, 0, 0, out);
}

/// Computes a rounding operation. Integers need no rounding: the result shares the data's elements.
constexpr void map_fractions(std::string_view kernel, const unary_loops& loops, const tensor& in, tensor& out) {
    if (is_integer(in.type())) return out.share(in, in.shape());
    map_floating(kernel, loops, in, out);
}

/// Computes a predicate; `of_integers` is its value for all integers.
constexpr void ask(std::string_view kernel, const unary_questions& loops, bool of_integers, const tensor& in,
                   tensor& out) {
    check_numbers(kernel, in);
    make_result(kernel, dtype::boolean, in.shape(), out);
    if (is_floating(in.type()) && in.type() != dtype::float64)
        walk_unary<float, bool>(loops.f32, in, nullptr, out);
    else if (in.type() == dtype::float64)
        walk_unary<double, bool>(loops.f64, in, nullptr, out);
    else
        std::fill_n(out.mutable_data<bool>(), out.size(), of_integers);
}

/// Allocates `out` with the element type `type` and the broadcast shape of the operands. Throws: tutti::error if the
/// operands do not fit.
constexpr void broadcast_result(std::string_view kernel, const tensor& a, const tensor& b, dtype type, tensor& out) {
    if (a.type() != b.type()) fail_pair(kernel, "lhs", a, "rhs", b, "the same element type");
    check_rank(kernel, a);
    check_rank(kernel, b);
    const std::optional<extents> shape = broadcast_shape(a.shape(), b.shape());
    if (!shape) fail_pair(kernel, "lhs", a, "rhs", b, "shapes that broadcast");
    make_result(kernel, type, *shape, out);
}

/// Computes an arithmetic operation. Treats bool as integers modulo 2.
constexpr void arithmetic(std::string_view kernel, const binary_loops& loops, const tensor& a, const tensor& b,
                          tensor& out) {
    check_numbers(kernel, a);
    broadcast_result(kernel, a, b, a.type(), out);
    compute(loops, a, broadcast_strides(a.shape(), out.shape()), b, broadcast_strides(b.shape(), out.shape()), out);
}

constexpr void comparison(std::string_view kernel, const binary_questions& loops, const tensor& a, const tensor& b,
                          tensor& out) {
    check_numbers(kernel, a);
    broadcast_result(kernel, a, b, dtype::boolean, out);
    compute(loops, a, broadcast_strides(a.shape(), out.shape()), b, broadcast_strides(b.shape(), out.shape()), out);
}

/// Throws: tutti::error unless the element type is an integer type or bool.
constexpr void check_bits(std::string_view kernel, const tensor& t) {
    if (!is_integer(t.type()) && t.type() != dtype::boolean) fail_type(kernel, t, "bool or an integer type");
}
constexpr void bitwise(std::string_view kernel, const binary_loops& loops, const tensor& a, const tensor& b,
                       tensor& out) {
    check_bits(kernel, a);
    arithmetic(kernel, loops, a, b, out);
}

/// Computes a logical operation on bool, as the integers 0 and 1. Throws: tutti::error for other types.
constexpr void logical(std::string_view kernel, const binary_loops& loops, const tensor& a, const tensor& b,
                       tensor& out) {
    if (a.type() != dtype::boolean) fail_type(kernel, a, "bool");
    broadcast_result(kernel, a, b, dtype::boolean, out);
    compute(loops, a, broadcast_strides(a.shape(), out.shape()), b, broadcast_strides(b.shape(), out.shape()), out);
}

} // namespace detail

// Kernels that apply the operation of the same name in `element.hpp` to each pair of elements of two tensors. The
// tensors have one element type and are broadcast. Throws: tutti::error if the element types differ or are not among
// those listed, or if the shapes do not broadcast.

// All element types. Bool behaves as in the reference, whose compiled code treats it as a 1-bit unsigned integer: sum
// and difference are `xor`, product and minimum are `and`, and maximum is `or`. (The reference leaves x / False
// undefined; here it is False, as x / 0 is 0 for other integers.)

constexpr void add(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("add", detail::sum_loops(lhs.type()), lhs, rhs, out);
}
constexpr void subtract(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("subtract", detail::pair_loops<element::subtract>, lhs, rhs, out);
}
constexpr void multiply(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("multiply", detail::pair_loops<element::multiply>, lhs, rhs, out);
}
constexpr void divide(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("divide", detail::pair_loops<element::divide>, lhs, rhs, out);
}
constexpr void maximum(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("maximum", detail::pair_loops<element::maximum>, lhs, rhs, out);
}
constexpr void minimum(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::arithmetic("minimum", detail::pair_loops<element::minimum>, lhs, rhs, out);
}

/// Element types: integers and floating point.
constexpr void power(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("power", lhs);
    detail::arithmetic("power", detail::pair_loops<element::power>, lhs, rhs, out);
}

constexpr void floor_divide(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("floor_divide", lhs);
    detail::arithmetic("floor_divide", detail::pair_loops<element::floor_divide>, lhs, rhs, out);
}
constexpr void floor_mod(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("floor_mod", lhs);
    detail::arithmetic("floor_mod", detail::pair_loops<element::floor_mod>, lhs, rhs, out);
}
constexpr void mod(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("mod", lhs);
    detail::arithmetic("mod", detail::pair_loops<element::mod>, lhs, rhs, out);
}
constexpr void trunc_divide(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("trunc_divide", lhs);
    detail::arithmetic("trunc_divide", detail::pair_loops<element::trunc_divide>, lhs, rhs, out);
}
constexpr void trunc_mod(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::check_arithmetic("trunc_mod", lhs);
    detail::arithmetic("trunc_mod", detail::pair_loops<element::trunc_mod>, lhs, rhs, out);
}

/// Element types: integers.
constexpr void left_shift(const tensor& lhs, const tensor& rhs, tensor& out) {
    if (!is_integer(lhs.type())) detail::fail_type("left_shift", lhs, "an integer type");
    detail::arithmetic("left_shift", detail::integer_pair_loops<element::left_shift>, lhs, rhs, out);
}
constexpr void right_shift(const tensor& lhs, const tensor& rhs, tensor& out) {
    if (!is_integer(lhs.type())) detail::fail_type("right_shift", lhs, "an integer type");
    detail::arithmetic("right_shift", detail::integer_pair_loops<element::right_shift>, lhs, rhs, out);
}

/// Element types: integers and bool.
constexpr void bitwise_and(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::bitwise("bitwise_and", detail::integer_pair_loops<element::bitwise_and>, lhs, rhs, out);
}
constexpr void bitwise_or(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::bitwise("bitwise_or", detail::integer_pair_loops<element::bitwise_or>, lhs, rhs, out);
}
constexpr void bitwise_xor(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::bitwise("bitwise_xor", detail::integer_pair_loops<element::bitwise_xor>, lhs, rhs, out);
}

// All element types; the result is bool.

constexpr void equal(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("equal", detail::pair_questions<element::equal>, lhs, rhs, out);
}
constexpr void not_equal(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("not_equal", detail::pair_questions<element::not_equal>, lhs, rhs, out);
}
constexpr void less(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("less", detail::pair_questions<element::less>, lhs, rhs, out);
}
constexpr void less_equal(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("less_equal", detail::pair_questions<element::less_equal>, lhs, rhs, out);
}
constexpr void greater(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("greater", detail::pair_questions<element::greater>, lhs, rhs, out);
}
constexpr void greater_equal(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::comparison("greater_equal", detail::pair_questions<element::greater_equal>, lhs, rhs, out);
}

// Bool only.

constexpr void logical_and(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::logical("logical_and", detail::pair_loops<element::minimum>, lhs, rhs, out);
}
constexpr void logical_or(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::logical("logical_or", detail::pair_loops<element::maximum>, lhs, rhs, out);
}

constexpr void logical_xor(const tensor& lhs, const tensor& rhs, tensor& out) {
    detail::logical("logical_xor", detail::integer_pair_loops<element::bitwise_xor>, lhs, rhs, out);
}

// Kernels that apply the operation of the same name in `element.hpp` to each element of a tensor. Throws: tutti::error
// if the element type is not among those listed.

// All element types. Bool is a 1-bit unsigned integer, unchanged by all of these.

constexpr void negative(const tensor& data, tensor& out) {
    detail::map_any("negative", detail::arithmetic_loops<element::negative>, data, out);
}
constexpr void abs(const tensor& data, tensor& out) {
    detail::map_any("abs", detail::arithmetic_loops<element::abs>, data, out);
}
constexpr void relu(const tensor& data, tensor& out) {
    detail::map_any("relu", detail::arithmetic_loops<element::relu>, data, out);
}
/// Converts the slope to the element type first.
constexpr void leaky_relu(const tensor& data, double slope, tensor& out) {
    detail::map_any("leaky_relu", detail::arithmetic_loops<element::leaky_relu, 1>, data, out, slope);
}

// Integers and floating point.

constexpr void sign(const tensor& data, tensor& out) {
    detail::check_arithmetic("sign", data);
    detail::map_any("sign", detail::arithmetic_loops<element::sign>, data, out);
}
/// Converts the bounds to the element type first, or to a 64-bit type for integers. If a bound is NaN, a floating-point
/// result is NaN.
constexpr void clip(const tensor& data, double low, double high, tensor& out) {
    detail::check_arithmetic("clip", data);
    if (is_floating(data.type()) && (low != low || high != high))
        return detail::map("clip", detail::arithmetic_loops<element::add, 1>, data, low + high, 0, out);
    detail::map("clip", detail::arithmetic_loops<element::clip, 2>, data, low, high, out);
}
constexpr void floor(const tensor& data, tensor& out) {
    detail::map_fractions("floor", detail::floating_loops<element::floor>, data, out);
}
constexpr void ceil(const tensor& data, tensor& out) {
    detail::map_fractions("ceil", detail::floating_loops<element::ceil>, data, out);
}
constexpr void round(const tensor& data, tensor& out) {
    detail::map_fractions("round", detail::floating_loops<element::round>, data, out);
}
constexpr void trunc(const tensor& data, tensor& out) {
    detail::map_fractions("trunc", detail::floating_loops<element::trunc>, data, out);
}

// Floating point only.

constexpr void sqrt(const tensor& data, tensor& out) {
    detail::map_floating("sqrt", detail::floating_loops<element::sqrt>, data, out);
}
constexpr void rsqrt(const tensor& data, tensor& out) {
    detail::map_floating("rsqrt", detail::floating_loops<element::rsqrt>, data, out);
}
constexpr void exp(const tensor& data, tensor& out) {
    detail::map_floating("exp", detail::floating_loops<element::exp>, data, out);
}
constexpr void log(const tensor& data, tensor& out) {
    detail::map_floating("log", detail::floating_loops<element::log>, data, out);
}
constexpr void log2(const tensor& data, tensor& out) {
    detail::map_floating("log2", detail::floating_loops<element::log2>, data, out);
}
constexpr void log10(const tensor& data, tensor& out) {
    detail::map_floating("log10", detail::floating_loops<element::log10>, data, out);
}
constexpr void sin(const tensor& data, tensor& out) {
    detail::map_floating("sin", detail::floating_loops<element::sin>, data, out);
}
constexpr void cos(const tensor& data, tensor& out) {
    detail::map_floating("cos", detail::floating_loops<element::cos>, data, out);
}
constexpr void tan(const tensor& data, tensor& out) {
    detail::map_floating("tan", detail::floating_loops<element::tan>, data, out);
}
constexpr void asin(const tensor& data, tensor& out) {
    detail::map_floating("asin", detail::floating_loops<element::asin>, data, out);
}
constexpr void acos(const tensor& data, tensor& out) {
    detail::map_floating("acos", detail::floating_loops<element::acos>, data, out);
}
constexpr void atan(const tensor& data, tensor& out) {
    detail::map_floating("atan", detail::floating_loops<element::atan>, data, out);
}
constexpr void sinh(const tensor& data, tensor& out) {
    detail::map_floating("sinh", detail::floating_loops<element::sinh>, data, out);
}
constexpr void cosh(const tensor& data, tensor& out) {
    detail::map_floating("cosh", detail::floating_loops<element::cosh>, data, out);
}
constexpr void tanh(const tensor& data, tensor& out) {
    detail::map_floating("tanh", detail::floating_loops<element::tanh>, data, out);
}
constexpr void asinh(const tensor& data, tensor& out) {
    detail::map_floating("asinh", detail::floating_loops<element::asinh>, data, out);
}
constexpr void acosh(const tensor& data, tensor& out) {
    detail::map_floating("acosh", detail::floating_loops<element::acosh>, data, out);
}
constexpr void atanh(const tensor& data, tensor& out) {
    detail::map_floating("atanh", detail::floating_loops<element::atanh>, data, out);
}
constexpr void erf(const tensor& data, tensor& out) {
    detail::map_floating("erf", detail::floating_loops<element::erf>, data, out);
}
constexpr void sigmoid(const tensor& data, tensor& out) {
    detail::map_floating("sigmoid", detail::floating_loops<element::sigmoid>, data, out);
}

// All element types; the result is bool. Every integer is finite.

constexpr void isfinite(const tensor& data, tensor& out) {
    detail::ask("isfinite", detail::floating_questions<element::isfinite>, true, data, out);
}
constexpr void isinf(const tensor& data, tensor& out) {
    detail::ask("isinf", detail::floating_questions<element::isinf>, false, data, out);
}
constexpr void isnan(const tensor& data, tensor& out) {
    detail::ask("isnan", detail::floating_questions<element::isnan>, false, data, out);
}

/// Element type: bool.
constexpr void logical_not(const tensor& data, tensor& out) {
    if (data.type() != dtype::boolean) detail::fail_type("logical_not", data, "bool");
    detail::make_result("logical_not", dtype::boolean, data.shape(), out);
    unary(element::logical_not{}, view_of<bool>(data), mutable_view_of<bool>(out));
}

/// Element types: integers and bool; for bool, the same as `logical_not`.
constexpr void bitwise_not(const tensor& data, tensor& out) {
    if (data.type() == dtype::boolean) return logical_not(data, out);
    detail::check_bits("bitwise_not", data);
    detail::map("bitwise_not", detail::integer_loops<element::bitwise_not>, data, 0, 0, out);
}

} // namespace tutti::kernel
