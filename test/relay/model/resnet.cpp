#include <tutti/relay/model/resnet.hpp>

#include "../golden.hpp"
#include "networks.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::resnet;

TEST_CASE("resnet: 18 layers are the reference's text, with all types", "[relay][resnet]") {
    const std::string tutorial = recorded("tutorials/use_pass_instrument.txt");
    const std::string expected = tutorial.substr(tutorial.find("#[version"));
    const std::string text = relay::to_text(resnet());
    CHECK(text.size() > 19'000);
    CHECK((expected.substr(0, text.size()) == text));
    CHECK(expected.substr(text.size(), 1) == "\n");
}

// The networks of He et al. have about 11.7, 21.8, 25.6, 44.5 and 60.2 million parameters. The pre-activation form
// differs slightly: it also normalises the data and the final features, and only its last layer has a bias.
TEST_CASE("resnet: the networks have as many parameters as published", "[relay][resnet]") {
    const auto millions = [](int layers) { return static_cast<double>(trained(resnet({.layers = layers}))) / 1e6; };
    CHECK(millions(18) == Approx(11.69).epsilon(0.002));
    CHECK(millions(34) == Approx(21.80).epsilon(0.002));
    CHECK(millions(50) == Approx(25.56).epsilon(0.002));
    CHECK(millions(101) == Approx(44.55).epsilon(0.002));
    CHECK(millions(152) == Approx(60.19).epsilon(0.002));
}

TEST_CASE("resnet: every size has the classes' probabilities for each image", "[relay][resnet]") {
    for (const int layers : {18, 34, 50, 101, 152})
        CHECK(result_type(resnet({.layers = layers, .batch = 2})) == "Tensor[(2, 1000), float32]");
    CHECK(result_type(resnet({.layers = 50, .image_shape = {1, 320, 288}, .classes = 7})) == "Tensor[(1, 7), float32]");
    CHECK(result_type(resnet({.element = relay::dtype::float16})) == "Tensor[(1, 1000), float16]");
}

TEST_CASE("resnet: the stages halve the image and double the channels", "[relay][resnet]") {
    const relay::ir_module small = resnet();
    CHECK(parameter_type(small, "conv0_weight") == "Tensor[(64, 3, 7, 7), float32]");
    CHECK(parameter_type(small, "stage4_unit2_conv2_weight") == "Tensor[(512, 512, 3, 3), float32]");
    CHECK(parameter_type(small, "stage1_unit3_conv1_weight") == "(no such parameter)");
    const relay::ir_module large = resnet({.layers = 152});
    CHECK(parameter_type(large, "stage3_unit36_conv3_weight") == "Tensor[(1024, 256, 1, 1), float32]");
    CHECK(parameter_type(large, "stage3_unit37_conv3_weight") == "(no such parameter)");
    CHECK(parameter_type(large, "fc1_weight") == "Tensor[(1000, 2048), float32]");
}

TEST_CASE("resnet: small images get a small first convolution", "[relay][resnet]") {
    CHECK(parameter_type(resnet({.image_shape = {3, 32, 32}}), "conv0_weight") == "Tensor[(64, 3, 3, 3), float32]");
    CHECK(parameter_type(resnet({.image_shape = {3, 29, 40}}), "conv0_weight") == "Tensor[(64, 3, 3, 3), float32]");
    CHECK(parameter_type(resnet({.image_shape = {3, 33, 33}}), "conv0_weight") == "Tensor[(64, 3, 7, 7), float32]");
}

TEST_CASE("resnet: options that make no network are refused", "[relay][resnet]") {
    CHECK(test::refused(resnet, {.layers = 20}) == "resnet: 20 layers; expected 18, 34, 50, 101 or 152");
    CHECK_THAT(test::refused(resnet, {.image_shape = {3, 28, 224}}), Contains("28×224") && Contains("29×29 or more"));
    CHECK_THAT(test::refused(resnet, {.batch = 0}), Contains("a number of images of 0"));
    CHECK_THAT(test::refused(resnet, {.image_shape = {0, 224, 224}}), Contains("channels"));
    CHECK_THAT(test::refused(resnet, {.classes = -1}), Contains("classes"));
}
