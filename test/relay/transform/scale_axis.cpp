#include <tutti/relay/transform/scale_axis.hpp>

#include "catch.hpp"

using namespace tutti;
using relay::dims;

namespace {

constexpr bool matches(const dims& lhs, const dims& rhs, std::int16_t axis) {
    return relay::detail::match_axes(lhs, rhs, {axis, -1}).has_value();
}

}  // namespace

TEST_CASE("match_axes: a tensor varies along one axis only", "[relay][transform]") {
    CHECK(matches({2, 4, 10, 10}, {4, 1, 1}, 1));
    CHECK(matches({2, 4, 10, 10}, {1, 4, 1, 1}, 1));
    CHECK(matches({2, 10, 10, 4}, {4}, 3));
    CHECK_FALSE(matches({2, 4, 10, 10}, {4}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {4, 10, 1}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {1, 1, 1}, 1));
    CHECK_FALSE(matches({2, 4, 10, 10}, {}, 1));
    CHECK_FALSE(matches({4}, {2, 4}, 0));
}

TEST_CASE("match_axes: names the axes to be squeezed", "[relay][transform]") {
    const auto match = relay::detail::match_axes(dims{2, 4, 10, 10}, dims{1, 4, 1, 1}, {1, -1});
    REQUIRE(match);
    CHECK(match->squeezed == dims{0, 2, 3});
}

TEST_CASE("match_axes: channels in blocks are two axes", "[relay][transform]") {
    const auto match = relay::detail::match_axes(dims{2, 2, 10, 10, 2}, dims{1, 2, 1, 1, 2}, {1, 4});
    REQUIRE(match);
    CHECK(match->squeezed == dims{0, 2, 3});
    CHECK_FALSE(relay::detail::match_axes(dims{2, 2, 10, 10, 2}, dims{1, 2, 1, 1, 1}, {1, 4}));
}

TEST_CASE("match_factor: a scalar is repeated", "[relay][transform]") {
    const auto match = relay::detail::match_factor(dims{2, 4, 10, 10}, dims{}, {1, -1});
    REQUIRE(match);
    CHECK(match->repeated == relay::dim(4));
}

TEST_CASE("is_positive_constant: looks through changes of shape, and at every element", "[relay][transform]") {
    relay::builder b;
    const auto positive = b.constant(relay::tensor({2}, {1.0F, 2.0F}));
    const auto zero = b.constant(relay::tensor({2}, {1.0F, 0.0F}));
    const auto variable = b.variable("x", {2});
    const auto expanded = relay::squeeze(relay::expand_dims(positive, {.axis = 1}));
    CHECK(relay::detail::is_positive_constant(b.graph(), positive.id));
    CHECK(relay::detail::is_positive_constant(b.graph(), expanded.id));
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), zero.id));
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), variable.id));
    CHECK_FALSE(relay::detail::is_positive_constant(b.graph(), relay::add(positive, positive).id));
}
