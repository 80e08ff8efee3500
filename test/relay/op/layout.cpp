#include <tutti/relay/op/layout.hpp>

#include "catch.hpp"

#include <array>
#include <string_view>

using namespace tutti::relay;

namespace {

constexpr bool states(std::string_view text) { return layout::parse(text).has_value(); }

static_assert(states("NCHW") && states("OIHW16i16o") && states("C") && states("N16nC"));
static_assert(!states("") && !states("NN") && !states("NCHWc") && !states("NCHW16C") && !states("NCHW16") &&
              !states("16cNHW"));
static_assert(!states("nchw") && !states("N C") && !states("NCHW0c") && !states("NC99999999c"));
static_assert(layout::parse("NHWC16c")->find('C') == 3 && layout::parse("NHWC16c")->find('C', true) == 4);
static_assert(!layout::parse("NHWC")->find('C', true) && !layout::parse("NHWC")->find('D'));

} // namespace

TEST_CASE("layout: says which texts are layouts", "[relay][layout]") {
    for (const auto text : {"NCHW", "NHWC", "OIHW16i16o", "NCHW16c", "C", "N16nC"}) CHECK(states(text));
    for (const auto text : {"", "NN", "NCHWc", "NCHW16C", "NCHW16", "16cNHW", "nchw", "N C", "NCHW0c", "NC99999999c"})
        CHECK_FALSE(states(text));
}

TEST_CASE("layout: an axis's size is that of all its blocks", "[relay][layout]") {
    const layout l = *layout::parse("NCHW16c");
    const std::array shape{dim(1), dim(4), dim(5), dim::any(), dim(16)};
    CHECK(l.size(shape, 'C') == dim(64));
    CHECK(l.size(shape, 'H') == dim(5));
    CHECK(l.size(shape, 'W').is_any());
}

TEST_CASE("layout: gives the shape of a tensor in it", "[relay][layout]") {
    const auto size_of = [](char letter) -> dim { return letter == 'C' ? 64 : letter == 'N' ? dim::any() : dim(7); };
    CHECK(layout::parse("NCHW")->shape(size_of) == dims{dim::any(), 64, 7, 7});
    CHECK(layout::parse("NHWC")->shape(size_of) == dims{dim::any(), 7, 7, 64});
    CHECK(layout::parse("NCHW16c")->shape(size_of) == dims{dim::any(), 4, 7, 7, 16});
    CHECK(layout::parse("HNWC4n")->shape(size_of) == dims{7, dim::any(), 7, 64, 4});
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
    CHECK(l.shape([](char letter) -> dim {
        return letter == 'O' ? 128 : letter == 'I' ? 64 : 3;
    }) == dims{2, 3, 3, 2, 16, 64, 2});
}

TEST_CASE("layout: is written as it is read, and has parts", "[relay][layout]") {
    for (const char* text : {"NCHW", "NCHW16c", "OHWI16i64o2i", "C"}) CHECK(layout::parse(text)->text() == text);
    CHECK(layout{}.text().empty());
    const layout l = *layout::parse("NCHW128c");
    CHECK(l.primal_rank() == 4);
    CHECK(l.sub(2, 2).text() == "HW");
    CHECK(l.sub(4, 9).text() == "128c");
    CHECK(l.sub(4, 1).primal_rank() == 0);
    CHECK(l.sub(5, 1).rank() == 0);
    layout made;
    made.push_back({'C', 0});
    CHECK(made == *layout::parse("C"));
}
