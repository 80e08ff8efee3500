#include <tutti/relay/eval/kernels/slice.hpp>

#include "support.hpp"

#include <cstdint>

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::slice_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
const tensor y({2, 1}, {7, 8});

} // namespace

TEST_CASE("kernels/slice: slices take their attributes", "[relay][eval]") {
    const tensor begin({2}, {0, 1});
    const tensor end({2}, {std::int64_t{2}, std::int64_t{2}});
    const tensor strides({2}, {1, 1});
    const test::call_row rows[]{
        {"strided_slice(%a, begin=[0, 2], end=[2, 0], strides=[1, -1], axes=None)", {x}, {2, 2}, {3, 2, 6, 5}},
        {R"(strided_slice(%a, begin=[1], end=[-1], strides=[1], slice_mode="size", axes=[-1]))",
         {x},
         {2, 2},
         {2, 3, 5, 6}},
        {"slice_like(%a, %b, axes=None)", {x, y}, {2, 1}, {1, 4}},
        {"slice_like(%a, %b, axes=[0])", {x, y}, {2, 3}, {1, 2, 3, 4, 5, 6}},
        {"strided_set(%a, %b, %c, %d, %e)", {x, y, begin, end, strides}, {2, 3}, {1, 7, 3, 4, 8, 6}},
    };
    test::check(kernels, rows);
}
