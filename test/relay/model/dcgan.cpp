#include <tutti/relay/model/dcgan.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::dcgan;

TEST_CASE("dcgan: an image of 64 by 64 pixels from random numbers", "[relay][model]") {
    const relay::ir_module m = dcgan({.batch = 2, .random_length = 10, .channels = 1});
    CHECK(result_type(m) == "Tensor[(2, 1, 64, 64), float32]");
    CHECK(parameter_type(m, "dense_weight") == "Tensor[(16384, 10), float32]");
    CHECK(parameter_type(m, "g5_deconv_weight") == "Tensor[(128, 1, 4, 4), float32]");
}

TEST_CASE("dcgan: sizes below 1 are refused", "[relay][model]") {
    CHECK_THAT(refused(dcgan, {.batch = 0}), Contains("images"));
    CHECK_THAT(refused(dcgan, {.random_length = 0}), Contains("random numbers"));
    CHECK_THAT(refused(dcgan, {.channels = 0}), Contains("channels"));
}
