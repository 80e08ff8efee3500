#include <tutti/relay/testing/network_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("network_steps: make programs that are right, with what these steps are for",
          "[relay][testing][network_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::network_steps, 300);
    CHECK(made.find("nn.conv2d(") != std::string::npos);
    CHECK(made.find("nn.dense(") != std::string::npos);
    CHECK(made.find("nn.max_pool2d(") != std::string::npos);
    CHECK(made.find("nn.softmax(") != std::string::npos);
}
