#include <tutti/kernel/image.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::image_layout;
using kernel::kernel_layout;
using kernel::window;
using list = std::vector<std::int64_t>;

namespace {

constexpr bool layouts_tell_axes_apart() {
    const list axes{2, 3, 5, 7};
    const kernel::image_axes nchw = kernel::image_axes_of(axes, image_layout::nchw);
    const kernel::image_axes nhwc = kernel::image_axes_of(axes, image_layout::nhwc);
    const kernel::kernel_axes hwio = kernel::kernel_axes_of(axes, kernel_layout::hwio);
    const kernel::kernel_axes ohwi = kernel::kernel_axes_of(axes, kernel_layout::ohwi);
    return nchw.n == 2 && nchw.c == 3 && nchw.h == 5 && nchw.w == 7 && nhwc.n == 2 && nhwc.h == 3 &&
           nhwc.w == 5 && nhwc.c == 7 && hwio.h == 2 && hwio.w == 3 && hwio.i == 5 && hwio.o == 7 &&
           ohwi.o == 2 && ohwi.h == 3 && ohwi.w == 5 && ohwi.i == 7 &&
           kernel::kernel_axes_of(axes, kernel_layout::oihw).i == 3 &&
           std::ranges::equal(kernel::in_layout(nchw, image_layout::nchw), axes) &&
           std::ranges::equal(kernel::in_layout(nhwc, image_layout::nhwc), axes);
}

// Counts the places by trying each.
std::int64_t places(const window& w, bool ceil_mode) {
    const std::int64_t slack = ceil_mode ? w.stride - 1 : 0;
    std::int64_t n = 0;
    while (n * w.stride + (w.size - 1) * w.dilation + 1 <= w.before + w.extent + w.after + slack) ++n;
    return n;
}

} // namespace

TEST_CASE("image: layouts tell the axes apart and put them back", "[kernel][image]") {
    static_assert(layouts_tell_axes_apart());
    CHECK(layouts_tell_axes_apart());
}

TEST_CASE("image: a window has as many places as can be tried", "[kernel][image]") {
    static_assert(window{.extent = 224, .size = 7, .stride = 2, .before = 3, .after = 3}.count() == 112);
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        const window w{random.integer(0, 20), random.integer(1, 5), random.integer(1, 4),
                       random.integer(1, 3),  random.integer(0, 3), random.integer(0, 3)};
        if (w.reach() > w.extent + w.before + w.after) continue;
        CHECK(w.count() == places(w, false));
        CHECK(w.count(true) == places(w, true));
    }
}

TEST_CASE("image: windows that make no sense are errors", "[kernel][image]") {
    const auto error = [](const window& w) {
        return test::error_of([&] { kernel::detail::check_window("k", "width", w); });
    };
    CHECK(error({.extent = 3, .size = 3}) == "nothing thrown");
    CHECK(error({.extent = 3, .size = 3, .dilation = 2}) ==
          "kernel::k: width: a window that reaches over 5 cells; expected at most the 3 of the padded image");
    CHECK(error({.extent = 3, .stride = 0}) ==
          "kernel::k: width: a stride of 0; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .size = 0}) == "kernel::k: width: a window of 0; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .dilation = -1}) ==
          "kernel::k: width: a dilation of -1; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .before = -1}) ==
          "kernel::k: width: a padding of -1; expected from 0 to 2^31 - 1");
    CHECK(error({.extent = 3, .after = INT64_MAX}) ==
          "kernel::k: width: a padding of 9223372036854775807; expected from 0 to 2^31 - 1");
    CHECK(test::error_of([] {
              kernel::detail::check_image("k", kernel::tensor(kernel::dtype::int8, {2, 3}));
          }) == "kernel::k: data is (2, 3) int8; expected a tensor of rank 4");
}
