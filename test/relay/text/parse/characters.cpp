#include <tutti/relay/text/parse/characters.hpp>

#include "support/catch.hpp"

using namespace tutti::relay::text;

TEST_CASE("characters: letters, digits and blanks, and nothing else", "[relay][text]") {
    for (const char c : {'a', 'z', 'A', 'Z', '_'}) {
        CHECK(is_kind(c, letter));
        CHECK(is_kind(c, letter | digit));
        CHECK_FALSE(is_kind(c, digit | blank));
    }
    for (const char c : {'0', '9'}) CHECK((is_kind(c, digit) && !is_kind(c, letter | blank)));
    for (const char c : {' ', '\t', '\r'}) CHECK((is_kind(c, blank) && !is_kind(c, letter | digit)));
    for (const char c : {'\n', '\0', '@', '[', '`', '{', '/', ':', '.', '-', '\x80', '\xFF'})
        CHECK_FALSE(is_kind(c, letter | digit | blank));
    STATIC_REQUIRE(is_kind('x', letter));
}
