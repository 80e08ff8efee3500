#include <tutti/relay/model/mlp.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::mlp;

TEST_CASE("mlp: three layers, and the classes' probabilities for each image", "[relay][model]") {
    const relay::ir_module m = mlp({.batch = 5, .classes = 7});
    CHECK(result_type(m) == "Tensor[(5, 7), float32]");
    CHECK(trained(m) == (784 + 1) * 128 + (128 + 1) * 64 + (64 + 1) * 7);
    CHECK(parameter_type(mlp({.image_shape = {3, 2, 2}, .element = relay::dtype::float16}), "fc1_weight") ==
          "Tensor[(128, 12), float16]");
}

TEST_CASE("mlp: sizes below 1 are refused", "[relay][model]") {
    CHECK(refused(mlp, {.batch = 0}) == "mlp: a number of images of 0; expected 1 or more");
    CHECK_THAT(refused(mlp, {.image_shape = {1, 0, 1}}), Contains("rows"));
    CHECK_THAT(refused(mlp, {.classes = -1}), Contains("classes"));
}
