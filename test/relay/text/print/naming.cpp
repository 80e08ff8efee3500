#include <tutti/relay/text/print/naming.hpp>

#include "support/catch.hpp"

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

TEST_CASE("naming: names and numbers go on", "[relay][text]") {
    naming shared;
    CHECK(shared.next_name("x") == "x");
    CHECK(shared.next_name("x") == "x1");
    CHECK(shared.take_numbers(2) == 0);
    CHECK(shared.take_numbers(0) == 2);
    CHECK(shared.take_numbers(1) == 2);
    CHECK(shared.take_numbers(5) == 3);
}
