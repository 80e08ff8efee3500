#include <tutti/relay/ir/unique_names.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("unique_names: a name that is used gets the next number that is new", "[relay][ir]") {
    relay::unique_names names;
    CHECK(names("x") == "x");
    CHECK(names("x_2") == "x_2");
    CHECK(names("x") == "x_1");
    CHECK(names("x") == "x_3");
    CHECK(names("x_1") == "x_1_1");
    CHECK(names("") == "");
    CHECK(names("") == "_1");
}
