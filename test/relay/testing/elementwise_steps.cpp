#include <tutti/relay/testing/elementwise_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("elementwise_steps: make valid programs with their operators", "[relay][testing][elementwise_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::elementwise_steps);
    CHECK(made.find("add(") != std::string::npos);
    CHECK(made.find("multiply(") != std::string::npos);
    CHECK(made.find("where(") != std::string::npos);
    CHECK(made.find("cast(") != std::string::npos);
}
