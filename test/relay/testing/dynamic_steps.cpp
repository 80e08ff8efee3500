#include <tutti/relay/testing/dynamic_steps.hpp>

#include "catch.hpp"
#include "steps.hpp"

TEST_CASE("dynamic_steps: make programs that are right, with what these steps are for",
          "[relay][testing][dynamic_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::dynamic_steps);
    CHECK(made.find("dyn.") != std::string::npos);
}
