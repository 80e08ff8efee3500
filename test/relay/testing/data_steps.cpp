#include <tutti/relay/testing/data_steps.hpp>

#include "steps.hpp"
#include "support/catch.hpp"

TEST_CASE("data_steps: make valid programs with their operators", "[relay][testing][data_steps]") {
    const std::string made = tutti::test::programs_of(tutti::relay::testing::data_steps, 200);
    CHECK(made.find("gather(") != std::string::npos);
    CHECK(made.find("scatter(") != std::string::npos);
    CHECK(made.find("cumsum(") != std::string::npos);
    CHECK(made.find("unique(") != std::string::npos);
    CHECK(made.find("einsum(") != std::string::npos);
    CHECK(made.find("nn.lrn(") != std::string::npos);
    CHECK(made.find("gather_nd(") != std::string::npos);
    CHECK(made.find("nn.correlation(") != std::string::npos);
    CHECK(made.find("image.dilation2d(") != std::string::npos);
    CHECK(made.find("bfloat16") != std::string::npos);
}
