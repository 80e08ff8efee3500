#include <tutti/relay/op/image_sampling.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

namespace {

// Returns the inferred type of a call with two tensors of these shapes. `refusal_of_two` returns the error.
template <class Build>
std::string type_of_two(const dims& first, const dims& second, Build build) {
    return type_of([&](builder& b) { return build(b.variable("x", first), b.variable("y", second)); });
}
template <class Build>
std::string refusal_of_two(const dims& first, const dims& second, Build build) {
    return refusal_of([&](builder& b) { return build(b.variable("x", first), b.variable("y", second)); });
}

} // namespace

TEST_CASE("image_sampling: affine_grid gives two coordinates of each pixel", "[relay][image_sampling]") {
    const auto grid = [](const dims& size) {
        return [=](expr x) { return relay::image::affine_grid(x, {.target_shape = size}); };
    };
    CHECK(type_of({dim::any(), 2, 3}, grid({16, 32}), dtype::float16) == "Tensor[(?, 2, 16, 32), float16]");
    CHECK_THAT(refusal_of({4, 3, 3}, grid({16, 32})), Contains("image.affine_grid, argument `data`"));
    CHECK_THAT(refusal_of({4, 2, 3}, grid({16})), Contains("attribute `target_shape`"));
    CHECK_THAT(refusal_of({4, 2, 3}, grid({16, -1})), Contains("a non-negative size"));
}

TEST_CASE("image_sampling: grid_sample gives as many pixels as the grid has points", "[relay][image_sampling]") {
    const auto sampled = [](const relay::grid_sample_attributes& a) {
        return [=](expr x, expr y) { return relay::image::grid_sample(x, y, a); };
    };
    CHECK(type_of_two({4, 3, 8, 8}, {4, 2, 5, dim::any()}, sampled({})) == "Tensor[(4, 3, 5, ?), float32]");
    CHECK(type_of_two({4, 8, 9, 3}, {4, 2, 5, 6}, sampled({.layout = "NHWC"})) == "Tensor[(4, 5, 6, 3), float32]");
    CHECK(type_of_two({4, 3, 8, 8, 8}, {4, 3, 5, 6, 7}, sampled({.layout = "NCDHW"})) ==
          "Tensor[(4, 3, 5, 6, 7), float32]");
    CHECK_THAT(refusal_of_two({4, 3, 8, 8}, {4, 3, 5, 6}, sampled({})), Contains("two coordinates"));
    CHECK_THAT(refusal_of_two({4, 3, 8, 8}, {4, 2, 5}, sampled({})), Contains("image.grid_sample, argument `grid`"));
    CHECK_THAT(refusal_of_two({4, 3, 8}, {4, 2, 5, 6}, sampled({})), Contains("a tensor of layout NCHW"));
    CHECK_THAT(refusal_of_two({4, 3, 8}, {4, 1, 5}, sampled({.layout = "NCW"})), Contains("attribute `layout`"));
    CHECK_THAT(refusal_of_two({4, 3, 8, 8}, {4, 2, 5, 6}, sampled({.layout = "NCHH"})), Contains("attribute `layout`"));
}

TEST_CASE("image_sampling: crop_and_resize gives an image for each box", "[relay][image_sampling]") {
    const auto cropped = [](const dims& boxes, const dims& images, const relay::crop_and_resize_attributes& a) {
        return [=](builder& b) {
            return relay::image::crop_and_resize(b.variable("x", dims{10, 224, 200, 3}), b.variable("boxes", boxes),
                                                 b.variable("images", images, dtype::int32), a);
        };
    };
    CHECK(type_of(cropped({2, 4}, {2}, {.crop_size = dims{20, 30}, .layout = "NHWC"})) ==
          "Tensor[(2, 20, 30, 3), float32]");
    CHECK(type_of(cropped({dim::any(), 4}, {2}, {.crop_size = dims{20, 30}, .out_dtype = dtype::int8})) ==
          "Tensor[(?, 224, 20, 30), int8]");
    CHECK_THAT(refusal_of(cropped({2, 5}, {2}, {.crop_size = dims{20, 30}})), Contains("a row of four numbers"));
    CHECK_THAT(refusal_of(cropped({2, 4}, {3}, {.crop_size = dims{20, 30}})), Contains("`box_indices`"));
    CHECK_THAT(refusal_of(cropped({2, 4}, {2}, {})), Contains("attribute `crop_size`"));
    CHECK_THAT(refusal_of(cropped({2, 4}, {2}, {.crop_size = dims{20, -30}})), Contains("a non-negative size"));
}
