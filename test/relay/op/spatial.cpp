#include <tutti/relay/op/spatial.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

#include <array>
#include <string_view>
#include <vector>

using namespace tutti;
using relay::dim;
using relay::dims;
namespace spatial = relay::spatial;
using Catch::Matchers::Contains;

namespace {

// A relation through which errors are reported.
struct somewhere {
    relay::builder b;
    relay::expr call = b.call(b.global("f"), {b.variable("x")});
    std::vector<relay::type_id> types = std::vector<relay::type_id>(b.graph().size(), relay::type_id::none);
    static constexpr std::array<std::string_view, 1> names{"data"};
    relay::relation r{b.graph(), types, call.id, "f", names};
};

} // namespace

TEST_CASE("spatial: places of a window", "[relay][spatial]") {
    somewhere at;
    CHECK(spatial::places(at.r, 7, 0, 3, 1, 1) == dim(5));
    CHECK(spatial::places(at.r, 7, 2, 3, 1, 2) == dim(4));
    CHECK(spatial::places(at.r, 8, 0, 3, 1, 2) == dim(3));
    CHECK(spatial::places(at.r, 8, 0, 3, 1, 2, true) == dim(4));
    CHECK(spatial::places(at.r, 7, 0, 3, 3, 1) == dim(1));
    CHECK(spatial::places(at.r, dim::any(), 0, 3, 1, 1).is_any());
    CHECK_THROWS_WITH(spatial::places(at.r, dim::any(), 0, 3, 1, 0), Contains("attribute `strides`"));
    CHECK_THROWS_WITH(spatial::places(at.r, 7, 0, 3, 0, 1), Contains("attribute `dilation`"));
    CHECK_THROWS_WITH(spatial::places(at.r, 6, 0, 3, 3, 1), Contains("argument `data`"));
}

TEST_CASE("spatial: padding is one number, one an axis, or before and after each", "[relay][spatial]") {
    somewhere at;
    CHECK(spatial::padding(at.r, {2}, 1, 2).total() == 4);
    CHECK(spatial::padding(at.r, {2, 3}, 1, 2).total() == 6);
    CHECK(spatial::padding(at.r, {1, 2, 3, 4}, 0, 2).before == 1);
    CHECK(spatial::padding(at.r, {1, 2, 3, 4}, 0, 2).after == 3);
    CHECK(spatial::padding(at.r, {1, 2, 3, 4}, 1, 2).total() == 6);
    CHECK_THROWS_WITH(spatial::padding(at.r, {}, 0, 2), Contains("attribute `padding`: 0 numbers"));
    CHECK(spatial::pad_2d({5}) == dims{5, 5, 5, 5});
    CHECK(spatial::pad_2d({1, 2, 3}) == dims{1, 2, 3});
}

TEST_CASE("spatial: a layout has the axes that it must, each once, blocks besides", "[relay][spatial]") {
    somewhere at;
    const auto parse = [&](std::string_view text) { return spatial::parse_layout(at.r, "layout", text, "NCHW"); };
    CHECK(parse("HWNC").rank() == 4);
    CHECK(parse("NCHW16c").rank() == 5);
    for (const auto text : {"NCH", "NCDHW", "OIHW", "", "NCHW16"})
        CHECK_THROWS_WITH(parse(text),
                          "f, attribute `layout`: \"" + std::string(text) +
                              "\" is not a layout of these axes; expected the letters of \"NCHW\" in some order");
}

TEST_CASE("spatial: blocks must divide their axes", "[relay][spatial]") {
    somewhere at;
    const auto shape = [&](std::string_view text) {
        const spatial::axis_sizes sizes(*relay::layout::parse("CN"), {24, dim::any()});
        return spatial::shape_in(at.r, "layout", *relay::layout::parse(text), sizes);
    };
    CHECK(shape("NC8c") == dims{dim::any(), 3, 8});
    CHECK(shape("NC8n") == dims{dim::any(), 24, 8});
    CHECK_THROWS_WITH(shape("NC16c"),
                      "f, attribute `layout`: blocks of 16 along an axis of size 24; expected blocks that divide it");
}

TEST_CASE("spatial: the sizes of axes have blocks multiplied in, and can be changed", "[relay][spatial]") {
    somewhere at;
    spatial::axis_sizes sizes(*relay::layout::parse("NCHW8c"), {1, 3, 10, dim::any(), 8});
    CHECK(sizes('C') == dim(24));
    CHECK(sizes('W').is_any());
    spatial::resize_axes(sizes, 2, [](dim n, std::size_t i) { return i == 0 ? times(n, 2) : n; });
    sizes.of('N') = 5;
    CHECK(spatial::shape_in(at.r, "layout", *relay::layout::parse("NHWC"), sizes) == dims{5, 20, dim::any(), 24});
}
