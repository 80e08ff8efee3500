#include <tutti/relay/testing/dynamic_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("dynamic_steps: make valid programs with their operators", "[relay][testing][dynamic_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::dynamic_steps);
    CHECK(made.find("dyn.") != std::string::npos);
}
