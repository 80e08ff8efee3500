#include <tutti/kernel/blocked/common/cells.hpp>

#include <tutti/kernel/conv_plan.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::tensor;
using kernel::blocked::lanes;
using kernel::blocked::rounded_up;
using kernel::blocked::detail::image_cells;

TEST_CASE("blocked/cells: inputs of a cell of windows are adjacent", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(100); round > 0; --round) {
        const std::int64_t height = random.integer(1, 9);
        const std::int64_t width = random.integer(1, 30);
        const kernel::conv_options options{.strides = {random.integer(1, 4), random.integer(1, 4)},
                                           .dilation = {random.integer(1, 3), random.integer(1, 3)},
                                           .before = {random.integer(4, 9), random.integer(4, 9)},
                                           .after = {random.integer(2, 9), random.integer(2, 9)}};
        const tensor data = random.filled<float>({1, 1, height, width});
        const tensor weight(kernel::dtype::float32, {1, 1, random.integer(1, 3), random.integer(1, 3)});
        const kernel::conv_options o = kernel::detail::with_layouts(options, data, weight);
        const auto p = kernel::detail::plan_conv("test", data, weight, o);
        REQUIRE(image_cells::suits(p));
        const std::int64_t rows = random.integer(1, p.out.space[1].size);
        const std::int64_t first = random.integer(0, p.out.space[1].size - rows);
        const image_cells cells(p, rows);
        std::vector<float> copy(static_cast<std::size_t>(cells.size()), 0.F);
        cells.copy(data.data<float>(), random.integer(0, p.out.space[1].size - rows), copy.data());
        cells.fill_rows(first, 0, copy.data());
        cells.copy(data.data<float>(), first, copy.data());
        const auto pixel = [&](std::int64_t h, std::int64_t w) {
            return h < 0 || h >= height || w < 0 || w >= width ? 0.F : data.data<float>()[h * width + w];
        };
        CHECK(cells.in_vectors(rows) <= rows * rounded_up(p.out.space[2].size, lanes));
        bool same = true;
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < p.out.space[2].size; ++x) {
                const std::int64_t made = y * cells.made_row() + x;
                std::int64_t from[1];
                cells.find_cells(made / lanes, from);
                for (std::int64_t i = 0; i < weight.shape()[2]; ++i)
                    for (std::int64_t j = 0; j < weight.shape()[3]; ++j)
                        same &= copy[static_cast<std::size_t>(from[0] + made % lanes + cells.place(i, j))] ==
                                pixel((first + y) * o.strides[0] + i * o.dilation[0] - o.before[0],
                                      x * o.strides[1] + j * o.dilation[1] - o.before[1]);
            }
        CHECK(same);
    }
}

TEST_CASE("blocked/cells: windows that would take much more room than the image are left", "[kernel][blocked]") {
    const tensor data(kernel::dtype::float32, {1, 1, 4, 4});
    const tensor weight(kernel::dtype::float32, {1, 1, 2, 2});
    const auto suits = [&](const kernel::conv_options& options) {
        return image_cells::suits(
            kernel::detail::plan_conv("test", data, weight, kernel::detail::with_layouts(options, data, weight)));
    };
    CHECK(suits({.strides = {1, 4}, .before = {0, 9}}));
    CHECK(!suits({.strides = {1, 5}, .before = {0, 9}}));
    CHECK(!suits({.dilation = {1, 1 << 20}, .before = {0, 1 << 20}}));
}
