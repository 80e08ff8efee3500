#include <tutti/relay/model/squeezenet.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::squeezenet;

TEST_CASE("squeezenet: as many parameters as published, and a probability for each class", "[relay][model]") {
    const relay::ir_module m = squeezenet({.batch = 3});
    CHECK(result_type(m) == "Tensor[(3, 1000), float32]");
    // SqueezeNet 1.0 of Iandola et al. has 1.25 million parameters, and SqueezeNet 1.1 has 1.235 million.
    CHECK(static_cast<double>(trained(m)) / 1e6 == Approx(1.235).epsilon(0.001));
    CHECK(parameter_type(m, "fire8_right_conv_weight") == "Tensor[(256, 64, 3, 3), float32]");
}

TEST_CASE("squeezenet: works on the smallest image, refuses a smaller one", "[relay][model]") {
    CHECK(result_type(squeezenet({.image_shape = {3, 29, 29}, .classes = 2})) == "Tensor[(1, 2), float32]");
    CHECK_THAT(refused(squeezenet, {.image_shape = {3, 224, 28}}), Contains("224×28") && Contains("29×29"));
    CHECK_THAT(refused(squeezenet, {.image_shape = {0, 224, 224}}), Contains("channels"));
}
