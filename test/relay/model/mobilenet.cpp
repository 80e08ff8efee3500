#include <tutti/relay/model/mobilenet.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::mobilenet;

TEST_CASE("mobilenet: as many parameters as published, and a probability for each class", "[relay][model]") {
    const relay::ir_module m = mobilenet({.batch = 3});
    CHECK(result_type(m) == "Tensor[(3, 1000), float32]");
    // The network has 4.2 million parameters in table 8 of Howard et al.
    CHECK(static_cast<double>(trained(m)) / 1e6 == Approx(4.23).epsilon(0.002));
    CHECK(parameter_type(m, "separable_conv_block_13_conv2_weight") == "Tensor[(1024, 1024, 1, 1), float32]");
}

TEST_CASE("mobilenet: works on the smallest image, refuses none at all", "[relay][model]") {
    CHECK(result_type(mobilenet({.image_shape = {3, 1, 1}, .classes = 2})) == "Tensor[(1, 2), float32]");
    CHECK_THAT(refused(mobilenet, {.image_shape = {3, 224, 0}}), Contains("columns"));
    CHECK_THAT(refused(mobilenet, {.batch = -1}), Contains("images"));
    CHECK_THAT(refused(mobilenet, {.classes = 0}), Contains("classes"));
}
