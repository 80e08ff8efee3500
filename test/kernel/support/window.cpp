#include <tutti/kernel/support/window.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::window;
using kernel::detail::places_inside;

namespace {

// Counts the window's positions by trying each.
std::int64_t places(const window& w, bool ceil_mode) {
    const std::int64_t slack = ceil_mode ? w.stride - 1 : 0;
    std::int64_t n = 0;
    while (n * w.stride + (w.size - 1) * w.dilation + 1 <= w.before + w.extent + w.after + slack) ++n;
    return n;
}

} // namespace

TEST_CASE("window: has as many places as can be tried", "[kernel][window]") {
    static_assert(window{.extent = 224, .size = 7, .stride = 2, .before = 3, .after = 3}.count() == 112);
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 0; i < 2000; ++i) {
        const window w{random.integer(0, 20), random.integer(1, 5), random.integer(1, 4),
                       random.integer(1, 3),  random.integer(0, 3), random.integer(0, 3)};
        if (w.reach() > w.extent + w.before + w.after) continue;
        CHECK(w.count() == places(w, false));
        CHECK(w.count(true) == places(w, true));
        for (std::int64_t place = 0; place < w.count(true); ++place) {
            std::int64_t first = -1;
            std::int64_t inside = 0;
            for (std::int64_t cell = 0; cell < w.size; ++cell) {
                const std::int64_t at = place * w.stride - w.before + cell * w.dilation;
                CHECK(at == w.at(place, cell));
                if (at < 0 || at >= w.extent) continue;
                if (inside++ == 0) first = at;
            }
            const kernel::window_part part(w, place);
            CHECK(part.count == inside);
            CHECK((inside == 0 || part.begin == first));
        }
    }
}

TEST_CASE("window: places inside of an axis are a range", "[kernel][window]") {
    for (std::int64_t w = -7; w < 12; ++w)
        for (std::int64_t stride = 1; stride < 4; ++stride)
            for (std::int64_t size = 0; size < 9; ++size)
                for (std::int64_t count = 0; count < 6; ++count) {
                    const places_inside range(w, stride, size, count);
                    REQUIRE((0 <= range.begin && range.begin <= range.end && range.end <= count));
                    for (std::int64_t i = 0; i < count; ++i) {
                        const bool inside = w + i * stride >= 0 && w + i * stride < size;
                        REQUIRE(inside == (i >= range.begin && i < range.end));
                    }
                }
}

TEST_CASE("window: numbers that make no sense are errors", "[kernel][window]") {
    const auto error = [](const window& w) {
        return test::error_of([&] { kernel::detail::check_windows("k", {window{}, window{}, w}, 1); });
    };
    CHECK(error({.extent = 3, .size = 3}) == "nothing thrown");
    CHECK(error({.extent = 3, .size = 3, .dilation = 2}) ==
          "kernel::k: width: a window that spans 5 cells; expected at most 3, the size of the padded image");
    CHECK(error({.extent = 3, .stride = 0}) == "kernel::k: width: a stride of 0; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .size = 0}) == "kernel::k: width: a window of 0; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .dilation = -1}) == "kernel::k: width: a dilation of -1; expected from 1 to 2^31 - 1");
    CHECK(error({.extent = 3, .before = -1}) == "kernel::k: width: a padding of -1; expected from 0 to 2^31 - 1");
    CHECK(error({.extent = 3, .after = INT64_MAX}) ==
          "kernel::k: width: a padding of 9223372036854775807; expected from 0 to 2^31 - 1");
    CHECK(test::error_of([] { kernel::detail::check_windows("k", {window{.size = 0}, window{}, window{}}, 3); }) ==
          "kernel::k: depth: a window of 0; expected from 1 to 2^31 - 1");
}
