#include <tutti/kernel/conv_blocks.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::lettered;
using kernel::detail::places_inside;
using kernel::detail::weight_row;
using test::shape_t;

namespace {

weight_row row(std::string_view layout, const shape_t& shape) {
    return weight_row(kernel::axes_in("k", "weight", lettered::weight, layout, shape));
}

} // namespace

TEST_CASE("conv_blocks: weights in a row are told from those that are not", "[kernel][conv_blocks]") {
    CHECK(row("OIHW", {2, 3, 5, 7}).good);
    CHECK(row("OIHW", {2, 3, 5, 7}).channels_first);
    CHECK(row("OHWI", {2, 3, 5, 7}).good);
    CHECK(!row("OHWI", {2, 3, 5, 7}).channels_first);
    CHECK(row("HWIO", {2, 3, 5, 7}).step == 7);
    CHECK(!row("HWOI", {2, 3, 5, 7}).good);
    CHECK(row("HWOI", {1, 1, 5, 7}).good);
    CHECK(!row("IOHW", {2, 3, 5, 7}).good);
    CHECK(!row("OIHW2i", {2, 3, 5, 7, 2}).good);
}

TEST_CASE("conv_blocks: places inside of an axis are a range", "[kernel][conv_blocks]") {
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
