#include <tutti/kernel/support/interpolation.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::detail::cubic_weights;
using kernel::detail::interpolated;
using kernel::detail::pixel_taps;
using kernel::detail::sampling_type;

TEST_CASE("interpolation: the weights of four pixels have the sum one, and a pixel's weight at itself is one",
          "[kernel][interpolation]") {
    static_assert(cubic_weights(-0.5F, 0)[1] == 1);
    for (const float a : {-0.5F, -0.75F})
        for (const float t : {0.F, 0.25F, 0.5F, 0.875F}) {
            const auto w = cubic_weights(a, t);
            CHECK(w[0] + w[1] + w[2] + w[3] == Approx(1));
            const auto back = cubic_weights(a, 1 - t);
            for (std::size_t i = 0; i < 4; ++i) CHECK(w[i] == Approx(back[3 - i]).margin(1e-6));
            // With a = -0.5, interpolation reproduces a straight line.
            if (a == -0.5F) CHECK(-w[0] + w[2] + 2 * w[3] == Approx(t).margin(1e-6));
        }
}

TEST_CASE("interpolation: an element is made of the pixels that weigh something; of none, it is zero",
          "[kernel][interpolation]") {
    constexpr std::int64_t shape[]{1, 1, 2, 3};
    const kernel::lettered_axes axes = kernel::axes_in("test", "data", kernel::lettered::data, "NCHW", shape);
    std::array<pixel_taps, 3> taps;
    taps[1] = {.count = 2, .at = {0, 1}, .weight = {0.5F, 0.5F}};
    taps[2] = {.count = 2, .at = {0, 2}, .weight = {0.25F, 0.75F}};
    const double pixels[]{1, 9, 2, 3, 9, 4};
    CHECK(interpolated(+pixels, axes.space, taps) == (1.75 + 3.75) / 2);
    const std::int64_t whole[]{1, 9, 2, 3, 9, 4};
    taps[2] = {.count = 1, .at = {2}};
    CHECK(interpolated(+whole, axes.space, taps) == 2);
    taps[2].count = 0;
    CHECK(interpolated(+whole, axes.space, taps) == 0);
    CHECK(interpolated(+pixels, axes.space, taps) == 0);
}

TEST_CASE("interpolation: what is only chosen stays an integer", "[kernel][interpolation]") {
    using enum kernel::dtype;
    using enum kernel::resize_method;
    CHECK(sampling_type(float16, linear) == float32);
    CHECK(sampling_type(float64, cubic) == float64);
    CHECK(sampling_type(int8, nearest) == int64);
    CHECK(sampling_type(int8, linear) == float64);
}
