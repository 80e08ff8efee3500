#include <tutti/base/described.hpp>

#include "support/catch.hpp"

#include <boost/hana/tuple.hpp>

namespace {
struct point {
    int x = 1;
    double y = 2;

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"x", &point::x}, tutti::option{"height", &point::y});
};

struct corner {
    int left = 1;
    double top = 2;

    static constexpr tutti::option_list<&corner::left, &corner::top> options{"left", "above"};
};

constexpr point doubled(point p) {
    tutti::detail::for_each_option<point>([&](const auto& each) { each(p) *= 2; });
    return p;
}
} // namespace

static_assert(tutti::internal::describes_options<point> && !tutti::internal::describes_options<int>);
static_assert(tutti::internal::describes_options<corner>);
static_assert(doubled({3, 4}).x == 6 && doubled({3, 4}).y == 8);

TEST_CASE("described: options are visited in order, by name and member", "[described]") {
    std::string names;
    tutti::detail::for_each_option<point>([&](const auto& each) { names += std::string{each.name} + " "; });
    CHECK(names == "x height ");
    CHECK(doubled({}).y == 4);
}

TEST_CASE("described: a list of members and one of names are as good as a tuple", "[described]") {
    corner c;
    std::string names;
    tutti::detail::for_each_option<corner>([&](const auto& each) {
        names += std::string{each.name} + " ";
        each(c) += 1;
    });
    CHECK(names == "left above ");
    CHECK((c.left == 2 && c.top == 3));
}

TEST_CASE("int_from: an int that code sets to any value", "[described]") {
    using tutti::int_from;
    STATIC_REQUIRE(int_from<0>{-1} == -1);
    STATIC_REQUIRE(int_from<1, 9>{} == 1);
    STATIC_REQUIRE(int_from<1, 9>{10} == 10);
    STATIC_REQUIRE(int_from<1, 9>{5} == 5);
}
