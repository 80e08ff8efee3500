#include <tutti/relay/onnx/ops/vision.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;

TEST_CASE("vision: boxes that are left, as many as they are", "[relay][onnx][vision]") {
    made_model m;
    m.input("b", {1, 6, 4}).input("s", {1, 2, 6}).input("n", {1}, 7);
    m.node("NonMaxSuppression", {"b", "s", "n"}, {"y"}).output("y");
    CHECK_THAT(imported(m), Contains("vision.all_class_non_max_suppression(%b, %s, %0, 0f, ") &&
                                Contains("-> Tensor[(?, ?), int64]"));
}

TEST_CASE("vision: places of what is not zero, one row for each axis", "[relay][onnx][vision]") {
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

TEST_CASE("vision: a scale that is not positive is refused", "[relay][onnx][vision]") {
    made_model m;
    m.input("x", {1, 2, 8, 8}).input("r", {3, 4}).input("i", {3}, 7);
    m.node("RoiAlign", {"x", "r", "i"}, {"y"}, {real_attribute("spatial_scale", 0)}).output("y");
    CHECK_THAT(import_refused(m), Contains("a spatial_scale of 0.000000; expected a positive one"));
}
