#include <tutti/relay/testing/dynamic_steps.hpp>

#include "catch.hpp"
#include "steps.hpp"

TEST_CASE("dynamic_steps: make valid programs with their operators", "[relay][testing][dynamic_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::dynamic_steps);
    CHECK(made.find("dyn.") != std::string::npos);
}
