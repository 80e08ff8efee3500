#pragma once

#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// `out[i] = op(in[i])`, with an operation of `element.hpp` or of one's own.
///
/// Requires: the same shape; `out` is `in` itself or does not overlap it.
template <class Op, class T, class Out>
constexpr void unary(Op op, view<const T> in, view<Out> out) {
    const std::int64_t n = in.size();
    for (std::int64_t i = 0; i < n; ++i) out.data[i] = convert<Out>(op(widen(in.data[i])));
}

/// `out[i] = op(a[i], b[i])`, both operands broadcast to the shape of `out`.
///
/// Requires: `out.shape` is `broadcast_shape` of the operands'; an operand that overlaps `out` is `out`.
/// Cost:     one pass; inner loops have no index arithmetic.
template <class Op, class T, class Out>
constexpr void binary(Op op, view<const T> a, view<const T> b, view<Out> out) {
    const strided_loop<2> loop(
        out.shape, {broadcast_strides(a.shape, out.shape), broadcast_strides(b.shape, out.shape)});
    const std::int64_t n = loop.row_length();
    // Along a row of more than one element an operand has step 0 or 1, and not both have 0.
    loop.for_each_row([&](std::int64_t at, const auto& from) {
        const T* x = a.data + from[0];
        const T* y = b.data + from[1];
        Out* z = out.data + at;
        if (loop.step(0) == 0) {
            const auto left = widen(*x);
            for (std::int64_t i = 0; i < n; ++i) z[i] = convert<Out>(op(left, widen(y[i])));
        } else if (loop.step(1) == 0) {
            const auto right = widen(*y);
            for (std::int64_t i = 0; i < n; ++i) z[i] = convert<Out>(op(widen(x[i]), right));
        } else {
            for (std::int64_t i = 0; i < n; ++i) z[i] = convert<Out>(op(widen(x[i]), widen(y[i])));
        }
    });
}

namespace detail {

/// Checks the operands, makes the result of that type, and calls `f(result)`.
template <class F>
constexpr tensor with_broadcast(std::string_view kernel, const tensor& a, const tensor& b, dtype result,
                                F f) {
    if (a.type() != b.type()) fail_pair(kernel, "lhs", a, "rhs", b, "the same element type");
    check_rank(kernel, a);
    check_rank(kernel, b);
    const std::optional<extents> shape = broadcast_shape(a.shape(), b.shape());
    if (!shape) fail_pair(kernel, "lhs", a, "rhs", b, "shapes that broadcast");
    tensor out = make_result(kernel, result, *shape);
    f(out);
    return out;
}

template <class Op>
constexpr tensor arithmetic(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    return with_broadcast(kernel, a, b, a.type(), [&](tensor& out) {
        with_arithmetic_type(kernel, a, [&]<class T>(std::type_identity<T>) {
            binary(op, view_of<T>(a), view_of<T>(b), mutable_view_of<T>(out));
        });
    });
}

template <class Op>
constexpr tensor comparison(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    return with_broadcast(kernel, a, b, dtype::boolean, [&](tensor& out) {
        with_any_type(kernel, a, [&]<class T>(std::type_identity<T>) {
            binary(op, view_of<T>(a), view_of<T>(b), mutable_view_of<bool>(out));
        });
    });
}

template <class Op>
constexpr tensor logical(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    if (a.type() != dtype::boolean) fail_type(kernel, a, "bool");
    return with_broadcast(kernel, a, b, dtype::boolean, [&](tensor& out) {
        binary(op, view_of<bool>(a), view_of<bool>(b), mutable_view_of<bool>(out));
    });
}

template <class Op>
constexpr tensor map_arithmetic(std::string_view kernel, Op op, const tensor& t) {
    return with_arithmetic_type(kernel, t, [&]<class T>(std::type_identity<T>) {
        tensor out = make_result(kernel, t.type(), t.shape());
        unary(op, view_of<T>(t), mutable_view_of<T>(out));
        return out;
    });
}

template <class Op>
constexpr tensor map_floating(std::string_view kernel, Op op, const tensor& t) {
    return with_floating_type(kernel, t, [&]<class T>(std::type_identity<T>) {
        tensor out = make_result(kernel, t.type(), t.shape());
        unary(op, view_of<T>(t), mutable_view_of<T>(out));
        return out;
    });
}

} // namespace detail

// Over tensors: the operation that `element.hpp` describes under the same name, on each pair of elements of
// two tensors of one element type, broadcast. Throws: tutti::error if the element types differ or are not
// among those named, or if the shapes do not broadcast.

// Integers and floating point.

constexpr tensor add(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("add", element::add{}, lhs, rhs);
}
constexpr tensor subtract(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("subtract", element::subtract{}, lhs, rhs);
}
constexpr tensor multiply(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("multiply", element::multiply{}, lhs, rhs);
}
constexpr tensor divide(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("divide", element::divide{}, lhs, rhs);
}
constexpr tensor maximum(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("maximum", element::maximum{}, lhs, rhs);
}
constexpr tensor minimum(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("minimum", element::minimum{}, lhs, rhs);
}
constexpr tensor power(const tensor& lhs, const tensor& rhs) {
    return detail::arithmetic("power", element::power{}, lhs, rhs);
}

// All element types; the result is bool.

constexpr tensor equal(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("equal", element::equal{}, lhs, rhs);
}
constexpr tensor not_equal(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("not_equal", element::not_equal{}, lhs, rhs);
}
constexpr tensor less(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("less", element::less{}, lhs, rhs);
}
constexpr tensor less_equal(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("less_equal", element::less_equal{}, lhs, rhs);
}
constexpr tensor greater(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("greater", element::greater{}, lhs, rhs);
}
constexpr tensor greater_equal(const tensor& lhs, const tensor& rhs) {
    return detail::comparison("greater_equal", element::greater_equal{}, lhs, rhs);
}

// Only bool.

constexpr tensor logical_and(const tensor& lhs, const tensor& rhs) {
    return detail::logical("logical_and", element::logical_and{}, lhs, rhs);
}
constexpr tensor logical_or(const tensor& lhs, const tensor& rhs) {
    return detail::logical("logical_or", element::logical_or{}, lhs, rhs);
}

// The operation of that name on each element of a tensor. Throws: tutti::error if the element type is not
// among those named.

// Integers and floating point.

constexpr tensor negative(const tensor& t) {
    return detail::map_arithmetic("negative", element::negative{}, t);
}
constexpr tensor abs(const tensor& t) { return detail::map_arithmetic("abs", element::abs{}, t); }
constexpr tensor relu(const tensor& t) { return detail::map_arithmetic("relu", element::relu{}, t); }
constexpr tensor floor(const tensor& t) { return detail::map_arithmetic("floor", element::floor{}, t); }
constexpr tensor ceil(const tensor& t) { return detail::map_arithmetic("ceil", element::ceil{}, t); }
constexpr tensor round(const tensor& t) { return detail::map_arithmetic("round", element::round{}, t); }
constexpr tensor trunc(const tensor& t) { return detail::map_arithmetic("trunc", element::trunc{}, t); }

// Only floating point.

constexpr tensor sqrt(const tensor& t) { return detail::map_floating("sqrt", element::sqrt{}, t); }
constexpr tensor rsqrt(const tensor& t) { return detail::map_floating("rsqrt", element::rsqrt{}, t); }
constexpr tensor exp(const tensor& t) { return detail::map_floating("exp", element::exp{}, t); }
constexpr tensor log(const tensor& t) { return detail::map_floating("log", element::log{}, t); }
constexpr tensor tanh(const tensor& t) { return detail::map_floating("tanh", element::tanh{}, t); }
constexpr tensor erf(const tensor& t) { return detail::map_floating("erf", element::erf{}, t); }
constexpr tensor sigmoid(const tensor& t) { return detail::map_floating("sigmoid", element::sigmoid{}, t); }

/// Only bool.
constexpr tensor logical_not(const tensor& t) {
    if (t.type() != dtype::boolean) detail::fail_type("logical_not", t, "bool");
    tensor out = detail::make_result("logical_not", dtype::boolean, t.shape());
    unary(element::logical_not{}, view_of<bool>(t), mutable_view_of<bool>(out));
    return out;
}

} // namespace tutti::kernel
