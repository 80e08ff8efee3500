#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/element.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// The inner loops of convolution and matrix products.

namespace tutti::kernel {

/// The type in which products of T are summed to give an Out: float for float16, the wider of the two for
/// floating point, an unsigned type (in which integers wrap) for integers.
template <class T, class Out = T>
using sum_type =
    std::conditional_t<std::integral<T>,
                       std::conditional_t<(sizeof(T) <= 4 && sizeof(Out) <= 4), std::uint32_t, std::uint64_t>,
                       std::common_type_t<compute_type<T>, compute_type<Out>>>;

namespace detail {

/// A product tile has this many rows and columns: its sums stay in registers, from SSE2 (8 of 16) to AVX-512
/// (4 of 32).
inline constexpr std::int64_t tile_rows = 4;
inline constexpr std::int64_t tile_columns = 16;

/// `c[r][j] += sum over k of rows[r][k * step] * b[k][j]` for one tile; a row of b or c begins b_row or c_row
/// after the last.
///
/// Four arrays and not one of arrays, because GCC 12 keeps only these in registers.
template <class Sum, class T>
constexpr void multiply_tile(const std::array<const T*, tile_rows>& rows, std::int64_t step,
                             std::int64_t depth, const Sum* b, std::int64_t b_row, Sum* c,
                             std::int64_t c_row) {
    Sum c0[tile_columns] = {};
    Sum c1[tile_columns] = {};
    Sum c2[tile_columns] = {};
    Sum c3[tile_columns] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const auto a0 = static_cast<Sum>(rows[0][k * step]);
        const auto a1 = static_cast<Sum>(rows[1][k * step]);
        const auto a2 = static_cast<Sum>(rows[2][k * step]);
        const auto a3 = static_cast<Sum>(rows[3][k * step]);
        for (std::int64_t j = 0; j < tile_columns; ++j) {
            const Sum x = b[k * b_row + j];
            c0[j] += a0 * x;
            c1[j] += a1 * x;
            c2[j] += a2 * x;
            c3[j] += a3 * x;
        }
    }
    for (std::int64_t j = 0; j < tile_columns; ++j) {
        c[j] += c0[j];
        c[c_row + j] += c1[j];
        c[2 * c_row + j] += c2[j];
        c[3 * c_row + j] += c3[j];
    }
}

/// The sums of `a[k] * rows[r][k]` over k, for four rows at once. Each is summed in `tile_columns` parts that
/// are then added in pairs.
template <class Sum, class T>
constexpr std::array<Sum, tile_rows> dot(const T* a, const std::array<const T*, tile_rows>& rows,
                                         std::int64_t depth) {
    Sum c0[tile_columns] = {};
    Sum c1[tile_columns] = {};
    Sum c2[tile_columns] = {};
    Sum c3[tile_columns] = {};
    const auto add = [&](std::int64_t k, std::int64_t j) {
        const auto x = static_cast<Sum>(a[k + j]);
        c0[j] += x * static_cast<Sum>(rows[0][k + j]);
        c1[j] += x * static_cast<Sum>(rows[1][k + j]);
        c2[j] += x * static_cast<Sum>(rows[2][k + j]);
        c3[j] += x * static_cast<Sum>(rows[3][k + j]);
    };
    std::int64_t k = 0;
    for (; k + tile_columns <= depth; k += tile_columns)
        for (std::int64_t j = 0; j < tile_columns; ++j) add(k, j);
    for (std::int64_t j = 0; k + j < depth; ++j) add(k, j);
    for (std::int64_t half = tile_columns / 2; half > 0; half /= 2)
        for (std::int64_t j = 0; j < half; ++j) {
            c0[j] += c0[j + half];
            c1[j] += c1[j + half];
            c2[j] += c2[j + half];
            c3[j] += c3[j + half];
        }
    return {c0[0], c1[0], c2[0], c3[0]};
}

[[noreturn]] inline void fail_sum(std::string_view kernel, dtype from, dtype out, dtype widest) {
    std::string problem = "a result of type ";
    problem.append(name(out)).append(" from elements of type ").append(name(from));
    fail(kernel, std::move(problem), std::string(name(widest)).append(" or narrower"));
}

/// `f.template operator()<T, Out>()`, where products of T, the element type of both operands, are summed to
/// an Out: float32 for float16, int32 for int8, uint8 and int16, else T. The result is then cast to `out`, or
/// to T if `out` is `none`.
///
/// Throws: tutti::error if the operands' types differ or are others than these, or if `out` is wider than Out
/// or of another kind.
template <class F>
constexpr tensor with_product_type(std::string_view kernel, const tensor& data, const tensor& weight,
                                   dtype out, F f) {
    if (data.type() != weight.type())
        fail_pair(kernel, "data", data, "weight", weight, "the same element type");
    if (out == dtype::none) out = data.type();
    const auto run = [&]<class T, class Out>() {
        if (is_floating(out) != is_floating(dtype_of<Out>) || is_integer(out) != is_integer(dtype_of<Out>) ||
            bytes(out) > sizeof(Out))
            fail_sum(kernel, data.type(), out, dtype_of<Out>);
        return cast(f.template operator()<T, Out>(), out);
    };
    switch (data.type()) {
    case dtype::int8:
        return run.template operator()<std::int8_t, std::int32_t>();
    case dtype::uint8:
        return run.template operator()<std::uint8_t, std::int32_t>();
    case dtype::int16:
        return run.template operator()<std::int16_t, std::int32_t>();
    case dtype::int32:
        return run.template operator()<std::int32_t, std::int32_t>();
    case dtype::int64:
        return run.template operator()<std::int64_t, std::int64_t>();
    case dtype::float16:
        return run.template operator()<float16, float>();
    case dtype::float32:
        return run.template operator()<float, float>();
    case dtype::float64:
        return run.template operator()<double, double>();
    default:
        fail_type(kernel, data, "int8, uint8, int16, int32, int64, float16, float32 or float64");
    }
}

} // namespace detail
} // namespace tutti::kernel
