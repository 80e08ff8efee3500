#include <tutti/kernel/blocked/common/tile.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blocked = tutti::kernel::blocked;

static_assert(blocked::rounded_up(0, 4) == 0 && blocked::rounded_up(5, 4) == 8 && blocked::rounded_up(8, 4) == 8);

TEST_CASE("blocked/tile: packs vectors side by side, and fills the last group with zeros", "[kernel][blocked]") {
    const std::vector<float> rows{1, 2, 3, 4, 5, 6}; // three rows of two
    std::vector<float> to(8, -1.F);
    blocked::pack({rows.data(), 3, 2, 2, 1}, 2, to.data());
    CHECK(to == std::vector<float>{1, 3, 2, 4, 5, 0, 6, 0});
    blocked::pack({rows.data(), 3, 1, 2, 3}, 2, to.data()); // packs the columns of a 2 x 3 matrix
    CHECK(to == std::vector<float>{1, 2, 4, 5, 3, 0, 6, 0});
}

TEST_CASE("blocked/tile: products of any number of rows and columns, added or not", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::int64_t rows = 1; rows <= 2 * blocked::tile_rows + 1; ++rows)
        for (std::int64_t columns = 1; columns <= 2 * blocked::tile_columns + 1; columns += 1 + columns / 3) {
            const std::int64_t depth = random.integer(1, 9);
            const auto a = test::values(random.filled<float>({rows, depth}));
            const auto b = test::values(random.filled<float>({depth, columns}));
            const std::vector<float> left(a.begin(), a.end());
            const std::vector<float> right(b.begin(), b.end());
            std::vector<float> tiles(static_cast<std::size_t>(blocked::rounded_up(rows, blocked::tile_rows) * depth));
            std::vector<float> panels(
                static_cast<std::size_t>(blocked::rounded_up(columns, blocked::tile_columns) * depth));
            blocked::pack({left.data(), rows, depth, depth, 1}, blocked::tile_rows, tiles.data());
            blocked::pack({right.data(), columns, 1, depth, columns}, blocked::tile_columns, panels.data());
            std::vector<float> c(static_cast<std::size_t>(rows * columns), 100.F);
            for (const bool add : {false, true})
                blocked::multiply_tiles(blocked::products::float32, {tiles.data(), blocked::tile_rows * depth},
                                        {panels.data(), blocked::tile_columns * depth, blocked::tile_columns},
                                        {rows, columns, depth}, {c.data(), columns, add});
            double worst = 0;
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    double sum = 0;
                    for (std::int64_t k = 0; k < depth; ++k)
                        sum +=
                            a[static_cast<std::size_t>(i * depth + k)] * b[static_cast<std::size_t>(k * columns + j)];
                    const double got = static_cast<double>(c[static_cast<std::size_t>(i * columns + j)]);
                    worst = std::max(worst, std::abs(got - 2 * sum));
                }
            INFO(rows << " x " << depth << " x " << columns);
            CHECK(worst < 1e-5);
        }
}
