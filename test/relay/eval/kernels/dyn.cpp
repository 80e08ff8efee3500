#include <tutti/relay/eval/kernels/dyn.hpp>

#include "support.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using test::computed;
using test::difference;
using test::dtype;
using test::first_of;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::dyn_kernels<>;
constexpr test::kernel_table fixed = tutti::relay::kernels::image_kernels<>;
constexpr std::string_view slice = "dyn.strided_slice(%a, %b, %c, %d, begin=None, end=None, strides=None, axes=None)";
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

std::string error_of(std::string_view call, const std::vector<tensor>& inputs) {
    return test::error_of([&] { computed(kernels, call, inputs); });
}

} // namespace

TEST_CASE("kernels/dyn: shapes are read from arguments", "[relay][eval]") {
    const tensor shape({3}, {std::int64_t{2}, std::int64_t{2}, std::int64_t{3}});
    const tensor two({1}, {2});
    const tensor axes({2}, {0, -1});
    const test::call_row rows[]{
        {"dyn.broadcast_to(%a, %b, shape=None)", {x, shape}, {2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}},
        {R"(dyn.ones(%a, shape=None, dtype="float32"))", {two}, {2}, {1, 1}},
        {R"(dyn.zeros(%a, shape=None, dtype="int8"))", {two}, {2}, {0, 0}},
        {"dyn.squeeze(%a, %b, axis=[])", {x.reshaped({1, 2, 3, 1}), axes}, {2, 3}, {1, 2, 3, 4, 5, 6}},
        {"dyn.tile(%a, %b, reps=[])", {x, tensor({3}, {1, 1, 2})}, {1, 2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}},
    };
    test::check(kernels, rows);
    const tensor reshaped = first_of(kernels, "dyn.reshape(%a, %b, newshape=[])", {x, tensor({2}, {-1, 2})});
    CHECK(difference(reshaped, {3, 2}, {1, 2, 3, 4, 5, 6}, 0) == "");
    CHECK(reshaped.same_elements(x));
}

TEST_CASE("kernels/dyn: fill values and depths are read from arguments", "[relay][eval]") {
    const tensor shape({2}, {2, 1});
    const tensor places({2}, {2, 0});
    const test::call_row rows[]{
        {"dyn.full(7f, %a, shape=None)", {shape}, {2, 1}, {7, 7}},
        {R"(dyn.one_hot(%a, 7f, 1f, 3, dtype="float32"))", {places}, {2, 3}, {1, 1, 7, 7, 1, 1}},
    };
    test::check(kernels, rows);
    CHECK(first_of(kernels, R"(dyn.full(7f, %a, shape=None, dtype="int8"))", {shape}).type() == dtype::int8);
}

TEST_CASE("kernels/dyn: places are read from arguments", "[relay][eval]") {
    const tensor begin({2}, {1, 2});
    const tensor strides({2}, {1, -1});
    const test::call_row rows[]{
        {slice, {x, begin, tensor({2}, {2, 0}), strides}, {1, 2}, {6, 5}},
        {R"(dyn.strided_slice(%a, %b, %c, %d, begin=None, end=None, strides=None, slice_mode="size", axes=None))",
         {x, begin, tensor({2}, {-1, 1}), strides},
         {1, 1},
         {6}},
        {"dyn.sparse_to_dense(%a, %b, -1, %c)",
         {tensor({2}, {3, 0}), tensor({2}, {7, 8}), tensor({1}, {4})},
         {4},
         {8, -1, -1, 7}},
    };
    test::check(kernels, rows);
    const std::vector<tensor> top = computed(kernels, R"(dyn.topk(%a, 2, k=None, dtype="int64"))", {x});
    REQUIRE(top.size() == 2);
    CHECK(difference(top[0], {2, 2}, {3, 2, 6, 5}, 0) == "");
    CHECK(difference(top[1], {2, 2}, {2, 1, 2, 1}, 0) == "");
}

TEST_CASE("kernels/dyn: paddings are read from a matrix", "[relay][eval]") {
    const std::string_view pad = "dyn.nn.pad(%a, %b, 9f, pad_width=[])";
    const tensor padded = first_of(kernels, pad, {x, tensor({2, 2}, {0, 0, 1, 1})});
    CHECK(difference(padded, {2, 5}, {9, 1, 2, 3, 9, 9, 4, 5, 6, 9}, 0) == "");
    CHECK(error_of(pad, {x, tensor({4}, {0, 0, 1, 1})}) ==
          "kernel::pad: pad_width is (4,) int32; expected a row of two integers for each of at most 32 axes");
    CHECK(error_of(pad, {x, tensor({2, 2}, {0.F, 0.F, 1.F, 1.F})}) ==
          "kernel::pad: pad_width is (2, 2) float32; expected integers");
}

TEST_CASE("kernels/dyn: arguments that say no shape are errors", "[relay][eval]") {
    const std::string_view reshape = "dyn.reshape(%a, %b, newshape=[])";
    CHECK(error_of(reshape, {x, tensor({1}, {5})}) ==
          "kernel::reshape: data is (2, 3) int32 and the new shape is (5,); expected as many elements");
    CHECK(error_of(reshape, {x, tensor({1}, {-2})}) ==
          "kernel::reshape: newshape (-2,) is (2, 3); expected as many sizes as there are numbers");
    CHECK(error_of(reshape, {x, tensor({1}, {6.F})}) == "kernel::reshape: newshape is (1,) float32; expected integers");
    CHECK(error_of(R"(dyn.ones(%a, shape=None, dtype="int8"))", {tensor({1}, {-2})}) ==
          "kernel::full: a shape of (-2,); expected at most 32 non-negative sizes");
    CHECK(error_of(R"(dyn.topk(%a, 4, k=None, ret_type="values"))", {x}) ==
          "kernel::topk: 4 elements along axis -1 of data (2, 3) int32; expected at most as many as the axis has");
}

TEST_CASE("kernels/dyn: a size as an argument gives the result of the attribute", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor image = random.filled<float>({2, 3, 4, 5});
    const tensor roi({4}, {0.1F, 0.2F, 0.7F, 0.9F});
    for (const std::string mode : {"half_pixel", "align_corners", "tf_crop_and_resize"}) {
        const std::string rest = ", coordinate_transformation_mode=\"" + mode + "\")";
        const std::string call = "dyn.image.resize2d(%a, %b, %c, size=[], roi=[]" + rest;
        const std::vector<double> expected = test::values(
            first_of(fixed, "image.resize2d(%a, size=[7, 6], roi=[0.1f, 0.2f, 0.7f, 0.9f]" + rest, {image}));
        const test::call_row rows[]{
            {call, {image, tensor({2}, {7.F, 6.F}), roi}, {2, 3, 7, 6}, expected},
            {call, {image, tensor({2}, {7, 6}), roi}, {2, 3, 7, 6}, expected},
        };
        test::check(kernels, rows);
    }
}

TEST_CASE("kernels/dyn: scales as arguments give the result of the attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> image{random.filled<float>({1, 4, 5, 2})};
    const tensor scaled = first_of(
        kernels, R"(dyn.nn.upsampling(%a, 2, 1.5f, scale_h=0f, scale_w=0f, layout="NHWC", method="bilinear"))", image);
    const tensor expected =
        first_of(fixed, R"(nn.upsampling(%a, scale_h=2f, scale_w=1.5f, layout="NHWC", method="bilinear"))", image);
    CHECK(text(scaled) == "(1, 8, 8, 2) float32");
    CHECK(test::same(scaled, expected));

    const std::vector<tensor> volume{random.filled<float>({1, 2, 2, 3, 2})};
    const tensor larger =
        first_of(kernels, "dyn.nn.upsampling3d(%a, 2f64, 1f64, 3f64, scale_d=0f, scale_h=0f, scale_w=0f)", volume);
    CHECK(text(larger) == "(1, 2, 4, 3, 6) float32");
    CHECK(test::same(larger, first_of(fixed, "nn.upsampling3d(%a, scale_d=2f, scale_h=1f, scale_w=3f)", volume)));
}

TEST_CASE("kernels/dyn: sizes and scales that are none are errors", "[relay][eval]") {
    const tensor image({1, 1, 1, 1}, {1.F});
    const auto resized = [&](const tensor& size) {
        return error_of("dyn.image.resize2d(%a, %b, %c, size=[], roi=[])",
                        {image, size, tensor({4}, {0.F, 0.F, 1.F, 1.F})});
    };
    CHECK(resized(tensor({3}, {7, 6, 1})) == "kernel::resize: size is (3,) int32; expected a vector of 2 numbers");
    CHECK(resized(tensor({2}, {-7, 6})).ends_with("expected a size from 0 to 2^31, and images with pixels"));
    CHECK(resized(tensor({2}, {1e30, 6.0})).ends_with("expected a size from 0 to 2^31, and images with pixels"));
    CHECK(error_of("dyn.nn.upsampling(%a, 1, -1f, scale_h=0f, scale_w=0f)", {image}) ==
          "kernel::resize: a scale of -1.000000; expected a number from 0 to 1e9");
    CHECK(error_of("dyn.nn.upsampling(%a, 1, nanf, scale_h=0f, scale_w=0f)", {image})
              .ends_with("expected a number from 0 to 1e9"));
}

TEST_CASE("kernels/dyn: new axes go where an argument says", "[relay][eval]") {
    const test::call_row rows[]{
        {"dyn.expand_dims(%a, 1i64)", {x}, {2, 1, 3}, {1, 2, 3, 4, 5, 6}},
        {"dyn.expand_dims(%a, -1i64, num_newaxis=2)", {x}, {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}},
    };
    test::check(kernels, rows);
    CHECK(error_of("dyn.expand_dims(%a, 3i64)", {x}).find("axis 3") != std::string::npos);
}

TEST_CASE("kernels/dyn: a slice that ends before it begins is empty", "[relay][eval]") {
    const auto at = [](std::int64_t place) { return tensor({1}, {place}); };
    const test::call_row rows[]{
        {slice, {x, at(1), at(0), at(1)}, {0, 3}, {}},
        {slice, {x, at(2), at(2), at(1)}, {0, 3}, {}},
        {slice, {x, at(0), at(1), at(-1)}, {0, 3}, {}},
        {slice, {x, at(1), at(5), at(1)}, {1, 3}, {4, 5, 6}},
    };
    test::check(kernels, rows);
}
