#pragma once

#include <tutti/kernel/bfloat16.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// The type in which elementwise kernels compute with elements of type T: one of four types, so that each operation is
/// compiled four times, not once for each element type. The 64-bit integers hold all smaller integers, and a result
/// modulo 2^64 is correct modulo a smaller power of two. Elements of other types are converted a block at a time.
template <class T>
using arithmetic_type = std::conditional_t<
    std::is_same_v<T, double>, double,
    std::conditional_t<!std::integral<T>, float,
                       std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>>>;

namespace detail {

inline constexpr std::int64_t block_length = 512;

/// Calls `f(std::type_identity<T>{})` with the element type T.
/// Requires: the arithmetic type of T is C.
template <class C, class F>
constexpr decltype(auto) with_stored_type(dtype type, F&& f) {
    if constexpr (std::is_same_v<C, float>) {
        if (type == dtype::float16) return f(std::type_identity<float16>{});
        if (type == dtype::bfloat16) return f(std::type_identity<bfloat16>{});
        return f(std::type_identity<float>{});
    } else if constexpr (std::is_same_v<C, std::int64_t>) {
        switch (type) {
        case dtype::boolean:
            return f(std::type_identity<bool>{});
        case dtype::int8:
            return f(std::type_identity<std::int8_t>{});
        case dtype::int16:
            return f(std::type_identity<std::int16_t>{});
        case dtype::int32:
            return f(std::type_identity<std::int32_t>{});
        case dtype::uint8:
            return f(std::type_identity<std::uint8_t>{});
        case dtype::uint16:
            return f(std::type_identity<std::uint16_t>{});
        case dtype::uint32:
            return f(std::type_identity<std::uint32_t>{});
        default:
            return f(std::type_identity<std::int64_t>{});
        }
    } else {
        return f(std::type_identity<C>{});
    }
}

/// Calls `f(std::type_identity<C>{})` with the arithmetic type of an element type.
template <class F>
constexpr decltype(auto) with_arithmetic(dtype type, F&& f) {
    switch (type) {
    case dtype::float16:
    case dtype::bfloat16:
    case dtype::float32:
    case dtype::float8_e4m3fn:
    case dtype::float8_e4m3fnuz:
    case dtype::float8_e5m2:
    case dtype::float8_e5m2fnuz:
    case dtype::float8_e8m0fnu:
    case dtype::float4_e2m1fn:
        return f(std::type_identity<float>{});
    case dtype::float64:
        return f(std::type_identity<double>{});
    case dtype::uint64:
        return f(std::type_identity<std::uint64_t>{});
    default:
        return f(std::type_identity<std::int64_t>{});
    }
}

/// Returns the arithmetic type of an element type.
constexpr dtype arithmetic_type_of(dtype type) {
    return with_arithmetic(type, []<class C>(std::type_identity<C>) { return dtype_of<C>; });
}

/// Converts elements `first` to `first + n` of a tensor into `room`. Requires: as `read_block`.
template <class C>
[[gnu::noinline]] constexpr const C* widened(const tensor& t, std::int64_t first, std::int64_t n, C* room) {
    if (is_narrow_floating(t.type())) {
        const auto* from = t.data<std::uint8_t>() + first;
        for (std::int64_t i = 0; i < n; ++i) room[i] = convert<C>(decoded(t.type(), from[i]));
        return room;
    }
    if (is_narrow_integer(t.type())) {
        const bool has_sign = values_of(t.type()).least != 0;
        const auto* from = t.data<std::uint8_t>() + first;
        for (std::int64_t i = 0; i < n; ++i)
            room[i] = has_sign ? static_cast<C>(static_cast<std::int8_t>(from[i])) : static_cast<C>(from[i]);
        return room;
    }
    with_stored_type<C>(t.type(), [&]<class T>(std::type_identity<T>) {
        const T* from = t.data<T>() + first;
        for (std::int64_t i = 0; i < n; ++i) room[i] = static_cast<C>(from[i]);
    });
    return room;
}

/// Returns elements `first` to `first + n` of a tensor in the arithmetic type: in place if they have this type, else in
/// `room`.
///
/// Requires: C is the arithmetic type of the tensor; `room` holds n elements.
template <class C>
constexpr const C* read_block(const tensor& t, std::int64_t first, std::int64_t n, C* room) {
    return t.type() == dtype_of<C> ? t.data<C>() + first : widened(t, first, n, room);
}

/// Returns the address for writing the elements of a tensor from `first` on: in place if they are of type C, else
/// `room`. `write_block` then converts the elements in `room`.
template <class C>
constexpr C* block_to_write(tensor& t, std::int64_t first, C* room) {
    return t.type() == dtype_of<C> ? t.mutable_data<C>() + first : room;
}

/// Converts n elements into the tensor, from element `first` on. Requires: as `write_block`.
template <class C>
[[gnu::noinline]] constexpr void write_narrowed(const C* written, std::int64_t n, tensor& t, std::int64_t first) {
    if (is_narrow(t.type())) {
        auto* to = t.mutable_data<std::uint8_t>() + first;
        for (std::int64_t i = 0; i < n; ++i)
            to[i] = is_narrow_integer(t.type()) ? wrapped(t.type(), convert<std::uint64_t>(written[i]))
                                                : encoded(t.type(), convert<float>(written[i]));
        return;
    }
    with_stored_type<C>(t.type(), [&]<class T>(std::type_identity<T>) {
        T* to = t.mutable_data<T>() + first;
        for (std::int64_t i = 0; i < n; ++i) to[i] = convert<T>(written[i]);
    });
}

/// Stores n elements, converted to the tensor's element type; integers wrap. Does nothing if they are already in place.
///
/// Requires: `written` is the result of `block_to_write` for the same tensor and element.
template <class C>
constexpr void write_block(const C* written, std::int64_t n, tensor& t, std::int64_t first) {
    if (t.type() != dtype_of<C>) write_narrowed(written, n, t, first);
}

/// Converts a number to an integer in [least, greatest], saturating; NaN becomes 0.
template <class To, class From>
constexpr To saturated(From x, To least, To greatest) {
    // `least` and `greatest + 1` are powers of two or zero, thus exact in float and double.
    const From end = static_cast<From>(greatest / 2 + 1) * 2;
    if (x != x) return 0;
    if (x >= end) return greatest;
    return x <= static_cast<From>(least) ? least : static_cast<To>(x);
}

/// Stores up to `block_length` elements, converted to the tensor's element type as `convert` does. Converts by way of
/// the arithmetic types, so that k element types need about 5k conversions, not k * k.
template <class C>
[[gnu::noinline]] constexpr void convert_block(const C* from, std::int64_t n, tensor& t, std::int64_t first) {
    with_arithmetic(t.type(), [&]<class D>(std::type_identity<D>) {
        D room[block_length];
        D* to = block_to_write(t, first, +room);
        if constexpr (std::same_as<C, D>) {
            if (t.type() != dtype_of<D>) return write_block<D>(from, n, t, first);
            std::copy_n(from, n, to);
        } else if constexpr (std::floating_point<C> && std::integral<D>) {
            if (t.type() == dtype::boolean) {
                for (std::int64_t i = 0; i < n; ++i) to[i] = from[i] != 0 ? 1 : 0;
            } else {
                const integer_range range = values_of(t.type());
                const auto greatest =
                    std::same_as<D, std::uint64_t> ? std::numeric_limits<D>::max() : static_cast<D>(range.greatest);
                for (std::int64_t i = 0; i < n; ++i) to[i] = saturated(from[i], static_cast<D>(range.least), greatest);
            }
        } else if constexpr (std::same_as<C, double> && std::same_as<D, float>) {
            const bool shorter = t.type() != dtype::float32; // `write_block` rounds again
            for (std::int64_t i = 0; i < n; ++i) to[i] = shorter ? round_to_odd(from[i]) : static_cast<float>(from[i]);
        } else {
            for (std::int64_t i = 0; i < n; ++i) to[i] = static_cast<D>(from[i]);
        }
        write_block<D>(to, n, t, first);
    });
}

/// Throws: tutti::error if the element type is narrow. Kernels only move, convert and quantise such elements.
constexpr void check_not_narrow(std::string_view kernel, const tensor& t) {
    if (is_narrow(t.type())) fail_type(kernel, t, "a wider type, to which `cast` converts them");
}

/// Throws: tutti::error if the element type is bool, narrow or `none`.
constexpr void check_arithmetic(std::string_view kernel, const tensor& t) {
    check_not_narrow(kernel, t);
    if (t.type() == dtype::none || t.type() == dtype::boolean)
        fail_type(kernel, t, "an integer or floating-point type");
}

/// Throws: tutti::error if the element type is not of floating point.
constexpr void check_floating(std::string_view kernel, const tensor& t) {
    if (!is_floating(t.type())) fail_type(kernel, t, "float16, bfloat16, float32 or float64");
}

/// Throws: tutti::error if the tensor is empty.
constexpr void check_any(std::string_view kernel, const tensor& t) {
    if (t.empty()) fail(kernel, "an empty tensor", "a tensor with an element type");
}

/// Throws: tutti::error if the tensor is empty, or if its element type is narrow.
constexpr void check_numbers(std::string_view kernel, const tensor& t) {
    check_any(kernel, t);
    check_not_narrow(kernel, t);
}

} // namespace detail
} // namespace tutti::kernel
