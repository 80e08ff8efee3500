#include <tutti/relay/testing/quantized_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("quantized_steps: make valid programs with their operators", "[relay][testing][quantized_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::quantized_steps);
    CHECK(made.find("qnn.quantize(") != std::string::npos);
    CHECK(made.find("qnn.requantize(") != std::string::npos);
    CHECK(made.find("qnn.dense(") != std::string::npos);
}
