#include <tutti/relay/testing/pattern_steps.hpp>

#include "catch.hpp"
#include "steps.hpp"

TEST_CASE("pattern_steps: make programs that are right, with what these steps are for",
          "[relay][testing][pattern_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::pattern_steps);
    CHECK(made.find("nn.batch_norm(") != std::string::npos);
}
