#include <tutti/relay/eval/kernels/dyn.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::dtype;
using relay::expr;
using test::difference;
using test::error_of;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::dyn_kernels<>, inputs, build);
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

template <class Build>
tensor dynamic(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::dyn_kernels<>, inputs, build)[0];
}
template <class Build>
tensor fixed(const tensor& image, Build build) {
    return test::computed(relay::kernels::image_kernels<>, {image}, build)[0];
}

test::shape_t shape_of(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }

} // namespace

TEST_CASE("kernels/dyn: shapes are read from arguments", "[relay][eval]") {
    const tensor shape({3}, {std::int64_t{2}, std::int64_t{2}, std::int64_t{3}});
    CHECK(difference(results({x, shape}, [](builder&, arguments e) { return relay::dyn::broadcast_to(e[0], e[1]); })[0],
                     {2, 2, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}, 0) == "");
    const tensor two({1}, {2});
    CHECK(difference(results({two}, [](builder&, arguments e) { return relay::dyn::ones(e[0], dtype::float32); })[0],
                     {2}, {1, 1}, 0) == "");
    CHECK(difference(results({two}, [](builder&, arguments e) { return relay::dyn::zeros(e[0], dtype::int8); })[0], {2},
                     {0, 0}, 0) == "");
    const tensor code({2}, {-1, 2});
    const tensor reshaped =
        results({x, code}, [](builder&, arguments e) { return relay::dyn::reshape(e[0], e[1]); })[0];
    CHECK(difference(reshaped, {3, 2}, {1, 2, 3, 4, 5, 6}, 0) == "");
    CHECK(reshaped.same_elements(x));
    const tensor axes({2}, {0, -1});
    CHECK(difference(results({x.reshaped({1, 2, 3, 1}), axes},
                             [](builder&, arguments e) { return relay::dyn::squeeze(e[0], e[1]); })[0],
                     {2, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
    const tensor reps({3}, {1, 1, 2});
    CHECK(difference(results({x, reps}, [](builder&, arguments e) { return relay::dyn::tile(e[0], e[1]); })[0],
                     {1, 2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, 0) == "");
}

TEST_CASE("kernels/dyn: fill values and depths are read from arguments", "[relay][eval]") {
    const tensor shape({2}, {2, 1});
    const tensor value = tensor::scalar(7.F);
    CHECK(difference(results({value, shape}, [](builder&, arguments e) { return relay::dyn::full(e[0], e[1]); })[0],
                     {2, 1}, {7, 7}, 0) == "");
    const tensor full =
        results({value, shape}, [](builder&, arguments e) { return relay::dyn::full(e[0], e[1], dtype::int8); })[0];
    CHECK(full.type() == dtype::int8);
    const tensor places({2}, {2, 0});
    CHECK(difference(results({places, value, tensor::scalar(1.F), tensor::scalar(3)},
                             [](builder&, arguments e) {
                                 return relay::dyn::one_hot(e[0], e[1], e[2], e[3], {.dtype = dtype::float32});
                             })[0],
                     {2, 3}, {1, 1, 7, 7, 1, 1}, 0) == "");
}

TEST_CASE("kernels/dyn: places are read from arguments", "[relay][eval]") {
    const tensor begin({2}, {1, 2});
    const tensor end({2}, {2, 0});
    const tensor strides({2}, {1, -1});
    CHECK(
        difference(results({x, begin, end, strides},
                           [](builder&, arguments e) { return relay::dyn::strided_slice(e[0], e[1], e[2], e[3]); })[0],
                   {1, 2}, {6, 5}, 0) == "");
    const tensor sizes({2}, {-1, 1});
    CHECK(difference(results({x, begin, sizes, strides},
                             [](builder&, arguments e) {
                                 return relay::dyn::strided_slice(e[0], e[1], e[2], e[3], "size");
                             })[0],
                     {1, 1}, {6}, 0) == "");
    const auto top = results({x, tensor::scalar(2)}, [](builder&, arguments e) {
        return relay::dyn::topk(e[0], e[1], {.k = std::optional<relay::dim>(), .dtype = dtype::int64});
    });
    REQUIRE(top.size() == 2);
    CHECK(difference(top[0], {2, 2}, {3, 2, 6, 5}, 0) == "");
    CHECK(difference(top[1], {2, 2}, {2, 1, 2, 1}, 0) == "");
    const tensor places({2}, {3, 0});
    const tensor size({1}, {4});
    CHECK(difference(
              results({places, tensor({2}, {7, 8}), tensor::scalar(-1), size},
                      [](builder&, arguments e) { return relay::dyn::sparse_to_dense(e[0], e[1], e[2], e[3]); })[0],
              {4}, {8, -1, -1, 7}, 0) == "");
}

TEST_CASE("kernels/dyn: paddings are read from a matrix", "[relay][eval]") {
    const auto padded = [](const tensor& width) {
        return results({x, width, tensor::scalar(9.F)},
                       [](builder&, arguments e) { return relay::dyn::nn::pad(e[0], e[1], e[2]); })[0];
    };
    CHECK(difference(padded(tensor({2, 2}, {0, 0, 1, 1})), {2, 5}, {9, 1, 2, 3, 9, 9, 4, 5, 6, 9}, 0) == "");
    CHECK(error_of([&] { padded(tensor({4}, {0, 0, 1, 1})); }) ==
          "kernel::pad: pad_width is (4,) int32; expected a row of two integers for each of at most 32 axes");
    CHECK(error_of([&] { padded(tensor({2, 2}, {0.F, 0.F, 1.F, 1.F})); }) ==
          "kernel::pad: pad_width is (2, 2) float32; expected integers");
}

TEST_CASE("kernels/dyn: arguments that say no shape are errors", "[relay][eval]") {
    const auto reshape = [](const tensor& shape) {
        return results({x, shape}, [](builder&, arguments e) { return relay::dyn::reshape(e[0], e[1]); })[0];
    };
    CHECK(error_of([&] { reshape(tensor({1}, {5})); }) ==
          "kernel::reshape: data is (2, 3) int32 and the new shape is (5,); expected as many elements");
    CHECK(error_of([&] { reshape(tensor({1}, {-2})); }) ==
          "kernel::reshape: newshape (-2,) is (2, 3); expected as many sizes as there are numbers");
    CHECK(error_of([&] { reshape(tensor({1}, {6.F})); }) ==
          "kernel::reshape: newshape is (1,) float32; expected integers");
    CHECK(error_of([] {
              results({tensor({1}, {-2})}, [](builder&, arguments e) { return relay::dyn::ones(e[0], dtype::int8); });
          }) == "kernel::full: a shape of (-2,); expected at most 32 non-negative sizes");
    CHECK(error_of([] {
              results({x, tensor::scalar(4)}, [](builder&, arguments e) {
                  return relay::dyn::topk(e[0], e[1], {.k = std::optional<relay::dim>(), .ret_type = "values"});
              });
          }) ==
          "kernel::topk: 4 elements along axis -1 of data (2, 3) int32; expected at most as many as the axis has");
}

TEST_CASE("kernels/dyn: a size as an argument gives the result of the attribute", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor image = random.filled<float>({2, 3, 4, 5});
    const tensor roi({4}, {0.1F, 0.2F, 0.7F, 0.9F});
    for (const char* mode : {"half_pixel", "align_corners", "tf_crop_and_resize"}) {
        relay::resize2d_attributes a;
        a.method = "linear";
        a.coordinate_transformation_mode = mode;
        const auto resized = [&](const tensor& size) {
            return dynamic({image, size, roi},
                           [&](builder&, arguments e) { return relay::dyn::image::resize2d(e[0], e[1], e[2], a); });
        };
        relay::resize2d_attributes same = a;
        same.size = dims{7, 6};
        same.roi = test::values(roi);
        const tensor expected = fixed(image, [&](builder&, arguments e) { return relay::image::resize2d(e[0], same); });
        INFO(mode);
        CHECK(difference(resized(tensor({2}, {7.F, 6.F})), {2, 3, 7, 6}, test::values(expected), 0) == "");
        CHECK(difference(resized(tensor({2}, {7, 6})), {2, 3, 7, 6}, test::values(expected), 0) == "");
    }
}

TEST_CASE("kernels/dyn: scales as arguments give the result of the attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor image = random.filled<float>({1, 4, 5, 2});
    const tensor scaled = dynamic({image, tensor::scalar(2), tensor::scalar(1.5F)}, [](builder&, arguments e) {
        return relay::dyn::nn::upsampling(e[0], e[1], e[2],
                                          {.scale_h = 0.0, .scale_w = 0.0, .layout = "NHWC", .method = "bilinear"});
    });
    const tensor expected = fixed(image, [](builder&, arguments e) {
        return relay::nn::upsampling(e[0], {.scale_h = 2.0, .scale_w = 1.5, .layout = "NHWC", .method = "bilinear"});
    });
    CHECK(shape_of(scaled) == test::shape_t{1, 8, 8, 2});
    CHECK(difference(scaled, shape_of(expected), test::values(expected), 0) == "");

    const tensor volume = random.filled<float>({1, 2, 2, 3, 2});
    const tensor larger =
        dynamic({volume, tensor::scalar(2.0), tensor::scalar(1.0), tensor::scalar(3.0)}, [](builder&, arguments e) {
            return relay::dyn::nn::upsampling3d(e[0], e[1], e[2], e[3],
                                                {.scale_d = 0.0, .scale_h = 0.0, .scale_w = 0.0});
        });
    const tensor same = fixed(volume, [](builder&, arguments e) {
        return relay::nn::upsampling3d(e[0], {.scale_d = 2.0, .scale_h = 1.0, .scale_w = 3.0});
    });
    CHECK(shape_of(larger) == test::shape_t{1, 2, 4, 3, 6});
    CHECK(difference(larger, shape_of(same), test::values(same), 0) == "");
}

TEST_CASE("kernels/dyn: sizes and scales that are none are errors", "[relay][eval]") {
    const tensor image({1, 1, 1, 1}, {1.F});
    const tensor roi({4}, {0.F, 0.F, 1.F, 1.F});
    const auto resized = [&](const tensor& size) {
        return error_of([&] {
            dynamic({image, size, roi},
                    [](builder&, arguments e) { return relay::dyn::image::resize2d(e[0], e[1], e[2]); });
        });
    };
    CHECK(resized(tensor({3}, {7, 6, 1})) == "kernel::resize: size is (3,) int32; expected a vector of 2 numbers");
    CHECK(resized(tensor({2}, {-7, 6})).ends_with("expected a size from 0 to 2^31, and images with pixels"));
    CHECK(resized(tensor({2}, {1e30, 6.0})).ends_with("expected a size from 0 to 2^31, and images with pixels"));
    const auto scaled = [&](float by) {
        return error_of([&] {
            dynamic({image, tensor::scalar(1), tensor::scalar(by)},
                    [](builder&, arguments e) { return relay::dyn::nn::upsampling(e[0], e[1], e[2]); });
        });
    };
    CHECK(scaled(-1) == "kernel::resize: a scale of -1.000000; expected a number from 0 to 1e9");
    CHECK(scaled(NAN).ends_with("expected a number from 0 to 1e9"));
}

TEST_CASE("kernels/dyn: new axes go where an argument says", "[relay][eval]") {
    const auto more = [](std::int64_t axis, std::int64_t count) {
        return results({x, tensor::scalar(axis)}, [&](builder&, arguments e) {
            return relay::dyn::expand_dims(e[0], e[1], {.num_newaxis = count});
        })[0];
    };
    CHECK(difference(more(1, 1), {2, 1, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
    CHECK(difference(more(-1, 2), {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}, 0) == "");
    CHECK(error_of([&] { more(3, 1); }).find("axis 3") != std::string::npos);
}

TEST_CASE("kernels/dyn: a slice that ends before it begins is empty", "[relay][eval]") {
    const auto cut = [](std::int64_t begin, std::int64_t end, std::int64_t step) {
        return results({x, tensor({1}, {begin}), tensor({1}, {end}), tensor({1}, {step})},
                       [](builder&, arguments e) { return relay::dyn::strided_slice(e[0], e[1], e[2], e[3]); })[0];
    };
    CHECK(difference(cut(1, 0, 1), {0, 3}, {}, 0) == "");
    CHECK(difference(cut(2, 2, 1), {0, 3}, {}, 0) == "");
    CHECK(difference(cut(0, 1, -1), {0, 3}, {}, 0) == "");
    CHECK(difference(cut(1, 5, 1), {1, 3}, {4, 5, 6}, 0) == "");
}
