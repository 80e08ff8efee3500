#include <tutti/relay/testing/pattern_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("pattern_steps: make valid programs with their operators", "[relay][testing][pattern_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::pattern_steps);
    CHECK(made.find("nn.batch_norm(") != std::string::npos);
}
