#include "support/catch.hpp"

#include <stdexcept>
#include <vector>

namespace {

int begun = 0;
int ended = 0;

int throws() { throw std::runtime_error("thrown by an operand"); }

} // namespace

TEST_CASE("checks: an outcome that is as expected passes", "[support]") {
    CHECK(1 == 1);
    CHECK(std::vector{1, 2} != std::vector{1, 3});
    CHECK((true || false));
    CHECK_FALSE(1 > 2);
    CHECK_FALSE(false);
}

TEST_CASE("checks: CHECK fails its test case", "[support][!shouldfail]") {
    ++begun;
    CHECK(1 == 2);
    ++ended;
}

TEST_CASE("checks: a test case goes on after CHECK", "[support]") { CHECK(begun == ended); }

TEST_CASE("checks: CHECK_FALSE fails its test case", "[support][!shouldfail]") { CHECK_FALSE(1 == 1); }

TEST_CASE("checks: CHECK_FALSE fails its test case if a value is true", "[support][!shouldfail]") { CHECK_FALSE(true); }

TEST_CASE("checks: an operand that throws fails the test case", "[support][!shouldfail]") { CHECK(throws() == 1); }
