#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

// The element types of convolutions and matrix products: of their sums and of their results.

namespace tutti::kernel {

namespace detail {

/// Returns the element type of a product's result: `out`, or the data's if `out` is `none`.
///
/// Throws: tutti::error if an operand or the result is bool, or if an operand is of floating point and the result is
///         not.
constexpr dtype product_type(std::string_view kernel, const tensor& data, const tensor& weight, dtype out) {
    const auto known = [](dtype t) { return t != dtype::none && t != dtype::boolean; };
    if (out == dtype::none) out = data.type();
    const bool floating = is_floating(data.type()) || is_floating(weight.type());
    if (!known(data.type()) || !known(weight.type()))
        fail_pair(kernel, "data", data, "weight", weight, "elements of integer or floating-point types");
    if (!known(out) || (floating && !is_floating(out)))
        fail_pair(kernel, "data", data, "weight", weight,
                  {"a result type that can hold the products of these elements, unlike ", out});
    return out;
}

/// Returns the type of the sums: float64 if any type is float64, else float32 if the result is of floating point, else
/// the unsigned integer type as wide as the result (at least 32 bits). Integer sums wrap. Kernels may sum float32 in a
/// wider type.
constexpr dtype sum_type(dtype data, dtype weight, dtype out) {
    if (data == dtype::float64 || weight == dtype::float64 || out == dtype::float64) return dtype::float64;
    if (is_floating(out)) return dtype::float32;
    return bytes(out) == 8 ? dtype::uint64 : dtype::uint32;
}

/// Calls `f(std::type_identity<Sum>{})` with the C++ type of the sums. Requires: `sum` is a result of `sum_type`.
template <class F>
constexpr void with_sum_type(dtype sum, F f) {
    if (sum == dtype::float64)
        f(std::type_identity<double>{});
    else if (sum == dtype::float32)
        f(std::type_identity<float>{});
    else if (sum == dtype::uint64)
        f(std::type_identity<std::uint64_t>{});
    else
        f(std::type_identity<std::uint32_t>{});
}

} // namespace detail
} // namespace tutti::kernel
