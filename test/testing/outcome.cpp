#include <tutti/testing/outcome.hpp>

#include "support/catch.hpp"

#include <sstream>
#include <string>

using tutti::testing::outcome;

TEST_CASE("outcome: is a condition, and can be written to a stream", "[testing][outcome]") {
    const outcome good;
    const outcome bad = tutti::testing::failed("it is wrong");
    CHECK(good);
    CHECK_FALSE(bad);
    std::ostringstream out;
    out << good << '\n' << bad;
    CHECK(out.str() == "all is well\nit is wrong");
}

TEST_CASE("outcome: Catch2 shows the message by itself", "[testing][outcome]") {
    CHECK(Catch::Detail::stringify(tutti::testing::failed("one line\nanother")) == "one line\nanother");
}
