#include <tutti/relay/onnx/ops/resize.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("resize: to a size", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {1, 2, 3, 4})
        .initializer(int64_tensor("s", {4}, {1, 2, 6, 9}))
        .node("Resize", {"x", "", "", "s"}, {"y"}, {text_attribute("mode", "linear")})
        .output("y");
    CHECK(imported_body(m) ==
          R"(image.resize2d(%x, size=[6, 9], roi=[0f, 0f, 0f, 0f], rounding_method="", cubic_alpha=-0.75f))");
}

TEST_CASE("resize: to sizes that an unknown batch has to have", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {-1, 1, 1, 2})
        .initializer(int64_tensor("s", {4}, {1, 1, 2, 2}))
        .node("Resize", {"x", "", "", "s"}, {"y"})
        .output("y");
    CHECK(imported(m).find("-> Tensor[(1, 1, 2, 2), float32]") != std::string::npos);
    const auto run = [&](std::int64_t batch) {
        const tensor inputs[]{tensor(dtype::float32, {batch, 1, 1, 2})};
        return evaluate(import_model(model_of(m)), inputs)[0].size();
    };
    CHECK(run(1) == 4);
    CHECK_THROWS_AS(run(2), error);
}

TEST_CASE("resize: by factors that give whole sizes", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {1, 2, 3, 4})
        .initializer(float_tensor("s", {4}, {1, 1, 2, 0.5F}))
        .node("Resize", {"x", "", "s"}, {"y"})
        .output("y");
    CHECK(
        imported_body(m) ==
        R"(image.resize2d(%x, size=[6, 2], roi=[0f, 0f, 0f, 0f], method="nearest_neighbor", rounding_method="round_prefer_floor", cubic_alpha=-0.75f))");
}

TEST_CASE("resize: by factors that no size has", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {1, 2, 1, 4})
        .initializer(float_tensor("s", {4}, {1, 1, 1, 0.6F}))
        .node("Resize", {"x", "", "s"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = cast(meta[relay.Constant][0], dtype="float32");
%1 = add(%0, 0.5f);
%2 = take(meta[relay.Constant][1], 3i64, axis=0);
%3 = divide(%1, %2);
%4 = subtract(%3, 0.5f);
%5 = reshape(%4, newshape=[-1, 1]);
%6 = subtract(%5, 0.5f);
%7 = ceil(%6);
%8 = maximum(%7, 0f);
%9 = minimum(%8, 3f);
%10 = subtract(%9, meta[relay.Constant][2]);
%11 = abs(%10);
%12 = less(%11, 0.5f);
%13 = cast(%12, dtype="float32");
nn.dense(%x, %13, units=None))");
}

TEST_CASE("resize: the nearest of opset 10 are rounded up where there are fewer", "[relay][onnx][resize]") {
    const auto body = [](float factor) {
        made_model m;
        m.opset = 10;
        m.input("x", {1, 1, 1, 4}).initializer(float_tensor("s", {4}, {1, 1, 1, factor}));
        return imported_body(m.node("Resize", {"x", "s"}, {"y"}).output("y"));
    };
    CHECK(body(2).find("rounding_method=\"floor\"") != std::string::npos);
    for (const float factor : {0.6F, 0.75F}) CHECK(body(factor).find(" = ceil(") != std::string::npos);
}

TEST_CASE("resize: a matrix or a list to a size", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {3, 4})
        .initializer(int64_tensor("s", {2}, {6, 2}))
        .node("Resize", {"x", "", "", "s"}, {"y"})
        .output("y");
    CHECK(imported(m).find("-> Tensor[(6, 2), float32]") != std::string::npos);
}

TEST_CASE("resize: whole factors of sizes that are not known", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {1, 2, -1, 4})
        .initializer(float_tensor("s", {4}, {1, 1, 2, 3}))
        .node("Resize", {"x", "", "s"}, {"y"})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = shape_of(%x, dtype="int64");
%1 = strided_slice(%0, begin=[2], end=[4], strides=[1], axes=[0]);
%2 = multiply(%1, meta[relay.Constant][0]);
dyn.image.resize2d(%x, %2, meta[relay.Constant][1], size=[], roi=[], method="nearest_neighbor", rounding_method="round_prefer_floor", cubic_alpha=-0.75f))");
    made_model row;
    row.input("x", {1, 2, -1})
        .initializer(float_tensor("s", {3}, {1, 1, 2}))
        .node("Resize", {"x", "", "s"}, {"y"})
        .output("y");
    CHECK(imported_body(row) == R"(%0 = shape_of(%x, dtype="int64");
%1 = strided_slice(%0, begin=[2], end=[3], strides=[1], axes=[0]);
%2 = multiply(%1, meta[relay.Constant][1]);
%3 = (meta[relay.Constant][0], %2);
%4 = expand_dims(%x, axis=2);
%5 = concatenate(%3);
%6 = dyn.image.resize2d(%4, %5, meta[relay.Constant][2], size=[], roi=[], method="nearest_neighbor", rounding_method="round_prefer_floor", cubic_alpha=-0.75f);
squeeze(%6, axis=[2]))");
    made_model half;
    half.input("x", {1, 2, -1, 4}).initializer(float_tensor("s", {4}, {1, 1, 0.5F, 1}));
    CHECK(
        import_refused(half.node("Resize", {"x", "", "s"}, {"y"}, {}, "r").output("y")) ==
        "m.onnx, node `r` (Resize): the size of axis 2 is not known; expected a size for dimension `a` in import_options::dims");
}

TEST_CASE("resize: factors of the part that is cropped", "[relay][onnx][resize]") {
    made_model m;
    m.input("x", {1, 2, 4, 4})
        .initializer(float_tensor("s", {4}, {1, 1, 2, 3}))
        .initializer(float_tensor("r", {8}, {0, 0, 0.25F, 0, 1, 1, 0.75F, 1}))
        .node("Resize", {"x", "r", "s"}, {"y"},
              {text_attribute("coordinate_transformation_mode", "tf_crop_and_resize")})
        .output("y");
    CHECK(imported_body(m).starts_with("image.resize2d(%x, size=[4, 12], roi=[0.25f, 0f, 0.75f, 1f]"));
}

TEST_CASE("resize: what newer versions add and is not supported", "[relay][onnx][resize]") {
    const auto refused = [](const wire& attribute) {
        made_model m;
        m.opset = 19;
        m.input("x", {1, 1, 4, 4}).initializer(int64_tensor("s", {4}, {1, 1, 2, 2}));
        m.node("Resize", {"x", "", "", "s"}, {"y"}, {text_attribute("mode", "linear"), attribute}, "r").output("y");
        return import_refused(m);
    };
    CHECK(refused(text_attribute("keep_aspect_ratio_policy", "fit")) ==
          "m.onnx, node `r` (Resize): keep_aspect_ratio_policy `fit`; expected stretch, not_larger or not_smaller");
}

TEST_CASE("resize: antialias weights all elements that one replaces", "[relay][onnx][resize]") {
    const auto halved = [](bool known, bool outside) {
        made_model m;
        m.opset = 18;
        m.input("x", {1, 1, 4});
        if (known)
            m.initializer(int64_tensor("size", {3}, {1, 1, 2}));
        else
            m.input("size", {3}, 7);
        m.node("Resize", {"x", "", "", "size"}, {"y"},
               {text_attribute("mode", "linear"), integer_attribute("antialias", 1),
                integer_attribute("exclude_outside", outside)});
        tensor x(dtype::float32, {1, 1, 4}), size(dtype::int64, {3});
        for (int i = 0; i < 4; ++i) x.mutable_data<float>()[i] = static_cast<float>(i + 1);
        for (int i = 0; i < 3; ++i) size.mutable_data<std::int64_t>()[i] = i == 2 ? 2 : 1;
        m.output("y");
        const tensor y = known ? result_of(m, {x}) : result_of(m, {x, size});
        REQUIRE(y.size() == 2);
        return std::array{y.data<float>()[0], y.data<float>()[1]};
    };
    // The weights are 1/8, 3/8, 3/8, 1/8. The weight outside of the image applies to the border pixel, or is omitted.
    for (const bool known : {false, true}) {
        CHECK(halved(known, false) == std::array{1.625F, 3.375F});
        CHECK(std::abs(halved(known, true)[0] - 12.0F / 7) < 1e-6F);
    }
}

TEST_CASE("resize: points of a volume", "[relay][onnx][resize]") {
    const auto sampled = [](std::initializer_list<std::int64_t> data, std::initializer_list<std::int64_t> grid) {
        made_model m;
        m.opset = 20;
        m.input("x", data).input("g", grid);
        return m.node("GridSample", {"x", "g"}, {"y"}, {integer_attribute("align_corners", 1)}, "s").output("y");
    };
    tensor x(dtype::float32, {1, 1, 2, 2, 2});
    for (int i = 0; i < 8; ++i) x.mutable_data<float>()[i] = static_cast<float>(i);
    // The first coordinate of a grid point is the position along the volume's last axis.
    const tensor g({1, 1, 1, 4, 3}, {-1.F, -1.F, -1.F, 1.F, -1.F, -1.F, -1.F, -1.F, 1.F, 0.F, 0.F, 0.F});
    CHECK(shape_and_floats(result_of(sampled({1, 1, 2, 2, 2}, {1, 1, 1, 4, 3}), {x, g})) ==
          shape_and_floats({1, 1, 1, 1, 4}, {0, 1, 4, 3.5F}));
    CHECK(import_refused(sampled({1, 1, 2, 2, 2}, {1, 1, 4, 3})) ==
          "m.onnx, node `s` (GridSample): a grid of rank 4; expected 5, that of the data");
    CHECK(import_refused(sampled({1, 1, 2}, {1, 4, 1})) ==
          "m.onnx, node `s` (GridSample): data of rank 3; expected images or volumes, of rank 4 or 5");
}
