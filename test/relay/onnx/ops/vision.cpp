#include <tutti/relay/onnx/ops/vision.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;

namespace {

// There are three boxes. The first two overlap by a third, and the second has the best score.
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

TEST_CASE("vision: the kept boxes, whatever their number", "[relay][onnx][vision]") {
    made_model m;
    m.input("b", {1, 6, 4}).input("s", {1, 2, 6}).input("n", {1}, 7);
    m.node("NonMaxSuppression", {"b", "s", "n"}, {"y"}).output("y");
    CHECK_THAT(imported(m),
               Contains("vision.all_class_non_max_suppression(%b, ") && Contains("-> Tensor[(?, ?), int64]"));
}

TEST_CASE("vision: indices of nonzero elements, one row per axis", "[relay][onnx][vision]") {
    made_model m;
    m.input("x", {2, 3}).node("NonZero", {"x"}, {"y"}).output("y");
    CHECK_THAT(imported(m), Contains("not_equal(") && Contains("floor_mod(") && Contains("-> Tensor[(2, ?), int64]"));
}

TEST_CASE("vision: regions, whose images are numbers of their own", "[relay][onnx][vision]") {
    made_model m;
    m.opset = 10;
    m.input("x", {1, 2, 8, 8}).input("r", {3, 4}).input("i", {3}, 7);
    m.node("RoiAlign", {"x", "r", "i"}, {"y"},
           {integer_attribute("output_height", 2), real_attribute("spatial_scale", 0.5F)});
    CHECK(imported_body(m.output("y")) == R"(%0 = cast(%i, dtype="float32");
%1 = expand_dims(%0, axis=1);
%2 = (%1, %r);
%3 = concatenate(%2, axis=1);
vision.roi_align(%x, %3, pooled_size=[2, 1], spatial_scale=0.5f))");
}

TEST_CASE("vision: the maxima of regions", "[relay][onnx][vision]") {
    made_model m;
    m.input("x", {1, 2, 8, 8}).input("r", {3, 5});
    m.node("MaxRoiPool", {"x", "r"}, {"y"},
           {integers_attribute("pooled_shape", {2, 3}), real_attribute("spatial_scale", 0.5F)});
    CHECK(imported_body(m.output("y")) == "vision.roi_pool(%x, %r, pooled_size=[2, 3], spatial_scale=0.5f)");
    made_model none;
    none.input("x", {1, 2, 8, 8}).input("r", {3, 5}).node("MaxRoiPool", {"x", "r"}, {"y"}).output("y");
    CHECK_THAT(import_refused(none), Contains("no pooled_shape of two sizes"));
}

TEST_CASE("vision: a scale that is not positive is refused", "[relay][onnx][vision]") {
    made_model m;
    m.input("x", {1, 2, 8, 8}).input("r", {3, 4}).input("i", {3}, 7);
    m.node("RoiAlign", {"x", "r", "i"}, {"y"}, {real_attribute("spatial_scale", 0)}).output("y");
    CHECK_THAT(import_refused(m), Contains("a spatial_scale of 0.000000; expected a positive one"));
}

TEST_CASE("vision: boxes that overlap less than a threshold, the best first", "[relay][onnx][vision]") {
    made_model all = suppression({"b", "s", "most", "half"});
    CHECK(chosen(all, corners) == numbers{1, 0, 2});
    made_model few = suppression({"b", "s", "most", "quarter"});
    CHECK(chosen(few, corners) == numbers{1, 2});
    made_model good = suppression({"b", "s", "most", "half", "half"});
    CHECK(chosen(good, corners) == numbers{1});
    made_model low = suppression({"b", "s", "most", "half", "low"}); // scores may be negative
    low.initializer(float_tensor("low", {}, {-2}));
    CHECK(chosen(low, corners) == numbers{1, 0, 2});
    made_model one = suppression({"b", "s", "one", "half"});
    CHECK(chosen(one, corners) == numbers{1});
}

TEST_CASE("vision: without a limit no boxes are kept, and without a threshold none that overlap",
          "[relay][onnx][vision]") {
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
