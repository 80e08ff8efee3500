#include <tutti/relay/onnx/ops/vision.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::tensor;

namespace {

// Three boxes, the first two of which overlap by a third; the second has the best score.
const tensor corners({1, 3, 4}, {0.F, 0.F, 2.F, 2.F, 0.F, 1.F, 2.F, 3.F, 5.F, 5.F, 6.F, 6.F});
const tensor scores({1, 1, 3}, {0.5F, 0.75F, -1.F});

std::vector<std::int64_t> chosen(made_model& m, const tensor& boxes) {
    const std::vector<tensor> in{boxes, scores};
    const tensor found = relay::evaluate(import_model(model_of(m)), std::span<const tensor>(in))[0];
    std::vector<std::int64_t> boxes_chosen;
    for (std::int64_t i = 0; i < found.shape()[0]; ++i) boxes_chosen.push_back(found.data<std::int64_t>()[i * 3 + 2]);
    return boxes_chosen;
}

using numbers = std::vector<std::int64_t>;

made_model suppression(std::initializer_list<std::string_view> inputs, std::initializer_list<wire> attributes = {}) {
    made_model m;
    m.input("b", {1, 3, 4}).input("s", {1, 1, 3});
    m.initializer(int64_tensor("most", {1}, {3})).initializer(int64_tensor("one", {}, {1}));
    m.initializer(float_tensor("half", {1}, {0.5F})).initializer(float_tensor("quarter", {}, {0.25F}));
    return m.node("NonMaxSuppression", inputs, {"y"}, attributes).output("y");
}

} // namespace

TEST_CASE("vision: boxes that overlap less than a threshold, the best first", "[relay][onnx][vision]") {
    made_model all = suppression({"b", "s", "most", "half"});
    CHECK(chosen(all, corners) == numbers{1, 0, 2});
    made_model few = suppression({"b", "s", "most", "quarter"});
    CHECK(chosen(few, corners) == numbers{1, 2});
    made_model good = suppression({"b", "s", "most", "half", "half"});
    CHECK(chosen(good, corners) == numbers{1});
    made_model low = suppression({"b", "s", "most", "half", "low"}); // scores may be below zero
    low.initializer(float_tensor("low", {}, {-2}));
    CHECK(chosen(low, corners) == numbers{1, 0, 2});
    made_model one = suppression({"b", "s", "one", "half"});
    CHECK(chosen(one, corners) == numbers{1});
}

TEST_CASE("vision: what is left out is no boxes, and none that overlap", "[relay][onnx][vision]") {
    made_model none = suppression({"b", "s"});
    CHECK(chosen(none, corners).empty());
    made_model apart = suppression({"b", "s", "most"});
    CHECK(chosen(apart, corners) == numbers{1, 2});
}

TEST_CASE("vision: boxes may have a centre and a size", "[relay][onnx][vision]") {
    const tensor centres({1, 3, 4}, {1.F, 1.F, 2.F, 2.F, 2.F, 1.F, 2.F, 2.F, 5.5F, 5.5F, 1.F, 1.F});
    made_model m = suppression({"b", "s", "most", "quarter"}, {integer_attribute("center_point_box", 1)});
    CHECK(chosen(m, centres) == numbers{1, 2});
}

TEST_CASE("vision: regions of images are pooled", "[relay][onnx][vision]") {
    made_model m;
    m.opset = 10;
    m.input("x", {1, 1, 4, 4}).input("r", {1, 4}).initializer(int64_tensor("i", {1}, {0}));
    m.node("RoiAlign", {"x", "r", "i"}, {"y"},
           {integer_attribute("output_height", 2), integer_attribute("output_width", 2)});
    m.output("y");
    CHECK(imported(m).find("vision.roi_align") != std::string::npos);
    tensor x(kernel::dtype::float32, {1, 1, 4, 4});
    for (float& v : x.mutable_elements<float>()) v = 3;
    const std::vector<tensor> in{x, tensor({1, 4}, {0.F, 0.F, 2.F, 2.F})};
    const tensor made = relay::evaluate(import_model(model_of(m)), std::span<const tensor>(in))[0];
    REQUIRE(made.size() == 4);
    for (const float v : made.elements<float>()) CHECK(v == 3);

    made_model half = m;
    half.opset = 16;
    CHECK(import_refused(half).find("coordinate_transformation_mode `half_pixel`; expected output_half_pixel") !=
          std::string::npos);
}
