#include <tutti/relay/testing/shape_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("shape_steps: make valid programs with their operators", "[relay][testing][shape_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::shape_steps);
    CHECK(made.find("reshape(") != std::string::npos);
    CHECK(made.find("transpose(") != std::string::npos);
    CHECK(made.find("concatenate(") != std::string::npos);
    CHECK(made.find("strided_slice(") != std::string::npos);
}
