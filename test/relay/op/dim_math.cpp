#include <tutti/relay/op/dim_math.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;

static_assert(plus(2, 3) == dim(5) && minus(2, 3) == dim(-1) && times(4, 3) == dim(12) && quotient(7, 2) == dim(3));
static_assert(plus(dim::any(), 1).is_any() && minus(1, dim::any()).is_any() && times(0, dim::any()).is_any());

TEST_CASE("dim_math: ? with anything is ?", "[relay][dim_math]") {
    CHECK(plus(2, 3) == dim(5));
    CHECK(quotient(dim::any(), 2).is_any());
    CHECK(product(dims{2, dim::any(), 3}).is_any());
    CHECK(product(dims{2, 5, 3}) == dim(30));
    CHECK(product(dims{}) == dim(1));
    CHECK(plus(dim::wide(2), 3) == dim(5));
}

TEST_CASE("dim_math: saturates at the largest value", "[relay][dim_math]") {
    CHECK(plus(largest_dim, largest_dim) == dim(largest_dim));
    CHECK(times(largest_dim, 2) == dim(largest_dim));
    CHECK(times(largest_dim, -2) == dim(-largest_dim));
    CHECK(times(-largest_dim, -largest_dim) == dim(largest_dim));
    CHECK(times(largest_dim, 0) == dim(0));
    CHECK(times(1 << 30, 1 << 30) == dim(largest_dim));
    CHECK(minus(-largest_dim, largest_dim) == dim(-largest_dim));
}

TEST_CASE("dim_math: two sizes may be equal if none says otherwise", "[relay][dim_math]") {
    CHECK(may_equal(dim::any(), 3));
    CHECK(may_equal(dim::wide(3), 3));
    CHECK_FALSE(may_equal(4, 3));
}
