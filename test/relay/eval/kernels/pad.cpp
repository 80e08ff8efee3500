#include <tutti/relay/eval/kernels/pad.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::pad_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/pad: padding and blocks take their attributes", "[relay][eval]") {
    const tensor batch({4, 2}, {1, 3, 4, 6, 2, 9, 5, 9});
    const test::call_row rows[]{
        {R"(nn.pad(%a, 9f, pad_width=[[0, 0], [1, 1]], pad_mode="constant"))",
         {x},
         {2, 5},
         {9, 1, 2, 3, 9, 9, 4, 5, 6, 9}},
        {R"(nn.pad(%a, 9f, pad_width=[[0, 0], [1, 1]], pad_mode="edge"))", {x}, {2, 5}, {1, 1, 2, 3, 3, 4, 4, 5, 6, 6}},
        {R"(nn.pad(%a, 9f, pad_width=[[0, 0], [1, 1]], pad_mode="reflect"))",
         {x},
         {2, 5},
         {2, 1, 2, 3, 2, 5, 4, 5, 6, 5}},
        {"nn.space_to_batch_nd(%a, block_shape=[2], paddings=[[0, 1]], pad_value=9)",
         {x},
         {4, 2},
         {1, 3, 4, 6, 2, 9, 5, 9}},
        {"nn.batch_to_space_nd(%a, block_shape=[2], crops=[[0, 1]])", {batch}, {2, 3}, {1, 2, 3, 4, 5, 6}},
    };
    test::check(kernels, rows);
    CHECK_THROWS_WITH(test::first_of(kernels, R"(nn.pad(%a, 9f, pad_width=[[0, 0], [1, 1]], pad_mode="wrap"))", {x}),
                      "nn.pad: the kernel does not know this case");
}

TEST_CASE("kernels/pad: mirrors with the edge or without it", "[relay][eval]") {
    const test::call_row rows[]{
        {R"(nn.mirror_pad(%a, mode="REFLECT", pad_width=[[1, 0], [1, 2]]))",
         {x},
         {3, 6},
         {5, 4, 5, 6, 5, 4, 2, 1, 2, 3, 2, 1, 5, 4, 5, 6, 5, 4}},
        {R"(nn.mirror_pad(%a, mode="SYMMETRIC", pad_width=[[1, 0], [1, 2]]))",
         {x},
         {3, 6},
         {1, 1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 4, 4, 5, 6, 6, 5}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/pad: nn.dilate takes its attributes", "[relay][eval]") {
    const test::call_row rows[]{
        {"nn.dilate(%a, strides=[2, 1], dilation_value=9)", {x}, {3, 3}, {1, 2, 3, 9, 9, 9, 4, 5, 6}},
    };
    test::check(kernels, rows);
}
