#pragma once

#include <tutti/kernel/blocked/common/products.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>

#include <algorithm>
#include <cstdint>

// The inner loop of products: a register tile of sums of packed operands.

namespace tutti::kernel::blocked {

/// Register-tile height, chosen so that the registers hold the accumulators (24 of 32 registers for AVX-512, 12 of 16
/// for AVX2, 8 of 16 for SSE2), two vectors of one operand and an element of the other.
inline constexpr std::int64_t tile_rows = vector_bytes == 64 ? 12 : vector_bytes == 32 ? 6 : 4;
inline constexpr std::int64_t tile_columns = 2 * lanes;

/// Number of products summed at a time: both operands of a tile fit the first-level cache.
inline constexpr std::int64_t tile_depth = 256;

constexpr std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

/// Prefetch distance of a tile's first operand, in products: weights usually come from memory, in order.
inline constexpr std::int64_t fetched_ahead = 128;

/// `count` vectors of `depth` elements: `step` is the stride between vectors, `deep` the stride between their elements.
struct strided_vectors {
    const float* first;
    std::int64_t count;
    std::int64_t step;
    std::int64_t depth;
    std::int64_t deep;
};

/// Packs vectors into groups of `width` vectors. Elements k of all vectors of a group are adjacent. Pads the last group
/// with zeros. `to` holds `rounded_up(count, width) * depth` elements.
[[gnu::noinline]] inline void pack(const strided_vectors& from, std::int64_t width, float* to) {
    const auto [vectors, count, step, depth, deep] = from;
    for (std::int64_t first = 0; first < count; first += width, to += width * depth) {
        const std::int64_t n = std::min(width, count - first);
        const float* group = vectors + first * step;
        if (step == 1) {
            for (std::int64_t k = 0; k < depth; ++k) {
                std::copy_n(group + k * deep, n, to + k * width);
                std::fill_n(to + k * width + n, width - n, 0.F);
            }
            continue;
        }
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t k = 0; k < depth; ++k) to[k * width + i] = group[i * step + k * deep];
        for (std::int64_t i = n; i < width; ++i)
            for (std::int64_t k = 0; k < depth; ++k) to[k * width + i] = 0;
    }
}

/// The place where sums are stored, in rows `row` apart. If `add`, products are added to the sums there.
struct sums_place {
    float* to;
    std::int64_t row;
    bool add;
};

/// Computes `c[r][j] = sum over k of a[k][r] * b[k][j]` for `Rows` rows and `Vectors` vectors of columns. Rows of a are
/// `tile_rows` long; rows of b are `b_row` apart.
template <products How, std::int64_t Rows, std::int64_t Vectors>
[[gnu::noinline]] inline void multiply_tile(const float* a, const float* b, std::int64_t b_row, std::int64_t depth,
                                            const sums_place& c) {
    using sums = typename product_sums<How>::sums;
    sums left[Rows] = {};
    sums right[Rows] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const floats b0 = load(b);
        const floats b1 = load(b + (Vectors - 1) * lanes);
#pragma GCC unroll 12
        for (std::int64_t r = 0; r < Rows; ++r) {
            add_products<How>(left[r], a + r, b0);
            if constexpr (Vectors == 2) add_products<How>(right[r], a + r, b1);
        }
        __builtin_prefetch(a + fetched_ahead * tile_rows, 0, 2);
        a += tile_rows;
        b += b_row;
    }
#pragma GCC unroll 12
    for (std::int64_t r = 0; r < Rows; ++r) {
        float* to = c.to + r * c.row;
        store(c.add ? left[r] + load<sums>(to) : left[r], to);
        if constexpr (Vectors == 2) store(c.add ? right[r] + load<sums>(to + lanes) : right[r], to + lanes);
    }
}

/// Returns the number of rows that are computed for `rows` rows of a tile. Only a whole tile and some smaller heights
/// have functions.
constexpr std::int64_t computed_rows(std::int64_t rows) {
    if (rows > 8) return tile_rows;
    if (rows > 4) return std::min<std::int64_t>(8, tile_rows);
    return rows > 1 ? 4 : rows;
}

/// Returns the function for a tile of `rows` rows and one or two vectors of columns. The function computes
/// `computed_rows(rows)` rows. `Tile` is `packed_tile` or `placed_tile`.
template <class Tile, products How>
constexpr auto tile_of(std::int64_t rows, bool two) {
    constexpr std::int64_t eight = computed_rows(8);
    if (rows > 8) return two ? Tile::template function<How, tile_rows, 2> : Tile::template function<How, tile_rows, 1>;
    if (rows > 4) return two ? Tile::template function<How, eight, 2> : Tile::template function<How, eight, 1>;
    if (rows > 1) return two ? Tile::template function<How, 4, 2> : Tile::template function<How, 4, 1>;
    return two ? Tile::template function<How, 1, 2> : Tile::template function<How, 1, 1>;
}

/// Returns the function for a kind of products that is known at run time. Requires: `has_quads` for quads.
template <class Tile>
constexpr auto tile_for(products how, std::int64_t rows, bool two) {
    if constexpr (has_quads) {
        if (how == products::quads) return tile_of<Tile, products::quads>(rows, two);
        if (how == products::unsigned_quads) return tile_of<Tile, products::unsigned_quads>(rows, two);
    }
    return how == products::float32 ? tile_of<Tile, products::float32>(rows, two)
                                    : tile_of<Tile, products::pairs>(rows, two);
}

/// Tiles of two packed operands.
struct packed_tile {
    template <products How, std::int64_t Rows, std::int64_t Vectors>
    static constexpr auto function = &multiply_tile<How, Rows, Vectors>;
};

/// A packed first operand: tiles of rows, `tile` apart.
struct packed_rows {
    const float* data;
    std::int64_t tile;
};

/// A packed second operand: panels of columns, `panel` apart, whose rows are `row` apart.
struct packed_columns {
    const float* data;
    std::int64_t panel;
    std::int64_t row;
};

/// The size of a product.
struct product_size {
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t depth;
};

/// Computes `c = a · b` of packed operands tile by tile.
[[gnu::noinline]] inline void multiply_tiles(products how, const packed_rows& a, const packed_columns& b,
                                             const product_size& size, const sums_place& c) {
    alignas(64) float whole[tile_rows * tile_columns] = {};
    const float* panel = b.data;
    for (std::int64_t j = 0; j < size.columns; j += tile_columns, panel += b.panel)
        for (std::int64_t i = 0; i < size.rows; i += tile_rows) {
            const float* tile = a.data + i / tile_rows * a.tile;
            float* to = c.to + i * c.row + j;
            const std::int64_t high = std::min(tile_rows, size.rows - i);
            const std::int64_t wide = std::min(tile_columns, size.columns - j);
            const auto multiply = tile_for<packed_tile>(how, high, wide > lanes);
            if (!c.add) // prefetches the rows of the result, which may be far apart
                for (std::int64_t r = 0; r < high; ++r)
                    for (std::int64_t x = 0; x < wide; x += cache_line) __builtin_prefetch(to + r * c.row + x, 1);
            if (computed_rows(high) == high && wide % lanes == 0) {
                multiply(tile, panel, b.row, size.depth, {to, c.row, c.add});
                continue;
            }
            for (std::int64_t r = 0; c.add && r < high; ++r)
                std::copy_n(to + r * c.row, wide, whole + r * tile_columns);
            multiply(tile, panel, b.row, size.depth, {whole, tile_columns, c.add});
            for (std::int64_t r = 0; r < high; ++r) std::copy_n(whole + r * tile_columns, wide, to + r * c.row);
        }
}

/// A second operand in place. Row k is at `at[k]`; its second vector is `gap` after the first.
struct placed_columns {
    const float* data;
    const std::int32_t* at;
    std::int64_t gap;
};

/// Computes a tile as `multiply_tile` does, but reads the second operand in place instead of a packed copy.
template <products How, std::int64_t Rows, std::int64_t Vectors>
[[gnu::noinline]] inline void multiply_places(const float* a, const placed_columns& b, std::int64_t depth,
                                              const sums_place& c) {
    const auto [data, at, gap] = b;
    using sums = typename product_sums<How>::sums;
    sums left[Rows] = {};
    sums right[Rows] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        const float* row = data + at[k];
        const floats b0 = load(row);
        const floats b1 = load(Vectors == 2 ? row + gap : row);
#pragma GCC unroll 12
        for (std::int64_t r = 0; r < Rows; ++r) {
            add_products<How>(left[r], a + r, b0);
            if constexpr (Vectors == 2) add_products<How>(right[r], a + r, b1);
        }
        __builtin_prefetch(a + fetched_ahead * tile_rows, 0, 2);
        a += tile_rows;
    }
#pragma GCC unroll 12
    for (std::int64_t r = 0; r < Rows; ++r) {
        float* to = c.to + r * c.row;
        store(c.add ? left[r] + load<sums>(to) : left[r], to);
        if constexpr (Vectors == 2) store(c.add ? right[r] + load<sums>(to + lanes) : right[r], to + lanes);
    }
}

/// Tiles with the second operand in place.
struct placed_tile {
    template <products How, std::int64_t Rows, std::int64_t Vectors>
    static constexpr auto function = &multiply_places<How, Rows, Vectors>;
};

} // namespace tutti::kernel::blocked
