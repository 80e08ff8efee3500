#pragma once

#include <tutti/base/folder.hpp>

#include <array>
#include <cstdint>

// Inner loops of convolutions and products in any sum type.

namespace tutti::kernel::blocked::detail {

/// Register-tile height and width. The accumulators of float stay in registers: 8 of 16 with AVX2, 4 of 32 with
/// AVX-512.
inline constexpr std::int64_t any_tile_rows = 4;
inline constexpr std::int64_t any_tile_columns = 16;

/// The rows of a tile's first operand. Each row has `depth` elements, `step` apart.
template <class Sum>
struct any_rows {
    std::array<const Sum*, any_tile_rows> row;
    std::int64_t step;
    std::int64_t depth;
};

/// Adds `sum over k of a.row[r][k * a.step] * b[k][j]` to `c[r][j]` for one tile; rows of b and c are `b_row` and
/// `c_row` apart.
///
/// Uses four arrays instead of an array of arrays, because GCC 12 keeps only the former in registers.
template <class Sum>
constexpr void multiply_any_tile(const any_rows<Sum>& a, const Sum* b, std::int64_t b_row, Sum* c, std::int64_t c_row) {
    Sum c0[any_tile_columns] = {};
    Sum c1[any_tile_columns] = {};
    Sum c2[any_tile_columns] = {};
    Sum c3[any_tile_columns] = {};
    for (std::int64_t k = 0; k < a.depth; ++k) {
        const Sum a0 = a.row[0][k * a.step];
        const Sum a1 = a.row[1][k * a.step];
        const Sum a2 = a.row[2][k * a.step];
        const Sum a3 = a.row[3][k * a.step];
        for (std::int64_t j = 0; j < any_tile_columns; ++j) {
            const Sum x = b[k * b_row + j];
            c0[j] += a0 * x;
            c1[j] += a1 * x;
            c2[j] += a2 * x;
            c3[j] += a3 * x;
        }
    }
    for (std::int64_t j = 0; j < any_tile_columns; ++j) {
        c[j] += c0[j];
        c[c_row + j] += c1[j];
        c[2 * c_row + j] += c2[j];
        c[3 * c_row + j] += c3[j];
    }
}

/// Returns the sums of `a[k] * rows[r][k]` over k for four rows at once. Each is computed as `any_tile_columns` partial
/// sums, which are then added in pairs.
template <class Sum>
constexpr std::array<Sum, any_tile_rows> any_dot(const Sum* a, const std::array<const Sum*, any_tile_rows>& rows,
                                                 std::int64_t depth) {
    Sum c0[any_tile_columns] = {};
    Sum c1[any_tile_columns] = {};
    Sum c2[any_tile_columns] = {};
    Sum c3[any_tile_columns] = {};
    const auto add = [&](std::int64_t k, std::int64_t j) {
        const Sum x = a[k + j];
        c0[j] += x * rows[0][k + j];
        c1[j] += x * rows[1][k + j];
        c2[j] += x * rows[2][k + j];
        c3[j] += x * rows[3][k + j];
    };
    std::int64_t k = 0;
    for (; k + any_tile_columns <= depth; k += any_tile_columns)
        for (std::int64_t j = 0; j < any_tile_columns; ++j) add(k, j);
    for (std::int64_t j = 0; k + j < depth; ++j) add(k, j);
    for (std::int64_t half = any_tile_columns / 2; half > 0; half /= 2)
        for (std::int64_t j = 0; j < half; ++j) {
            c0[j] += c0[j + half];
            c1[j] += c1[j + half];
            c2[j] += c2[j + half];
            c3[j] += c3[j + half];
        }
    return {c0[0], c1[0], c2[0], c3[0]};
}

} // namespace tutti::kernel::blocked::detail
