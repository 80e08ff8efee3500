#include <tutti/relay/text/parse/syntax_error.hpp>

#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <stdexcept>
#include <type_traits>

using namespace tutti;

TEST_CASE("syntax_error: the parser's internal exception is not one that users catch", "[relay][text]") {
    STATIC_REQUIRE_FALSE(std::is_base_of_v<std::exception, relay::text::syntax_error>);
    for (const char* text : {"def", "def @f() { let } def @g() { ) }", "def @f() { \"", "("})
        CHECK_THROWS_AS(relay::parse(text), relay::parse_error);
    relay::parse_options one;
    one.limits.diagnostics = 1;
    CHECK_THROWS_AS(relay::parse("def @f() { ) } def @g() { ) }", one), relay::parse_error);
}
