#include <tutti/relay/ir/dim.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti::relay;

static_assert(dim{}.value() == 0 && dim{} == dim(0));
static_assert(dim(-3).value() == -3 && !dim(-3).is_any() && !dim(-3).is_wide());
static_assert(dim::wide(-3).value() == -3 && dim::wide(-3).is_wide() && !dim::wide(-3).is_any());
static_assert(dim::any().is_any() && !dim::any().is_wide());
static_assert(dim((std::int64_t{1} << 61) - 1).value() == (std::int64_t{1} << 61) - 1);
static_assert(dim(-((std::int64_t{1} << 61) - 1)).value() == -((std::int64_t{1} << 61) - 1));
static_assert(dim(5) != dim::wide(5) && dim(5).same_number(dim::wide(5)) && !dim(5).same_number(6));
static_assert(!dim::any().same_number(dim::any()) && dim::any() == dim::any());
static_assert(dim::of_bits(dim::wide(9).bits()) == dim::wide(9));

TEST_CASE("dim: wide and unknown dimensions differ from plain numbers", "[relay][dim]") {
    CHECK(dim(5) != dim::wide(5));
    CHECK(dim(5).same_number(dim::wide(5)));
    CHECK(dim(0) != dim::any());
    CHECK_FALSE(dim::any().same_number(dim::any()));
}

TEST_CASE("dim: a shape is static if every dimension is known", "[relay][dim]") {
    CHECK(is_static(std::vector<dim>{1, dim::wide(2)}));
    CHECK(is_static(std::vector<dim>{}));
    CHECK_FALSE(is_static(std::vector<dim>{1, dim::any()}));
}

TEST_CASE("dim: a shape has a number of elements if every dimension is known, and they can be counted",
          "[relay][dim]") {
    CHECK(element_count(std::vector<dim>{}) == 1);
    CHECK(element_count(std::vector<dim>{2, dim::wide(3), 4}) == 24);
    CHECK(element_count(std::vector<dim>{2, 0, 4}) == 0);
    CHECK_FALSE(element_count(std::vector<dim>{2, dim::any()}).has_value());
    CHECK_FALSE(element_count(std::vector<dim>{2, -1}).has_value());
    CHECK_FALSE(element_count(std::vector<dim>{std::int64_t{1} << 32, std::int64_t{1} << 32}).has_value());
    for (const std::vector<dim>& empty : {std::vector<dim>{0, std::int64_t{1} << 40, std::int64_t{1} << 40},
                                          std::vector<dim>{std::int64_t{1} << 40, std::int64_t{1} << 40, 0}})
        CHECK(element_count(empty) == 0);
    CHECK_FALSE(element_count(std::vector<dim>{0, -1}).has_value());
}
