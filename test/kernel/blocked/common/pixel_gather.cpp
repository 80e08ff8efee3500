#include <tutti/kernel/blocked/common/pixel_gather.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::blocked::detail::pixel_gather;
using kernel::detail::conv_plan;

namespace {

// A 1 x 2 window over one channel of 2 x 3 pixels, with one column of padding on the left.
constexpr conv_plan small_plan() {
    const auto axis = [](std::int64_t size, std::int64_t stride) {
        return kernel::lettered_axis{.size = size, .parts = 1, .part_of = {kernel::lettered_axis::part{size, stride}}};
    };
    conv_plan p;
    p.in = {.outer = axis(1, 6), .channel = axis(1, 6), .space = {{axis(1, 6), axis(2, 3), axis(3, 1)}}};
    p.weight = {.outer = axis(1, 2), .channel = axis(1, 2), .space = {{axis(1, 2), axis(1, 2), axis(2, 1)}}};
    p.out = {.outer = axis(1, 6), .channel = axis(1, 6), .space = {{axis(1, 6), axis(2, 3), axis(3, 1)}}};
    p.window[1] = {.extent = 2};
    p.window[2] = {.extent = 3, .size = 2, .before = 1};
    return p;
}

constexpr bool gathers_in_constant_evaluation() {
    pixel_gather<int, 4> pixels(small_plan());
    const std::array image{1, 2, 3, 4, 5, 6};
    std::array<int, 8> patch{};
    pixels.find_runs(1, 4); // two pixels in the first row, two in the second
    pixels.gather(image.data(), {0, true, 0, 2}, {patch.data(), 4, 4});
    std::array<int, 6> out{};
    pixels.store(patch.data(), 4, out.data(), 0, 1);
    return pixels.places() == 6 && pixels.neighbours() && pixels.first_place() == 1 &&
           patch == std::array{1, 2, 0, 4, 2, 3, 4, 5} && out == std::array{0, 1, 2, 0, 4, 0};
}

} // namespace

TEST_CASE("blocked/pixel_gather: gathers the inputs of each weight at some pixels, including padding",
          "[kernel][blocked]") {
    static_assert(gathers_in_constant_evaluation());
    CHECK(gathers_in_constant_evaluation());
}

TEST_CASE("blocked/pixel_gather: knows whether pixels are neighbours in the result", "[kernel][blocked]") {
    conv_plan p = small_plan();
    CHECK(pixel_gather<float, 4>(p).neighbours());
    p.out.space[2].part_of[0].stride = 2;
    CHECK(!pixel_gather<float, 4>(p).neighbours());
}
