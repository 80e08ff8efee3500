#include <tutti/relay/text/print/names.hpp>

#include "support/catch.hpp"

#include <string>

using tutti::relay::text::unique_names;

TEST_CASE("names: the first keeps its hint, the others are numbered", "[relay][names]") {
    unique_names names;
    CHECK(names.next("p0") == "p0");
    CHECK(names.next("p0") == "p01");
    CHECK(names.next("p0") == "p02");
    CHECK(names.next("p01") == "p011");
    CHECK(names.next("x") == "x");
}

TEST_CASE("names: a number that is taken is passed over", "[relay][names]") {
    unique_names names;
    CHECK(names.next("p1") == "p1");
    CHECK(names.next("p") == "p");
    CHECK(names.next("p") == "p2");
    CHECK(names.next("p2") == "p21");
}

TEST_CASE("names: names that do not start with a letter get the prefix v", "[relay][names]") {
    unique_names names;
    CHECK(names.next("") == "v");
    CHECK(names.next("1") == "v1");
    CHECK(names.next("_x") == "v_x");
    CHECK(names.next("v") == "v2");
}

TEST_CASE("names: unreadable characters become underscores", "[relay][names]") {
    unique_names names;
    CHECK(names.next("\xC3\xA4") == "v__");
    CHECK(names.next("a b") == "a_b");
    CHECK(names.next("a-b") == "a_b1");
    CHECK(names.next("block.conv.weight") == "block.conv.weight");
    CHECK(names.next("x.0") == "x_0"); // x.0 would be parsed as a field of a tuple
    CHECK(names.next("x.") == "x_");
    CHECK(names.next("conv1/weights") == "conv1/weights");
    CHECK(names.next("a/0.b") == "a/0.b");
    CHECK(names.next("/y") == "v/y");
    CHECK(names.next("y/") == "y_");
    CHECK(names.next("z//a") == "z_/a"); // z//a would begin a comment
    CHECK(names.next("w./a") == "w_/a");
    CHECK(names.next("u/.a") == "u_.a");
    CHECK(names.next("t/*") == "t/_");
}

TEST_CASE("names: a hundred thousand of one hint cost no search", "[relay][names]") {
    unique_names names;
    for (int i = 0; i < 100'000; ++i) names.next("p0");
    CHECK(names.next("p0") == "p0100000");
}
