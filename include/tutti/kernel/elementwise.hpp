#pragma once

#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

// There are some thirty operations and a dozen element types. What is compiled for each pair is one loop over
// neighbouring elements; what walks over the tensors is compiled once for each element type and is given the
// loop.

template <class T, class Out>
using unary_loop = void (*)(const T* in, Out* out, std::int64_t n);

template <class T, class Out>
using binary_loop = void (*)(const T* a, const T* b, Out* out, std::int64_t n);

template <class Op, class T, class Out>
constexpr void apply(const T* in, Out* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(Op{}(in[i]));
}

template <class Op, class T, class Out>
constexpr void apply(const T* a, const T* b, Out* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<Out>(Op{}(a[i], b[i]));
}

inline constexpr std::int64_t block_length = 512;

/// Part of an operand's row as one computes with it: its own elements where they can be read in place; else
/// they are converted, or the one that is broadcast is repeated, in `room`.
template <class T>
constexpr const compute_type<T>* readable(const T* row, std::int64_t step, std::int64_t first, std::int64_t n,
                                          compute_type<T>* room) {
    if (step == 0) {
        if (first == 0)
            std::fill_n(room, n, widen(*row)); // later parts of the row are no longer than the first
        return room;
    }
    if constexpr (std::is_same_v<T, compute_type<T>>)
        return row + first;
    else
        return std::transform(row + first, row + first + n, room, widen<T>) - n;
}

/// Has `write(to, n)` write the elements as they are computed, and puts them where they belong.
template <class Out, class Write>
constexpr void written(Out* to, std::int64_t n, Write write) {
    if constexpr (std::is_same_v<Out, compute_type<Out>>) {
        write(to);
    } else {
        compute_type<Out> room[block_length];
        write(+room);
        std::transform(+room, room + n, to, convert<Out, compute_type<Out>>);
    }
}

template <class T, class Out>
constexpr void each(unary_loop<compute_type<T>, compute_type<Out>> loop, view<const T> in, view<Out> out) {
    compute_type<T> room[block_length];
    const std::int64_t size = in.size();
    for (std::int64_t i = 0; i < size; i += block_length) {
        const std::int64_t n = std::min(block_length, size - i);
        written(out.data + i, n, [&](auto* to) { loop(readable(in.data, 1, i, n, room), to, n); });
    }
}

template <class T, class Out>
constexpr void each(binary_loop<compute_type<T>, compute_type<Out>> loop, view<const T> a, view<const T> b,
                    view<Out> out) {
    compute_type<T> left[block_length];
    compute_type<T> right[block_length];
    strided_rows<2> rows(out.shape,
                         {broadcast_strides(a.shape, out.shape), broadcast_strides(b.shape, out.shape)});
    for (; !rows.done(); rows.next())
        for (std::int64_t i = 0; i < rows.length(); i += block_length) {
            const std::int64_t n = std::min(block_length, rows.length() - i);
            written(out.data + rows.result() + i, n, [&](auto* to) {
                loop(readable(a.data + rows.operand(0), rows.step(0), i, n, left),
                     readable(b.data + rows.operand(1), rows.step(1), i, n, right), to, n);
            });
        }
}

} // namespace detail

/// `out[i] = op(in[i])`, with an operation of `element.hpp` or of one's own: a function object without state.
///
/// Requires: the same shape; `out` is `in` itself or does not overlap it.
template <class Op, class T, class Out>
constexpr void unary(Op, view<const T> in, view<Out> out) {
    detail::each<T, Out>(detail::apply<Op, compute_type<T>, compute_type<Out>>, in, out);
}

/// `out[i] = op(a[i], b[i])`, both operands broadcast to the shape of `out`; `op` as for `unary`.
///
/// Requires: `out.shape` is `broadcast_shape` of the operands'; an operand that overlaps `out` is `out`.
/// Cost:     one pass; the inner loop is over neighbouring elements.
template <class Op, class T, class Out>
constexpr void binary(Op, view<const T> a, view<const T> b, view<Out> out) {
    detail::each<T, Out>(detail::apply<Op, compute_type<T>, compute_type<Out>>, a, b, out);
}

namespace detail {

/// A tensor for the result of an operation with broadcasting. Throws: tutti::error if the operands do not
/// fit.
constexpr tensor broadcast_result(std::string_view kernel, const tensor& a, const tensor& b, dtype type) {
    if (a.type() != b.type()) fail_pair(kernel, "lhs", a, "rhs", b, "the same element type");
    check_rank(kernel, a);
    check_rank(kernel, b);
    const std::optional<extents> shape = broadcast_shape(a.shape(), b.shape());
    if (!shape) fail_pair(kernel, "lhs", a, "rhs", b, "shapes that broadcast");
    return make_result(kernel, type, *shape);
}

template <class Op>
constexpr tensor arithmetic(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    tensor out = broadcast_result(kernel, a, b, a.type());
    with_arithmetic_type(kernel, a, [&]<class T>(std::type_identity<T>) {
        binary(op, view_of<T>(a), view_of<T>(b), mutable_view_of<T>(out));
    });
    return out;
}

template <class Op>
constexpr tensor comparison(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    tensor out = broadcast_result(kernel, a, b, dtype::boolean);
    with_any_type(kernel, a, [&]<class T>(std::type_identity<T>) {
        binary(op, view_of<T>(a), view_of<T>(b), mutable_view_of<bool>(out));
    });
    return out;
}

template <class Op>
constexpr tensor logical(std::string_view kernel, Op op, const tensor& a, const tensor& b) {
    if (a.type() != dtype::boolean) fail_type(kernel, a, "bool");
    tensor out = broadcast_result(kernel, a, b, dtype::boolean);
    binary(op, view_of<bool>(a), view_of<bool>(b), mutable_view_of<bool>(out));
    return out;
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

/// Integers are whole already: a tensor of them is its own result.
template <class Op>
constexpr tensor map_fractions(std::string_view kernel, Op op, const tensor& t) {
    return is_integer(t.type()) ? t : map_floating(kernel, op, t);
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
constexpr tensor floor(const tensor& t) { return detail::map_fractions("floor", element::floor{}, t); }
constexpr tensor ceil(const tensor& t) { return detail::map_fractions("ceil", element::ceil{}, t); }
constexpr tensor round(const tensor& t) { return detail::map_fractions("round", element::round{}, t); }
constexpr tensor trunc(const tensor& t) { return detail::map_fractions("trunc", element::trunc{}, t); }

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
