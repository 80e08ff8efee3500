#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

// The inner loops of convolution and matrix products.

namespace tutti::kernel {

namespace detail {

/// A product tile has this many rows and columns: its sums stay in registers, from SSE2 (8 of 16) to AVX-512
/// (4 of 32).
inline constexpr std::int64_t tile_rows = 4;
inline constexpr std::int64_t tile_columns = 16;

/// `c[r][j] += sum over k of rows[r][k * step] * b[k][j]` for one tile; a row of b or c begins b_row or c_row
/// after the last.
///
/// Four arrays and not one of arrays, because GCC 12 keeps only these in registers.
template <class Sum>
constexpr void multiply_tile(const std::array<const Sum*, tile_rows>& rows, std::int64_t step, std::int64_t depth,
                             const Sum* b, std::int64_t b_row, Sum* c, std::int64_t c_row) {
    Sum c0[tile_columns] = {};
    Sum c1[tile_columns] = {};
    Sum c2[tile_columns] = {};
    Sum c3[tile_columns] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const Sum a0 = rows[0][k * step];
        const Sum a1 = rows[1][k * step];
        const Sum a2 = rows[2][k * step];
        const Sum a3 = rows[3][k * step];
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
template <class Sum>
constexpr std::array<Sum, tile_rows> dot(const Sum* a, const std::array<const Sum*, tile_rows>& rows,
                                         std::int64_t depth) {
    Sum c0[tile_columns] = {};
    Sum c1[tile_columns] = {};
    Sum c2[tile_columns] = {};
    Sum c3[tile_columns] = {};
    const auto add = [&](std::int64_t k, std::int64_t j) {
        const Sum x = a[k + j];
        c0[j] += x * rows[0][k + j];
        c1[j] += x * rows[1][k + j];
        c2[j] += x * rows[2][k + j];
        c3[j] += x * rows[3][k + j];
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

/// The element type of a product's result: `out`, or the data's if that is `none`.
///
/// Throws: tutti::error if an operand or the result is bool, or if an integer is to come of floating point.
constexpr dtype product_type(std::string_view kernel, const tensor& data, const tensor& weight, dtype out) {
    const auto known = [](dtype t) { return t != dtype::none && t != dtype::boolean; };
    if (out == dtype::none) out = data.type();
    const bool floating = is_floating(data.type()) || is_floating(weight.type());
    if (!known(data.type()) || !known(weight.type()))
        fail_pair(kernel, "data", data, "weight", weight, "elements of integer or floating-point types");
    if (!known(out) || (floating && !is_floating(out)))
        fail_pair(kernel, "data", data, "weight", weight, {"other elements than these for a result of ", out});
    return out;
}

/// The type that products are summed in: float64 if anything is, else float32 if anything is of floating point, else unsigned
/// integers as wide as the result, which wrap.
constexpr dtype sum_type(dtype data, dtype weight, dtype out) {
    if (data == dtype::float64 || weight == dtype::float64 || out == dtype::float64) return dtype::float64;
    if (is_floating(out)) return dtype::float32;
    return bytes(out) == 8 ? dtype::uint64 : dtype::uint32;
}

/// `f(std::type_identity<Sum>{})` with the C++ type. Requires: it is one that `sum_type` gives.
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
