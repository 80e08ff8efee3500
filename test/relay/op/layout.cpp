#include <tutti/relay/op/layout.hpp>

#include "support/catch.hpp"

#include <array>
#include <type_traits>

using namespace tutti::relay;

static_assert(std::is_same_v<layout, tutti::kernel::layout>); // shapes may contain `?` here

TEST_CASE("layout: the size of an axis is the product of its blocks", "[relay][layout]") {
    const layout l = *layout::parse("NCHW16c");
    const std::array shape{dim(1), dim(4), dim(5), dim::any(), dim(16)};
    CHECK(l.size(shape, 'C') == dim(64));
    CHECK(l.size(shape, 'H') == dim(5));
    CHECK(l.size(shape, 'W').is_any());
}

TEST_CASE("layout: gives the shape of a tensor in it", "[relay][layout]") {
    const auto size_of = [](char letter) -> dim { return letter == 'C' ? 64 : letter == 'N' ? dim::any() : dim(7); };
    CHECK(layout::parse("NCHW")->shape<dims>(size_of) == dims{dim::any(), 64, 7, 7});
    CHECK(layout::parse("NHWC")->shape<dims>(size_of) == dims{dim::any(), 7, 7, 64});
    CHECK(layout::parse("NCHW16c")->shape<dims>(size_of) == dims{dim::any(), 4, 7, 7, 16});
    CHECK(layout::parse("HNWC4n")->shape<dims>(size_of) == dims{7, dim::any(), 7, 64, 4});
}

TEST_CASE("layout: a shape fits if it has the rank and the blocks", "[relay][layout]") {
    const layout l = *layout::parse("NCHW16c");
    CHECK(l.fits(dims{1, 4, 5, 5, 16}));
    CHECK(l.fits(dims{1, 4, 5, 5, dim::any()}));
    CHECK_FALSE(l.fits(dims{1, 4, 5, 5, 8}));
    CHECK_FALSE(l.fits(dims{1, 4, 5, 5}));
}

TEST_CASE("layout: an axis may have several blocks", "[relay][layout]") {
    const layout l = *layout::parse("OHWI16i64o2i");
    CHECK(l.block('I') == 32);
    CHECK(l.block('O') == 64);
    CHECK(l.block('H') == 1);
    CHECK(l.size(dims{2, 3, 3, 2, 16, 64, 2}, 'I') == dim(64));
    CHECK(l.shape<dims>([](char letter) -> dim {
        return letter == 'O' ? 128 : letter == 'I' ? 64 : 3;
    }) == dims{2, 3, 3, 2, 16, 64, 2});
}
