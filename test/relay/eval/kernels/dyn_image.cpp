#include <tutti/relay/eval/kernels/dyn_image.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::difference;
using test::error_of;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor dynamic(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::dyn_image_kernels, inputs, build)[0];
}
template <class Build>
tensor fixed(const tensor& x, Build build) {
    return test::computed(relay::kernels::image_kernels, {x}, build)[0];
}

test::shape_t shape_of(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }

} // namespace

TEST_CASE("kernels/dyn_image: a size that is an argument gives what the same attribute gives", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor x = random.filled<float>({2, 3, 4, 5});
    const tensor roi({4}, {0.1F, 0.2F, 0.7F, 0.9F});
    for (const char* mode : {"half_pixel", "align_corners", "tf_crop_and_resize"}) {
        relay::resize2d_attributes a;
        a.method = "linear";
        a.coordinate_transformation_mode = mode;
        const auto resized = [&](const tensor& size) {
            return dynamic({x, size, roi},
                           [&](builder&, arguments e) { return relay::dyn::image::resize2d(e[0], e[1], e[2], a); });
        };
        relay::resize2d_attributes same = a;
        same.size = dims{7, 6};
        same.roi = test::values(roi);
        const tensor expected = fixed(x, [&](builder&, arguments e) { return relay::image::resize2d(e[0], same); });
        INFO(mode);
        CHECK(difference(resized(tensor({2}, {7.F, 6.F})), {2, 3, 7, 6}, test::values(expected), 0) == "");
        CHECK(difference(resized(tensor({2}, {7, 6})), {2, 3, 7, 6}, test::values(expected), 0) == "");
    }
}

TEST_CASE("kernels/dyn_image: scales that are arguments give what the same attributes give", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor x = random.filled<float>({1, 4, 5, 2});
    const tensor scaled = dynamic({x, tensor::scalar(2), tensor::scalar(1.5F)}, [](builder&, arguments e) {
        return relay::dyn::nn::upsampling(e[0], e[1], e[2],
                                          {.scale_h = 0.0, .scale_w = 0.0, .layout = "NHWC", .method = "bilinear"});
    });
    const tensor expected = fixed(x, [](builder&, arguments e) {
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

TEST_CASE("kernels/dyn_image: sizes and scales that are none are errors", "[relay][eval]") {
    const tensor x({1, 1, 1, 1}, {1.F});
    const tensor roi({4}, {0.F, 0.F, 1.F, 1.F});
    const auto resized = [&](const tensor& size) {
        return error_of([&] {
            dynamic({x, size, roi},
                    [](builder&, arguments e) { return relay::dyn::image::resize2d(e[0], e[1], e[2]); });
        });
    };
    CHECK(resized(tensor({3}, {7, 6, 1})) == "kernel::resize: size is (3,) int32; expected a vector of 2 numbers");
    CHECK(resized(tensor({2}, {-7, 6})).ends_with("expected a size from 0 to 2^31, of images that have pixels"));
    CHECK(resized(tensor({2}, {1e30, 6.0})).ends_with("expected a size from 0 to 2^31, of images that have pixels"));
    const auto scaled = [&](float by) {
        return error_of([&] {
            dynamic({x, tensor::scalar(1), tensor::scalar(by)},
                    [](builder&, arguments e) { return relay::dyn::nn::upsampling(e[0], e[1], e[2]); });
        });
    };
    CHECK(scaled(-1) == "kernel::resize: a scale of -1.000000; expected a number from 0 to 1e9");
    CHECK(scaled(NAN).ends_with("expected a number from 0 to 1e9"));
}
