#include <tutti/kernel/layout.hpp>

#include <tutti/kernel/support/view.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using tutti::kernel::extents;
using tutti::kernel::layout;

namespace {

constexpr bool states(std::string_view text) { return layout::parse(text).has_value(); }

static_assert(states("NCHW") && states("OIHW16i16o") && states("C") && states("N16nC"));
static_assert(!states("") && !states("NN") && !states("NCHWc") && !states("NCHW16C") && !states("NCHW16") &&
              !states("16cNHW"));
static_assert(!states("nchw") && !states("N C") && !states("NCHW0c") && !states("NC99999999c"));
static_assert(layout::parse("NHWC16c")->find('C') == 3 && layout::parse("NHWC16c")->find('C', true) == 4);
static_assert(!layout::parse("NHWC")->find('C', true) && !layout::parse("NHWC")->find('D'));

} // namespace

TEST_CASE("layout: says which texts are layouts", "[kernel][layout]") {
    for (const auto text : {"NCHW", "NHWC", "OIHW16i16o", "NCHW16c", "C", "N16nC"}) CHECK(states(text));
    for (const auto text : {"", "NN", "NCHWc", "NCHW16C", "NCHW16", "16cNHW", "nchw", "N C", "NCHW0c", "NC99999999c"})
        CHECK_FALSE(states(text));
}

TEST_CASE("layout: is written as it is read, and has parts", "[kernel][layout]") {
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

TEST_CASE("layout: has a limited number of axes", "[kernel][layout]") {
    std::string text = "A";
    for (std::size_t i = 1; i < layout::max_rank; ++i) text += "2a";
    const auto l = layout::parse(text);
    REQUIRE(l.has_value());
    CHECK(l->text() == text);
    CHECK(l->block('A') == std::int64_t{1} << 31);
    CHECK_FALSE(layout::parse(text + "2a").has_value());
    layout full = *l;
    CHECK_FALSE(full.push_back({'B', 0}));
    CHECK(full == *l);
    CHECK(layout::parse("A9999999a9999999a9999999a")->block('A') == tutti::kernel::largest_size);
}

TEST_CASE("layout: a shape of numbers in it", "[kernel][layout]") {
    const layout l = *layout::parse("NCHW16c");
    const std::array<std::int64_t, 5> shape{1, 4, 5, 6, 16};
    CHECK(l.fits(shape));
    CHECK_FALSE(l.fits(std::array<std::int64_t, 5>{1, 4, 5, 6, 8}));
    CHECK_FALSE(l.fits(std::array<std::int64_t, 4>{1, 4, 5, 16}));
    CHECK(l.size(shape, 'C') == 64);
    const auto size_of = [&](char letter) { return l.size(shape, letter); };
    const auto in = layout::parse("NHW8cC")->shape<extents>(size_of);
    CHECK(std::array{in[0], in[1], in[2], in[3], in[4]} == std::array<std::int64_t, 5>{1, 5, 6, 8, 8});
    CHECK(layout::parse("NHW8cC")->undivided(size_of) == 0);
    CHECK(layout::parse("NHW3hC5c")->undivided(size_of) == 'H');
}
