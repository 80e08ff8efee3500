#include <tutti/pass/opt_level.hpp>

#include "support/catch.hpp"

namespace {
static_assert(tutti::opt_level<3>().value == 3);
static_assert(tutti::detail::is_static_level<tutti::detail::static_level<1>>);
static_assert(!tutti::detail::is_static_level<tutti::detail::level_value>);
} // namespace

TEST_CASE("opt_level: one name for the static option and the value", "[pass][opt_level]") {
    CHECK(tutti::opt_level<3>().value == 3);
    CHECK(tutti::opt_level(4).value == 4);
}
