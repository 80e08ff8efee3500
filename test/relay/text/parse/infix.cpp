#include <tutti/relay/text/parse/infix.hpp>

#include "support/catch.hpp"

using tutti::relay::text::infix_at;

static_assert(infix_at("<= 1")->name == "less_equal");
static_assert(infix_at("< 1")->name == "less");
static_assert(infix_at("-> T") == nullptr);
static_assert(infix_at("=> 1") == nullptr);
static_assert(infix_at("* 1")->precedence > infix_at("- 1")->precedence);

TEST_CASE("infix: operators are known by their longest sign", "[relay][text]") {
    CHECK(infix_at("==1")->name == "equal");
    CHECK(infix_at("=1") == nullptr);
    CHECK(infix_at("!=1")->name == "not_equal");
}
