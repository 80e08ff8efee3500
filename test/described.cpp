#include <tutti/described.hpp>

#include "catch.hpp"

#include <boost/hana/tuple.hpp>

namespace {
struct point {
    int x = 1;
    double y = 2;

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"x", &point::x}, tutti::option{"height", &point::y});
};

constexpr point doubled(point p) {
    tutti::for_each_option<point>([&](const auto& each) { each(p) *= 2; });
    return p;
}
} // namespace

static_assert(tutti::describes_options<point> && !tutti::describes_options<int>);
static_assert(doubled({3, 4}).x == 6 && doubled({3, 4}).y == 8);

TEST_CASE("described: options are visited in order, by name and member", "[described]") {
    std::string names;
    tutti::for_each_option<point>([&](const auto& each) { names += std::string{each.name} + " "; });
    CHECK(names == "x height ");
    CHECK(doubled({}).y == 4);
}
