#include <tutti/relay/text/print/naming.hpp>

#include "catch.hpp"

using namespace tutti::relay;
using text::naming;

TEST_CASE("naming: constants are numbered by elements and shape, through several functions", "[relay][text]") {
    const tensor a(dtype::float32, {2, 3});
    const tensor copy = a;
    const tensor equal(dtype::float32, {2, 3});
    const tensor flat = a.reshaped({6});
    naming shared;
    CHECK(shared.number_of(a) == 0);
    CHECK(shared.number_of(equal) == 1);
    CHECK(shared.number_of(copy) == 0);
    CHECK(shared.number_of(flat) == 2);
    CHECK(shared.number_of(tensor(dtype::float32, {0})) == 3);
    CHECK(shared.constants().size() == 4);
}

TEST_CASE("naming: names and numbers go on, and numbers can be given again", "[relay][text]") {
    naming shared;
    CHECK(shared.next_name("x") == "x");
    CHECK(shared.next_name("x") == "x1");
    CHECK(shared.next_number() == 0);
    CHECK(shared.next_number() == 1);
    CHECK(shared.numbers() == 2);
    shared.number_again_from(1);
    CHECK(shared.next_number() == 1);
}
